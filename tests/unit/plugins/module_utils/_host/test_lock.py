"""The lock of a host dies with its holder."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

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
