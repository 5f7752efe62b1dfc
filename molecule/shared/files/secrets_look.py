"""Looks for secrets where none may be; prints a JSON list of places. Never a value: only which one was found.

secrets_look.py watch CANARIES HITS    command lines of all processes, until it is ended
secrets_look.py host CANARIES          files, the journal, and what Podman and systemd tell
secrets_look.py files CANARIES PATH…   files and folders only

CANARIES is a JSON file: {name: value}. A value is looked for as it is and as base64 would hold it.
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
import stat
import subprocess
import sys
import time
import typing as t

PLACES = ("/etc", "/var/lib", "/run", "/var/log", "/var/tmp", "/tmp", "/usr/local", "/root", "/home")
# Podman's own store of secrets, and what runtimes keep of a container that was given one in its environment: readable for
# root alone, which is checked below.
PODMAN = (
    "/var/lib/containers/storage/secrets/",
    "/var/lib/containers/storage/overlay-containers/",
    "/run/containers/storage/overlay-containers/",
    "/run/crun/",
    "/run/runc/",
)
# Images (those of the machine are read-only) and layers of containers, which hold nothing of ours; the journal is asked
# as such.
SKIPPED = (
    "/var/lib/containers/storage/overlay/",
    "/var/lib/shared-images/",
    "/var/log/journal/",
    "/run/log/journal/",
)
COMMANDS = (
    ("journalctl", "--boot", "--no-pager", "--output=export"),
    ("podman", "ps", "--all", "--no-trunc", "--format=json"),
    ("systemctl", "show", "vllm-*"),
    ("systemctl", "cat", "vllm-*"),
)
LARGEST = 64 << 20
LOOKS = 20
Needles = dict[str, list[bytes]]


def needles(path: str) -> Needles:
    """Every form of each value: as it is, and within base64 at each of its three alignments."""
    found = {}
    for name, value in json.loads(pathlib.Path(path).read_text(encoding="utf-8")).items():
        raw = value.encode()
        forms = [raw]
        for shift in range(3):
            whole = base64.b64encode(b"\0" * shift + raw)
            forms.append(whole[(0, 2, 3)[shift] : len(whole) - 4])
        found[name] = forms
    return found


def held(text: bytes, looked_for: Needles) -> list[str]:
    """The names of the values that a text holds."""
    return [name for name, forms in looked_for.items() if any(form in text for form in forms)]


def in_files(places: t.Iterable[str], looked_for: Needles, own: str) -> t.Iterator[dict[str, t.Any]]:
    """Every regular file below the places; Podman's own may hold a secret where only root reads it."""
    for path in walk(places):
        name = str(path)
        if name == own:
            continue
        try:
            status = path.lstat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                continue
            found = held(path.read_bytes(), looked_for)
        except OSError:
            continue
        if found and not (name.startswith(PODMAN) and is_roots_alone(path)):
            yield {"where": name, "secrets": found}


def walk(places: t.Iterable[str]) -> t.Iterator[pathlib.Path]:
    """The files of folders, and files themselves."""
    for place in places:
        start = pathlib.Path(place)
        if start.is_file():
            yield start
        for folder, folders, files in os.walk(place):
            folders[:] = [each for each in folders if not f"{folder}/{each}/".startswith(SKIPPED)]
            yield from (pathlib.Path(folder) / file for file in files)


def is_roots_alone(path: pathlib.Path) -> bool:
    """Whether nobody but root gets to a file: by its own mode, or because of a folder above it."""
    if path.stat().st_uid != 0:
        return False
    if not path.stat().st_mode & 0o077:
        return True
    return any(not parent.stat().st_mode & 0o007 and parent.stat().st_uid == 0 for parent in path.parents)


def in_commands(looked_for: Needles) -> t.Iterator[dict[str, t.Any]]:
    """What the journal, Podman and systemd tell; what was just said is in the journal, too."""
    subprocess.run(["journalctl", "--sync"], check=False)
    listed = subprocess.run(
        ["podman", "ps", "-aq"], capture_output=True, text=True, check=False
    ).stdout.split()
    for command in (*COMMANDS, *((("podman", "inspect", *listed),) if listed else ())):
        done = subprocess.run(command, capture_output=True, check=False)
        found = held(done.stdout + done.stderr, looked_for)
        if found:
            yield {"where": " ".join(command[:2]), "secrets": found}


def watch(looked_for: Needles, hits: str) -> None:
    """Command lines hold no secret at any time: written as they are seen, for the run may end at any time.

    A process is read at its first looks, for it begins as a copy of its parent; many live for a few hundredths of a second.
    """
    looks: dict[str, int] = {}
    told = set()
    with pathlib.Path(hits).open("a", encoding="utf-8") as file:
        while True:
            running = [path.name for path in pathlib.Path("/proc").glob("[0-9]*")]
            looks = {name: looks.get(name, 0) + 1 for name in running}
            for name in (name for name in running if looks[name] <= LOOKS):
                for secret, program in _spoken(name, looked_for):
                    if (secret, program) not in told:
                        told.add((secret, program))
                        place = f"the command line of {program}"
                        file.write(json.dumps({"where": place, "secrets": [secret]}) + "\n")
                        file.flush()
            time.sleep(0.01)


def _spoken(process: str, looked_for: Needles) -> list[tuple[str, str]]:
    try:
        line = pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return []
    program = line.split(b"\0")[0].decode(errors="replace")
    return [(secret, program) for secret in held(line, looked_for)]


def main() -> None:
    """See above."""
    kind, canaries, *rest = sys.argv[1:]
    looked_for = needles(canaries)
    if kind == "watch":
        watch(looked_for, rest[0])
    places = PLACES if kind == "host" else rest
    found = list(in_files(places, looked_for, str(pathlib.Path(canaries).resolve())))
    if kind == "host":
        found += list(in_commands(looked_for))
        found += [json.loads(line) for path in rest for line in pathlib.Path(path).read_text().splitlines()]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
