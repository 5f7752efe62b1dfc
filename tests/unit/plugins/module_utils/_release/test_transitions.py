"""Instances that cannot be replaced one after the other are replaced together."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.transitions import (
    Claim,
    claim,
    group,
)

UUIDS = {"0": "GPU-aa", "1": "GPU-bb"}


def gpu(*names: str, port: int | None = None, listen: str = "127.0.0.1") -> Claim:
    return claim([f"nvidia.com/gpu={name}" for name in names], listen, port, UUIDS)


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (gpu("0", port=8000), gpu("1", port=8001), False),
        (gpu("0"), gpu("0"), True),
        (gpu("0"), gpu("GPU-aa"), True),
        (gpu("0", "1"), gpu("1"), True),
        (gpu("all"), gpu("1"), True),
        (gpu("all"), gpu(), False),
        (gpu("0", port=8000), gpu("1", port=8000), True),
        (gpu("0", port=8000), gpu("1", port=8000, listen="10.0.0.1"), False),
        (gpu("0", port=8000), gpu("1", port=8000, listen="0.0.0.0"), True),
        (gpu("0", port=8000, listen="::"), gpu("1", port=8000, listen="10.0.0.1"), True),
        (gpu("0"), gpu("1"), False),
    ],
)
def test_one_gpu_or_one_port_binds_two_together(one: Claim, other: Claim, together: bool) -> None:
    assert one.overlaps(other) is together
    assert other.overlaps(one) is together


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"a": [gpu("0", port=1)], "b": [gpu("1", port=2)]}, [["a"], ["b"]]),
        # Two that swap their ports: each needs what the other has now.
        (
            {"a": [gpu("0", port=1), gpu("0", port=2)], "b": [gpu("1", port=2), gpu("1", port=1)]},
            [["a", "b"]],
        ),
        # One over two GPUs becomes two over one each.
        (
            {"one": [gpu("0"), gpu("0")], "other": [gpu("1")], "old": [gpu("0", "1")]},
            [["one", "other", "old"]],
        ),
        # A rename: the old name holds what the new one wants.
        (
            {"new": [gpu("0", port=1)], "old": [gpu("0", port=1)], "far": [gpu("1", port=9)]},
            [["new", "old"], ["far"]],
        ),
    ],
)
def test_groups_are_as_large_as_the_overlaps_and_no_larger(
    claims: dict[str, list[Claim]], expected: list[list[str]]
) -> None:
    assert group(claims) == expected
