"""One commit for all hosts of a run."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.revisions import choose, is_commit

A, B = "a" * 40, "b" * 40


@pytest.mark.parametrize(
    ("remembered", "chosen"),
    [
        pytest.param({"one": A}, A, id="only one"),
        pytest.param({"one": A, "two": B, "three": B}, B, id="what most have"),
        pytest.param({"one": B, "two": A}, B, id="of equals the first host"),
    ],
)
def test_hosts_that_remember_different_commits_come_to_one(remembered: dict[str, str], chosen: str) -> None:
    assert choose(remembered) == chosen


@pytest.mark.parametrize(
    ("revision", "answer"), [(A, True), ("main", False), ("a" * 39, False), (None, False)]
)
def test_a_commit_is_told_from_a_name(revision: str | None, answer: bool) -> None:
    assert is_commit(revision) is answer
