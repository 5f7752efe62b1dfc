"""Counts and sizes are told as people say them."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.counted import counted, sized


@pytest.mark.parametrize(("count", "words"), [(0, "0 hosts"), (1, "1 host"), (2, "2 hosts")])
def test_one_is_one(count: int, words: str) -> None:
    assert counted(count, "host") == words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1500, "1.5 kB"),
        (150_000, "150 kB"),
        (9_800_000_000, "9.8 GB"),
        (2e12, "2.0 TB"),
    ],
)
def test_sizes_are_told_short(size: float, words: str) -> None:
    assert sized(size) == words
