"""A running server that was started with an older spec is told, by what its container really has."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.running import devices_of, why_outdated


def spec(library: str = "550", major: int = 510) -> dict[str, t.Any]:
    return {
        "devices": [
            {"name": "0", "containerEdits": {"deviceNodes": [{"path": "/dev/nvidia0", "major": 195}]}},
            {"name": "1", "containerEdits": {"deviceNodes": [{"path": "/dev/nvidia1", "major": 195, "minor": 1}]}},
        ],
        "containerEdits": {
            "deviceNodes": [{"path": "/dev/nvidia-uvm", "major": major}],
            "mounts": [{"hostPath": f"/lib/libcuda.so.{library}", "containerPath": f"/lib/libcuda.so.{library}"}],
        },
    }  # fmt: skip


CONTAINER = {
    "mounts": [
        {"destination": "/lib/libcuda.so.550", "source": "/lib/libcuda.so.550"},
        {"destination": "/models", "source": "/srv/models"},
    ],
    "linux": {
        "devices": [
            {"path": "/dev/nvidia0", "major": 195, "minor": 0},
            {"path": "/dev/nvidia-uvm", "major": 510, "minor": 0},
        ]
    },
}


@pytest.mark.parametrize(
    ("today", "names", "reason"),
    [
        (spec(), ["0"], None),
        (spec(), [], None),
        (spec(library="580"), ["0"], "it does not have /lib/libcuda.so.580"),
        (spec(major=508), ["0"], "its /dev/nvidia-uvm is 510:0, now it is 508:0"),
        (spec(), ["1"], "it does not have /dev/nvidia1"),
        (spec(), ["2"], "the spec no longer knows 2"),
    ],
)
def test_a_container_is_compared_with_what_the_spec_gives_today(
    today: dict[str, t.Any], names: list[str], reason: str | None
) -> None:
    assert why_outdated(today, names, CONTAINER) == reason


def test_the_gpus_of_a_container_are_those_it_was_started_with() -> None:
    command = (
        "podman run --name x --device nvidia.com/gpu=0 --device=nvidia.com/gpu=GPU-1 --device /dev/fuse image"
    )
    assert devices_of(command.split()) == ["0", "GPU-1"]
