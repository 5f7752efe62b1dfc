#!/usr/bin/env python3
"""On the host: lets the real generator, systemd and Podman run every unit of a folder, and collects what arrived.

on_host.py UNITS ANSWERS
"""

from __future__ import annotations

import concurrent.futures
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

IMAGE = "localhost/vllm-fleet/argv:1"
QUADLET = Path("/etc/containers/systemd")
ANSWERS = Path("/run/vllm-argv/answers")
GENERATOR = "/usr/lib/systemd/system-generators/podman-system-generator"
AT_ONCE = 2 * (os.cpu_count() or 1)

# The image holds this program alone; its Python is the host's, mounted.
PROGRAM = b"""#!/usr/bin/python3 -X utf8
import json, os, sys
with open(os.environ["ANSWER"], "w") as answer:
    json.dump({"argv": sys.argv[1:], "env": dict(os.environ)}, answer)
"""


def run(*command: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=True, capture_output=True, text=True, **more)  # type: ignore[call-overload]


def make_image() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name in ("bin", "lib", "lib64"):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            archive.addfile(link)
        program = tarfile.TarInfo("opt/vllm")
        program.size, program.mode = len(PROGRAM), 0o755
        archive.addfile(program, io.BytesIO(PROGRAM))
    change = ("--change", "ENV PATH=/opt:/usr/bin")
    subprocess.run(
        ["podman", "import", "-q", *change, "-", IMAGE],
        input=packed.getvalue(),
        check=True,
        capture_output=True,
    )


def generated(units: Path) -> dict[str, str]:
    """What the generator makes of the units, by the names of the services."""
    said = subprocess.run(
        [GENERATOR, "--dryrun"],
        env={"QUADLET_UNIT_DIRS": str(units)},
        capture_output=True,
        text=True,
        check=False,
    )
    parts = re.split(r"^---(\S+\.service)---$", said.stdout, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def start(name: str) -> None:
    subprocess.run(["systemctl", "start", name], check=False, capture_output=True)


def clean_up(names: list[str]) -> None:
    subprocess.run(["systemctl", "stop", *names], check=False, capture_output=True)
    for name in names:
        (QUADLET / name).with_suffix(".container").unlink(missing_ok=True)
    run("systemctl", "daemon-reload")
    subprocess.run(["systemctl", "reset-failed", *names], check=False, capture_output=True)
    subprocess.run(["podman", "image", "rm", "-f", IMAGE], check=False, capture_output=True)
    shutil.rmtree(ANSWERS.parent, ignore_errors=True)


def main(units: Path, result: Path) -> None:
    files = sorted(units.glob("*.container"))
    names = [f"{each.stem}.service" for each in files]
    ANSWERS.mkdir(parents=True, exist_ok=True)
    QUADLET.mkdir(parents=True, exist_ok=True)
    try:
        make_image()
        services = generated(units)
        for each in files:
            shutil.copy(each, QUADLET)
        began = time.monotonic()
        run("systemctl", "daemon-reload")
        reloaded = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(start, names))
        wait_for(len(files))
        started = time.monotonic()
        answers = {each.stem: json.loads(each.read_text(encoding="utf-8")) for each in ANSWERS.glob("*.json")}
        found = {
            "generated": services,
            "answers": answers,
            "podman": run("podman", "--version").stdout.split()[-1],
            "systemd": run("systemctl", "--version").stdout.split()[1],
            "reload_seconds": round(reloaded - began, 1),
            "start_seconds": round(started - reloaded, 1),
        }
        result.write_text(json.dumps(found), encoding="utf-8")
    finally:
        clean_up(names)


def wait_for(count: int, seconds: float = 300) -> None:
    """A unit counts as started when its container runs; the answer follows."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        complete = [each for each in ANSWERS.glob("*.json") if each.read_text(encoding="utf-8").endswith("}")]
        if len(complete) >= count:
            return
        time.sleep(0.2)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
