"""What a run remembers for all its hosts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils import run_memory


def test_what_one_task_found_the_next_one_of_the_same_run_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_memory.tempfile, "gettempdir", lambda: str(tmp_path))
    with run_memory.shared("test", run=1) as known:
        known["model"] = "commit"
    with run_memory.shared("test", run=1) as known:
        assert known == {"model": "commit"}
    with run_memory.shared("test", run=2) as known:
        assert known == {}


def test_what_runs_of_last_month_found_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_memory.tempfile, "gettempdir", lambda: str(tmp_path))
    with run_memory.shared("test", run=1):
        pass
    (first,) = tmp_path.rglob("*.json")
    os.utime(first, (0, 0))
    with run_memory.shared("test", run=2):
        pass
    assert not first.exists()
