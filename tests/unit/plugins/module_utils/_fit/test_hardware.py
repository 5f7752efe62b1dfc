"""Which GPUs an instance gets, and what family they are of."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.families import family
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.hardware import select_gpus
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu

FACTS: list[dict[str, t.Any]] = [
    {"index": 0, "uuid": "GPU-a", "name": "H100", "compute_capability": "9.0", "memory_total_mib": 81559, "memory_free_mib": 80000, "mig_devices": []},
    {
        "index": 1,
        "uuid": "GPU-b",
        "name": "H100",
        "compute_capability": "9.0",
        "memory_total_mib": 81559,
        "mig_devices": [
            {"name": "1:0", "uuid": "MIG-x", "profile": "3g.40gb", "memory_total_mib": 40448},
            {"name": "1:1", "uuid": "MIG-y", "profile": "1g.10gb", "memory_total_mib": 9856},
        ],
    },
]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "memory"),
    [
        pytest.param(["0"], [81559], id="by index"),
        pytest.param(["GPU-b", "0"], [81559, 81559], id="by UUID, in the order of the instance"),
        pytest.param(["1:1"], [9856], id="a slice by its name"),
        pytest.param(["MIG-x"], [40448], id="a slice by its UUID"),
        pytest.param(["all"], [81559, 40448, 9856], id="all, a partitioned GPU as its slices"),
    ],
)
def test_names_of_an_instance_become_gpus(wanted: list[str], memory: list[int]) -> None:
    found = select_gpus(wanted, FACTS)
    assert found is not None
    assert [gpu.memory_total_mib for gpu in found] == memory


@pytest.mark.parametrize("wanted", [["2"], ["0", "GPU-c"], []])
def test_a_gpu_that_is_not_there_makes_them_unknown(wanted: list[str]) -> None:
    assert select_gpus(wanted, FACTS) is None


def test_facts_of_odd_types_are_absent() -> None:
    facts = [
        {"index": 0, "name": 3, "compute_capability": None, "memory_total_mib": "[N/A]", "mig_devices": None}
    ]
    assert select_gpus(["0"], facts) == (Gpu(None, None, None),)
    assert select_gpus(["0"], None) is None


USED: dict[str, t.Any] = {
    "index": 0,
    "name": "L4",
    "compute_capability": "8.9",
    "memory_total_mib": 23034,
    "memory_free_mib": 2000,
    "processes": [
        {"pid": 10, "name": "VLLM::EngineCore", "used_memory_mib": 12000, "unit": "vllm-qwen.service"},
        {"pid": 11, "name": "ollama", "used_memory_mib": 8800, "unit": "ollama.service"},
    ],
}
OLLAMA = "ollama (pid 11, ollama.service, 8800 MiB)"


def free(facts: dict[str, t.Any], ours: t.Collection[str] | None) -> tuple[int | None, tuple[str, ...]]:
    (gpu,) = select_gpus(["0"], [facts], ours) or ()
    return gpu.memory_free_mib, gpu.used_by


def test_what_our_own_servers_hold_is_free_for_the_next_release_and_others_are_named() -> None:
    assert free(USED, {"vllm-qwen.service"}) == (14000, (OLLAMA,))
    assert free(USED, set())[0] == 2000


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({**USED, "processes": USED["processes"][1:]}, id="a process is missing"),
        pytest.param({**USED, "processes": []}, id="no process is listed"),
        pytest.param(
            {**USED, "processes": [{**USED["processes"][0], "used_memory_mib": None}]}, id="no size"
        ),
        pytest.param({**USED, "memory_free_mib": None}, id="not told"),
    ],
)
def test_where_nobody_tells_who_holds_what_free_memory_is_not_known(facts: dict[str, t.Any]) -> None:
    assert free(facts, {"vllm-qwen.service"})[0] is None


def test_what_the_driver_keeps_for_itself_is_nobodys() -> None:
    idle = {**USED, "memory_free_mib": 22500, "processes": []}
    assert free(idle, set()) == (22500, ())


def test_facts_that_somebody_gives_for_one_server_are_taken_as_they_stand() -> None:
    assert free({**USED, "processes": [], "used_by": ["somebody"]}, None) == (2000, ("somebody",))
    assert free(USED, None)[0] == 2000


@pytest.mark.parametrize(
    ("capability", "expected"),
    [
        ("6.1", "older"),
        ("7.0", "volta"),
        ("8.6", "ampere"),
        ("8.9", "ada"),
        ("10.3", "blackwell_datacentre"),
        ("12.1", "blackwell_consumer"),
        ("13.0", None),
        (None, None),
        ("[N/A]", None),
    ],
)
def test_a_family_is_named_never_compared(capability: str | None, expected: str | None) -> None:
    assert family(Gpu("GPU", capability, 1)) == expected
