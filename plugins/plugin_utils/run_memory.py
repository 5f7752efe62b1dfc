"""What one run of a playbook has found out, shared by all its hosts: one asks, the others take its answer."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import tempfile
import time
import typing as t

_LONG_OVER = 7 * 86400


@contextlib.contextmanager
def shared(name: str, run: int | None = None) -> t.Iterator[dict[str, t.Any]]:
    """A mapping that every task of this run sees; while somebody has it, the others wait.

    Tasks run in forks of one process, which is what the run is known by. Files of runs that are long over go.
    """
    parent = os.getppid() if run is None else run
    folder = pathlib.Path(tempfile.gettempdir(), f"vllm-fleet-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    for old in folder.glob(f"{name}-*.json"):
        with contextlib.suppress(FileNotFoundError):  # another task was faster
            if time.time() - old.stat().st_mtime > _LONG_OVER:
                old.unlink()
    path = folder / f"{name}-{parent}-{_began(parent)}.json"
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8") as file:  # noqa: PTH123
        fcntl.flock(file, fcntl.LOCK_EX)
        known = json.loads(file.read() or "{}")
        try:
            yield known
        finally:
            file.seek(0)
            file.truncate()
            json.dump(known, file)


def _began(process: int) -> str:
    """When a process began, for numbers of processes come again."""
    try:
        return (
            pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
        )
    except (OSError, IndexError):
        return "0"
