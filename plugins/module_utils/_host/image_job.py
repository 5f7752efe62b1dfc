"""A pull, or the loading of an archive, as a transient unit: it goes on when the connection or the controller is lost.

Podman tells no bytes to who is no terminal. But it keeps what has come in the folder that TMPDIR names, so a folder of
its own for each job says how far it is, and is removed with it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
import typing as t
from pathlib import Path

from .command import HostError, Run
from .release_files import write
from .systemd import is_running, parse_show

RUN = "/run/vllm-fleet/images"  # memory, not disk: a login may lie here while its pull goes on
_PREFIX = "vllm-fleet-image-"
# The exit code comes last, so that whoever sees it finds nothing left behind.
_SCRIPT = '"$@" >"$0/said" 2>&1; code=$?; rm -rf "$0/auth.json" "$0/environment" "$TMPDIR"; echo $code >"$0/code" && mv "$0/code" "$0/ended"'
_PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


@dataclasses.dataclass(frozen=True)
class Look:
    """How far a job is; ``code`` is None while it runs, and -1 where it vanished without an end."""

    code: int | None
    done_bytes: int
    total_bytes: int | None
    busy_seconds: float
    said: str


class Job:
    """One job by the image it brings; ``graph_root`` is where this Podman keeps its images."""

    def __init__(self, run: Run, image: str, graph_root: str, place: str = RUN) -> None:
        """Nothing is made yet."""
        self._run = run
        name = hashlib.sha256(image.encode()).hexdigest()[:12]
        self.unit = f"{_PREFIX}{name}.service"
        self._folder = Path(place) / name
        self._spool = Path(graph_root) / "tmp" / f"{_PREFIX}{name}"

    def runs(self) -> bool:
        """Whether it goes on at this moment."""
        return is_running(self._run, self.unit)

    def start(
        self, command: t.Sequence[str], total: int | None, auth: t.Mapping[str, t.Any] | None = None
    ) -> None:
        """Begin anew; what earlier ones left goes, also where a reboot ended them."""
        self._sweep()
        self.clear()
        self._folder.mkdir(mode=0o700, parents=True)
        self._spool.mkdir(mode=0o700, parents=True)
        (self._folder / "total").write_text(json.dumps(total))
        environment = {"TMPDIR": str(self._spool), "HOME": os.environ.get("HOME", "/root")}
        environment.update({name: os.environ[name] for name in _PROXIES if name in os.environ})
        if auth is not None:
            environment["REGISTRY_AUTH_FILE"] = write_auth(self._folder, auth)
        # Not on the command line, which everybody on the host may read: the address of a proxy may hold a password.
        file = self._folder / "environment"
        write(file, "".join(_line(name, value) for name, value in environment.items()), 0o600)
        done = self._run(
            "systemd-run",
            f"--unit={self.unit}",
            "--collect",
            "--quiet",
            f"--property=EnvironmentFile={file}",
            "sh",
            "-c",
            _SCRIPT,
            str(self._folder),
            *command,
        )
        if not done.ok:
            self.clear()
            raise HostError(f"the job {self.unit} cannot be started: {done.said}", done)

    def look(self) -> Look:
        """How far it is."""
        ended = self._read("ended")
        if ended is None and not self.runs():
            ended = self._read("ended") or "-1"  # it may have ended in between
        shown = parse_show(self._run("systemctl", "show", "--property=CPUUsageNSec", self.unit).stdout)
        busy = shown.get("CPUUsageNSec", "")
        total = json.loads(self._read("total") or "null")
        code = None if ended is None else int(ended)
        done = total if code == 0 and total is not None else _size(self._spool)
        return Look(code, done, total, int(busy) / 1e9 if busy.isdigit() else 0.0, self._read("said") or "")

    def stop(self) -> None:
        """End it where it runs, and leave nothing of it."""
        self._run("systemctl", "stop", self.unit)
        self.clear()

    def _sweep(self) -> None:
        for spool in self._spool.parent.glob(f"{_PREFIX}*"):
            if spool != self._spool and not is_running(self._run, f"{spool.name}.service"):
                shutil.rmtree(spool, ignore_errors=True)

    def clear(self) -> None:
        """Leave nothing of it."""
        for path in (self._folder, self._spool):
            shutil.rmtree(path, ignore_errors=True)

    def _read(self, name: str) -> str | None:
        try:
            return (self._folder / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None


def _line(name: str, value: str) -> str:
    """A variable as systemd reads it from a file."""
    for mark in ("\\", '"'):
        value = value.replace(mark, f"\\{mark}")
    return f'{name}="{value}"\n'


def write_auth(folder: Path, auth: t.Mapping[str, t.Any]) -> str:
    """An auth file that only root reads; its path."""
    path = folder / "auth.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps(auth), encoding="utf-8")
    return str(path)


def _size(folder: Path) -> int:
    return sum(_length(Path(place, name)) for place, _folders, names in os.walk(folder) for name in names)


def _length(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0  # gone meanwhile
