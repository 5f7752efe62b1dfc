"""How much memory a host has."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.memory import total_mib


def test_the_total_is_told_in_mib(tmp_path: Path) -> None:
    (tmp_path / "meminfo").write_text("MemTotal:       131072000 kB\nMemFree:        1000 kB\n")
    assert total_mib(tmp_path / "meminfo") == 128000


def test_a_host_that_does_not_tell_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "meminfo").write_text("nothing\n")
    assert total_mib(tmp_path / "meminfo") is None
    assert total_mib(tmp_path / "other") is None
