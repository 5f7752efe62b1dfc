"""What differs between two releases, as an operator wrote it."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.changes import Change, changes

BASE: dict[str, t.Any] = {
    "argv": ["m", "--enforce-eager", "--lora-modules", "a=/a", "b=/b", "--max-num-seqs", "4"],
    "image": "sha256:a",
    "devices": ["nvidia.com/gpu=0"],
    "env": {"A": "1"},
}


def with_(**parts: t.Any) -> dict[str, t.Any]:
    return {**BASE, **parts}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BASE, []),
        (with_(image="sha256:b"), [Change("image", "sha256:a", "sha256:b")]),
        (with_(env={}), [Change("env.A", "1", None)]),
        (
            with_(devices=["nvidia.com/gpu=1"]),
            [Change("devices", ["nvidia.com/gpu=0"], ["nvidia.com/gpu=1"])],
        ),
        (
            with_(argv=["other", "--lora-modules", "a=/a", "--max-num-seqs", "8"]),
            [
                Change("model", "m", "other"),
                Change("settings.enforce_eager", True, None),
                Change("settings.lora_modules", "a=/a b=/b", "a=/a"),
                Change("settings.max_num_seqs", "4", "8"),
            ],
        ),
    ],
)
def test_each_difference_is_told_by_its_name_in_the_inventory(
    after: dict[str, t.Any], expected: list[Change]
) -> None:
    assert changes(BASE, after) == expected


def test_a_first_release_has_no_changes() -> None:
    assert changes(None, BASE) == []
