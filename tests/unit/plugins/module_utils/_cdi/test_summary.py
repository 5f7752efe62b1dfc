"""A spec as a difference shows it: everything that it gives, in the order of the spec, and nothing else."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.evidence import GpuNames
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.summary import forecast, summary

LIBRARY = "/usr/lib/libcuda.so.550.163.01"
SPEC = {
    "cdiVersion": "0.5.0",
    "kind": "nvidia.com/gpu",
    "devices": [
        {
            "name": "0",
            "containerEdits": {"deviceNodes": [{"path": "/dev/nvidia0", "major": 195, "minor": 2}]},
        },
        {"name": "1:0", "containerEdits": {"deviceNodes": [{"path": "/dev/a", "hostPath": "/dev/b"}]}},
    ],
    "containerEdits": {
        "env": ["A=1"],
        "deviceNodes": [{"path": "/dev/nvidiactl", "major": 195}],
        "mounts": [
            {"hostPath": LIBRARY, "containerPath": LIBRARY},
            {"hostPath": "/x", "containerPath": "/y"},
        ],
        "hooks": [
            {
                "hookName": "createContainer",
                "path": "/usr/bin/nvidia-cdi-hook",
                "args": ["h", "update-ldcache"],
            }
        ],
    },
}


def test_every_thing_that_a_spec_gives_has_its_line() -> None:
    assert summary(SPEC).splitlines() == [
        "cdiVersion 0.5.0",
        "made for driver 550.163.01",
        "device 0: /dev/nvidia0 195:2",
        "device 1:0: /dev/a (the host's /dev/b)",
        "every device: /dev/nvidiactl 195:0",
        "env A=1",
        f"mount {LIBRARY}",
        "mount /x as /y",
        "hook /usr/bin/nvidia-cdi-hook update-ldcache",
    ]


@pytest.mark.parametrize(
    "data", [None, [], "text", {"devices": 3, "containerEdits": {"env": 1, "hooks": [{"args": 2}]}}]
)
def test_what_is_no_spec_is_no_traceback(data: object) -> None:
    assert summary(data).startswith("cdiVersion None\nmade for driver unknown\n")


MIG = GpuNames(1, "GPU-b", mig_mode=True, slices=(("1:0", "MIG-c"), ("1:1", None)))


@pytest.mark.parametrize(
    ("strategies", "names"),
    [
        ((), ["0", "1:0", "1:1", "GPU-a", "MIG-c", "all"]),
        (("uuid",), ["GPU-a", "MIG-c", "all"]),
        (("type-index",), ["gpu0", "mig1:0", "mig1:1", "all"]),
    ],
)
def test_the_names_to_come_are_those_of_the_gpus(strategies: tuple[str, ...], names: list[str]) -> None:
    first, *devices = forecast([GpuNames(0, "GPU-a"), MIG], strategies, "a step").splitlines()
    assert first.startswith("(known after a step")
    assert devices == [f"device {name}" for name in names]
