"""The one lock of a host: whoever changes servers holds it, and it dies with its holder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import typing as t
from pathlib import Path

PATH = "/run/vllm-fleet/lock"
_MODE, _FOLDER_MODE = 0o600, 0o700


@contextlib.contextmanager
def held(who: str, path: str = PATH, wait: bool = True) -> t.Iterator[bool]:
    """Hold the lock, and write down who does; False where another holds it and ``wait`` is false.

    Whoever may open the file may lock it, so nobody else may. Its holder may unlink it as the last thing he does: who
    waited for it then has a file that nobody else can find, and takes the new one.
    """
    descriptor = _locked(path, wait)
    if descriptor is None:
        yield False
        return
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, who.encode(), 0)
        yield True
    finally:
        os.close(descriptor)


def _locked(path: str, wait: bool) -> int | None:
    while True:
        descriptor = _open(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(descriptor)
            return None
        if _is_at(path, descriptor):
            return descriptor
        os.close(descriptor)


def _open(path: str) -> int:
    folder = Path(path).parent
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    folder.chmod(_FOLDER_MODE)  # also one that was there before
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, _MODE)
    os.fchmod(descriptor, _MODE)
    return descriptor


def _is_at(path: str, descriptor: int) -> bool:
    """Whether the open file is the one that others find."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))  # noqa: PTH116
    except FileNotFoundError:
        return False


def holder(path: str = PATH) -> str | None:
    """Who holds the lock; None where nobody does."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.pread(descriptor, 200, 0).decode(errors="replace")
    finally:
        os.close(descriptor)
    return None
