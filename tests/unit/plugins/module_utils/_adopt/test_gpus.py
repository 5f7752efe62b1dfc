"""Which GPUs a server has."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found, Option
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.gpus import gpus_of


def found(
    *options: tuple[str, str], env: dict[str, str | None] | None = None, image: str = "vllm/vllm-openai"
) -> Found:
    return Found("x", "docker", image=image, options=tuple(Option(*each) for each in options), env=env or {})


@pytest.mark.parametrize(
    ("options", "env", "gpus"),
    [
        ([("--gpus", "all")], {}, "all"),
        ([("--gpus", '"device=0,1"')], {}, ["0", "1"]),
        ([("--gpus", "'\"device=0,1\"'")], {}, ["0", "1"]),
        ([("--gpus", 'device=3')], {}, ["3"]),
        ([("--gpus", '"device=2",capabilities=gpu')], {}, ["2"]),
        ([("--gpus", "device=GPU-6666-77,GPU-88-99")], {}, ["GPU-6666-77", "GPU-88-99"]),
        ([("--gpus", "2")], {}, ["0", "1"]),
        ([("--gpus", "count=2")], {}, ["0", "1"]),
        ([("--gpus", "-1")], {}, "all"),
        ([("--device", "nvidia.com/gpu=all")], {}, "all"),
        ([("--device", "nvidia.com/gpu=0"), ("--device", "nvidia.com/gpu=1:0")], {}, ["0", "1:0"]),
        ([("--device", "/dev/nvidia1"), ("--device", "/dev/nvidiactl"), ("--device", "/dev/nvidia-uvm")], {}, ["1"]),
        ([("--runtime", "nvidia")], {}, "all"),
        ([("--runtime", "nvidia")], {"NVIDIA_VISIBLE_DEVICES": "1,2"}, ["1", "2"]),
        ([("--gpus", "all")], {"NVIDIA_VISIBLE_DEVICES": "1"}, "all"),
        ([("--gpus", "all")], {"CUDA_VISIBLE_DEVICES": "1"}, ["1"]),
        ([("--gpus", "device=4,5,6")], {"CUDA_VISIBLE_DEVICES": "0,2"}, ["4", "6"]),
        ([("--gpus", "all")], {"CUDA_VISIBLE_DEVICES": ""}, "all"),
        ([], {}, "all"),
        ([("--gpus", "device=$X")], {}, "all"),
    ],
)  # fmt: skip
def test_every_way_to_name_gpus_is_the_same_in_the_end(
    options: list[tuple[str, str]], env: dict[str, str | None], gpus: t.Any
) -> None:
    assert gpus_of(found(*options, env=env))[0] == gpus


def test_what_is_assumed_of_gpus_is_told() -> None:
    for options in ([("--gpus", "2")], [], [("--gpus", "some")], [("--gpus", "device=x y")]):
        assert "adoption_guesses" in [each.code for each in gpus_of(found(*options))[2]]
    assert [each.code for each in gpus_of(found(("--gpus", "all")))[2]] == []


def test_gpus_of_others_cannot_be_taken_over_and_other_devices_stay() -> None:
    gpus, devices, findings = gpus_of(
        found(("--device", "/dev/kfd:/dev/kfd"), ("--device", "/dev/infiniband/uverbs0:/dev/u0:rw"))
    )
    assert (gpus, devices) == ([], ["/dev/infiniband/uverbs0:/dev/u0:rw"])
    assert [each.code for each in findings] == ["adoption_loses"]


def test_an_image_for_the_cpu_has_no_gpu() -> None:
    assert gpus_of(found(image="vllm/vllm-openai-cpu:v1"))[0] == []


def test_a_device_that_a_unit_takes_only_if_it_is_there() -> None:
    gpus, devices, findings = gpus_of(
        found(("--device", "-/dev/kfd"), ("--device", "-/dev/fuse"), ("--gpus", "all"))
    )
    assert (gpus, devices) == ("all", ["/dev/fuse"])
    assert [each.code for each in findings] == ["adoption_drops", "adoption_guesses"]


def test_a_choice_that_is_not_understood_is_told() -> None:
    gpus, _devices, findings = gpus_of(found(("--gpus", "all"), env={"CUDA_VISIBLE_DEVICES": "$X"}))
    assert (gpus, [each.code for each in findings]) == ("all", ["adoption_guesses"])


def test_a_gpu_that_a_unit_wants_only_where_it_is_stays_that_gpu() -> None:
    gpus, others, findings = gpus_of(found(("--device", "-nvidia.com/gpu=1")))
    assert (gpus, others) == (["1"], [])
    assert [(each.setting, each.message) for each in findings] == [
        ("gpus", "nvidia.com/gpu=1 is taken as a device that each host has")
    ]
