"""The one lock of a host: whoever changes servers holds it, and it dies with its holder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import typing as t
from pathlib import Path

PATH = "/run/vllm-fleet/lock"


@contextlib.contextmanager
def held(who: str, path: str = PATH, wait: bool = True) -> t.Iterator[bool]:
    """Hold the lock, and write down who does; False where another holds it and ``wait`` is false."""
    Path(path).parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(descriptor)
        yield False
        return
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, who.encode(), 0)
        yield True
    finally:
        os.close(descriptor)


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
