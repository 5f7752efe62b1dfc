"""A server is not started on a GPU whose memory another process holds."""

from __future__ import annotations

import dataclasses

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.gpu_memory import (
    GpuMemory,
    Holder,
    lacking,
)

OURS = Holder(10, "VLLM::EngineCore", 21000, "vllm-q.service")
THEIRS = Holder(77, "python", 9000, None)
GPU = GpuMemory(0, "GPU-aa", 24000, 2000, (OURS,))


@pytest.mark.parametrize(
    ("gpu", "names", "share", "leaving"),
    [
        (GPU, {"0"}, None, ()),  # nobody knows what it asks for
        (GPU, {"1"}, 0.9, ()),  # another GPU
        (GPU, {"0"}, 0.9, ["vllm-q.service"]),  # what is about to go counts as free
        (dataclasses.replace(GPU, free_mib=21600), {"0"}, 0.9, ()),  # exactly enough
        (dataclasses.replace(GPU, free_mib=None), {"0"}, 0.9, ()),  # the driver does not say
    ],
)
def test_nothing_is_said_where_it_can_start(
    gpu: GpuMemory, names: set[str], share: float, leaving: list[str]
) -> None:
    assert lacking([gpu], names, share, leaving) is None


@pytest.mark.parametrize("names", [{"0"}, {"GPU-aa"}, {"all"}])
def test_who_holds_the_memory_is_named(names: set[str]) -> None:
    gpu = dataclasses.replace(GPU, free_mib=15000, holders=(THEIRS,))
    said = lacking([gpu], names, 0.9) or ""
    assert "GPU 0 (GPU-aa) has 15000 MiB free of 24000 MiB" in said
    assert "21600 MiB (gpu_memory_utilization 0.9)" in said
    assert "process 77 (python, 9000 MiB)" in said


def test_one_mebibyte_short_is_short() -> None:
    assert lacking([dataclasses.replace(GPU, free_mib=21599)], {"0"}, 0.9)


def test_what_stays_is_told_apart_from_what_goes() -> None:
    gpu = GpuMemory(0, "GPU-aa", 24000, 1000, (Holder(10, "a", 10000, "vllm-q.service"), THEIRS))
    said = lacking([gpu], {"0"}, 0.9, ["vllm-q.service"]) or ""
    assert "process 77" in said
    assert "process 10" not in said
