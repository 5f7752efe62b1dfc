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

from . import jobs
from .command import Run
from .systemd import is_running, parse_show

RUN = "/run/vllm-fleet/images"  # memory, not disk: a login may lie here while its pull goes on
_PREFIX = "vllm-fleet-image-"
_AUTH = "auth.json"
# What nobody needs once it has ended goes before the end can be seen.
_TIDY = f'"$@"; code=$?; rm -rf "$0/{_AUTH}" "$0/{jobs.ENVIRONMENT}" "$TMPDIR"; exit $code'
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
        self._job = jobs.Job(f"{_PREFIX}{name}.service", Path(place) / name)
        self._spool = Path(graph_root) / "tmp" / f"{_PREFIX}{name}"

    def runs(self) -> bool:
        """Whether it goes on at this moment."""
        return jobs.runs(self._run, self._job)

    def start(
        self, command: t.Sequence[str], total: int | None, auth: t.Mapping[str, t.Any] | None = None
    ) -> None:
        """Begin anew; what earlier ones left goes, also where a reboot ended them."""
        self._sweep()
        self.clear()
        self._spool.mkdir(mode=0o700, parents=True)
        environment = {"TMPDIR": str(self._spool), "HOME": os.environ.get("HOME", "/root")}
        environment.update({name: os.environ[name] for name in _PROXIES if name in os.environ})
        files = {"state.json": json.dumps({"total": total})}
        if auth is not None:
            files[_AUTH] = json.dumps(auth)
            environment["REGISTRY_AUTH_FILE"] = str(self._job.folder / _AUTH)
        words = ["/bin/sh", "-c", _TIDY, str(self._job.folder), *command]
        try:
            jobs.start(self._run, self._job, words, files, environment=environment)
        except BaseException:
            self.clear()
            raise

    def look(self) -> Look:
        """How far it is."""
        seen = jobs.look(self._run, self._job)
        shown = parse_show(
            self._run("systemctl", "show", "--property=CPUUsageNSec", "--", self._job.unit).stdout
        )
        busy = shown.get("CPUUsageNSec", "")
        code = -1 if seen.ended and seen.rc is None else seen.rc
        total = seen.state.get("total")
        done = total if code == 0 and total is not None else _size(self._spool)
        return Look(code, done, total, int(busy) / 1e9 if busy.isdigit() else 0.0, seen.output.strip())

    def stop(self) -> None:
        """End it where it runs, and leave nothing of it."""
        jobs.stop(self._run, self._job)
        self.clear()

    def _sweep(self) -> None:
        for spool in self._spool.parent.glob(f"{_PREFIX}*"):
            if spool != self._spool and not is_running(self._run, f"{spool.name}.service"):
                shutil.rmtree(spool, ignore_errors=True)

    def clear(self) -> None:
        """Leave nothing of it."""
        for path in (self._job.folder, self._spool):
            shutil.rmtree(path, ignore_errors=True)


def _size(folder: Path) -> int:
    return sum(_length(Path(place, name)) for place, _folders, names in os.walk(folder) for name in names)


def _length(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0  # gone meanwhile
