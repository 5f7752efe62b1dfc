"""What a run remembers for all its hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.run_memory import shared


def test_what_one_task_found_the_next_one_of_the_same_run_sees(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    for run in (first, second):
        run.mkdir()
    with shared("test", str(first)) as known:
        known["model"] = "commit"
    with shared("test", str(first)) as known:
        assert known == {"model": "commit"}
    with shared("test", str(second)) as known:
        assert known == {}


def test_it_lies_where_only_the_run_may_look(tmp_path: Path) -> None:
    with shared("test", str(tmp_path)) as known:
        known["model"] = "commit"
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_task_that_fails_leaves_it_as_it_was(tmp_path: Path) -> None:
    with shared("test", str(tmp_path)) as known:
        known["model"] = "commit"
    with pytest.raises(KeyError), shared("test", str(tmp_path)) as known:
        known["model"] = known["nothing"]
    with shared("test", str(tmp_path)) as known:
        assert known == {"model": "commit"}
