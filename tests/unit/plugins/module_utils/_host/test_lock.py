"""The lock of a host dies with its holder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import lock

HOLD = "import sys, time; from {} import held\nwith held('other', sys.argv[1]):\n print('held', flush=True); time.sleep(60)"


def test_one_holds_it_and_the_next_is_told_who(tmp_path: Path) -> None:
    path = str(tmp_path / "run" / "lock")
    with lock.held("first", path) as got:
        assert got
        assert lock.holder(path) == "first"
        with lock.held("second", path, wait=False) as again:
            assert not again
    assert lock.holder(path) is None


def test_it_is_free_when_its_holder_was_killed(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    command = [sys.executable, "-c", HOLD.format(lock.__name__), path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={"PYTHONPATH": ":".join(sys.path)}) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert lock.holder(path) == "other"
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert lock.holder(path) is None


def test_nobody_holds_what_is_not_there(tmp_path: Path) -> None:
    assert lock.holder(str(tmp_path / "no")) is None


def test_who_waits_for_a_lock_that_its_holder_unlinked_takes_the_one_that_others_find(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    got, over = threading.Event(), threading.Event()

    def second() -> None:
        with lock.held("second", path):
            got.set()
            over.wait(60)

    command = [sys.executable, "-c", HOLD.format(lock.__name__), path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={"PYTHONPATH": ":".join(sys.path)}) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        waiting = threading.Thread(target=second)
        waiting.start()
        until = time.monotonic() + 60
        while not _has_open(path):
            assert time.monotonic() < until
        Path(path).unlink()
        first.kill()
    try:
        assert got.wait(60)
        assert lock.holder(path) == "second"
    finally:
        over.set()
        waiting.join()


def _has_open(path: str) -> bool:
    links = Path("/proc/self/fd").iterdir()
    return any(os.path.realpath(link) == path for link in links)


@pytest.mark.parametrize("before", [None, 0o644], ids=["new", "of an earlier release"])
def test_nobody_else_may_open_it(tmp_path: Path, before: int | None) -> None:
    """Whoever may read a file may lock it."""
    path = tmp_path / "run" / "lock"
    if before:
        path.parent.mkdir(mode=0o755)
        path.touch(before)
    with lock.held("first", str(path)) as got:
        assert got
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
