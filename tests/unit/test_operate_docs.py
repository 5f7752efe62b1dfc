"""The page about status says of every kind what the code says."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.drift_kinds import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "operate.md"


def test_the_page_lists_exactly_the_kinds_that_there_are() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert rows == [f"| `{kind}` | {severity} | {meaning} |" for kind, (severity, meaning) in KINDS.items()]
