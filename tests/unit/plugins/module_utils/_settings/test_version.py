"""Releases as tags and servers write them."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.version import (
    Release,
    parse_release,
)


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("v0.26.0-cu129", (0, 26, 0)),
        ("0.27.1-ubuntu2404", (0, 27, 1)),
        ("1.12", (1, 12, 0)),
        ("latest", None),
        ("25.11-py3", None),
        ("26.01-py3", None),
        ("25.11", None),
    ],
)
def test_a_release_is_told_from_other_numbers(text: str, release: Release | None) -> None:
    assert parse_release(text) == release
