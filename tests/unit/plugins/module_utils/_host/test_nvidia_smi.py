"""Every recorded state of nvidia-smi, good and bad, becomes data or a problem with its remedy.

The samples are the real nvidia-smi 550.163.01 over a simulated NVML; the numbers in them are invented, the form is not.
"""

from __future__ import annotations

import dataclasses
import json
import lzma
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.nvidia_smi import (
    CAPABILITIES,
    DESCRIBE,
    LIST,
    MigDevice,
    capability_of,
    gpus,
    parse_description,
)

_SAMPLES = json.loads(
    lzma.decompress((Path(__file__).parents[4] / "fixtures" / "nvidia_smi" / "samples.json.xz").read_bytes())
)
PROFILES, STATES = _SAMPLES["profiles"], _SAMPLES["states"]


class Recorded:
    """A ``run`` that replays recorded answers by the exact command, and fails for any other."""

    def __init__(self, answers: t.Mapping[str, t.Mapping[str, t.Any]]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, *command: str, env: t.Mapping[str, str] | None = None) -> Completed:
        self.asked.append(command)
        answer = self.answers[" ".join(command)]
        return Completed(command, answer["rc"], answer["stdout"], "")


def edited(profile: str, old: str, new: str) -> Recorded:
    """A recording in which something in the description is another."""
    described = PROFILES[profile]["nvidia-smi -q -x"]["stdout"]
    assert old in described
    changed = {"rc": 0, "stdout": described.replace(old, new)}
    return Recorded({**PROFILES[profile], "nvidia-smi -q -x": changed})


@pytest.mark.parametrize(
    ("profile", "count", "name", "capability", "total", "mig"),
    [
        ("a100-80x8", 8, "NVIDIA A100-SXM4-80GB", "8.0", 81920, "disabled"),
        ("a100mig", 2, "NVIDIA A100-SXM4-80GB", "8.0", 81920, "enabled"),
        ("gb10x1", 1, "NVIDIA GB10", "12.1", None, None),
        ("h100x4", 4, "NVIDIA H100 80GB HBM3", "9.0", 81920, "disabled"),
        ("h200x8", 8, "NVIDIA H200", "9.0", 143771, "disabled"),
        ("l4x1", 1, "NVIDIA L4", "8.9", 23034, None),
        ("rtx4090x2", 2, "NVIDIA GeForce RTX 4090", "8.9", 24564, None),
        ("rtx5090x1", 1, "NVIDIA GeForce RTX 5090", "12.0", 32607, None),
        ("v100x4", 4, "Tesla V100-SXM2-32GB", "7.0", 32768, None),
    ],
)
def test_the_gpus_of_every_sample_are_told(
    profile: str, count: int, name: str, capability: str, total: int | None, mig: str | None
) -> None:
    found = gpus(Recorded(PROFILES[profile]))
    assert found.problem is None
    assert [gpu.index for gpu in found.gpus] == list(range(count))
    assert len({gpu.uuid for gpu in found.gpus}) == count
    first = found.gpus[0]
    assert (first.name, first.compute_capability, first.memory_total_mib, first.mig_mode) == (
        name,
        capability,
        total,
        mig,
    )


def test_every_sample_is_covered() -> None:
    assert len(PROFILES) == 9


def test_the_uuids_are_those_that_nvidia_smi_lists() -> None:
    for profile in PROFILES.values():
        listed = profile["nvidia-smi -L"]["stdout"]
        for gpu in gpus(Recorded(profile)).gpus:
            assert f"GPU {gpu.index}: {gpu.name} (UUID: {gpu.uuid})" in listed


@pytest.mark.parametrize("profile", ["a100-80x8", "h200x8", "l4x1"])
def test_the_number_of_calls_does_not_grow_with_the_gpus(profile: str) -> None:
    run = Recorded(PROFILES[profile])
    gpus(run)
    assert run.asked == [DESCRIBE, CAPABILITIES]


def test_mig_devices_are_told_with_the_names_that_cdi_gives_them() -> None:
    run = Recorded(PROFILES["a100mig"])
    found = gpus(run)
    assert run.asked == [DESCRIBE, CAPABILITIES, LIST]
    assert found.gpus[0].mig_devices == (
        MigDevice("0:0", "MIG-aaaaaaaa-0000-5000-8000-000000000001", "3g.40gb", 40192),
        MigDevice("0:1", "MIG-aaaaaaaa-0000-5000-8000-000000000002", "3g.40gb", 40192),
    )
    assert found.gpus[1].mig_devices == ()


def test_driver_and_cuda_are_told() -> None:
    found = gpus(Recorded(PROFILES["rtx5090x1"]))
    assert (found.driver_version, found.cuda_version) == ("580.95.05", "13.0")


def test_a_driver_too_old_for_compute_cap_is_helped_out_by_the_name() -> None:
    refused = {"rc": 2, "stdout": 'Field "compute_cap" is not a valid field to query.\n'}
    found = gpus(Recorded({**PROFILES["v100x4"], " ".join(CAPABILITIES): refused}))
    assert [gpu.compute_capability for gpu in found.gpus] == ["7.0"] * 4
    assert found.problem is None


@pytest.mark.parametrize(
    ("name", "capability"),
    [
        ("NVIDIA GB10", "12.1"),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "12.0"),
        ("NVIDIA GeForce RTX 5060 Ti", "12.0"),
        ("NVIDIA B300 SXM6 AC", "10.3"),
        ("NVIDIA GB200", "10.0"),
        ("NVIDIA B200", "10.0"),
        ("NVIDIA GH200 480GB", "9.0"),
        ("NVIDIA H20", "9.0"),
        ("NVIDIA L40S", "8.9"),
        ("NVIDIA RTX 6000 Ada Generation", "8.9"),
        ("NVIDIA A10G", "8.6"),
        ("NVIDIA RTX A6000", "8.6"),
        ("NVIDIA A30", "8.0"),
        ("Tesla T4", "7.5"),
        ("NVIDIA TITAN V", "7.0"),
        ("Tesla P40", "6.1"),
        ("Tesla P100-PCIE-16GB", "6.0"),
        ("NVIDIA X999", None),
        (None, None),
    ],
)
def test_the_capability_of_a_product_is_known_by_its_name(name: str | None, capability: str | None) -> None:
    assert capability_of(name) == capability


@pytest.mark.parametrize(
    ("state", "code", "fix"),
    [
        ("NOT_SUPPORTED", "not_supported", "vGPU"),
        ("NO_PERMISSION", "no_permission", "/dev/nvidiactl"),
        ("DRIVER_NOT_LOADED", "driver_not_loaded", "modprobe nvidia"),
        ("LIBRARY_NOT_FOUND", "library_missing", "libnvidia-ml1"),
        ("FUNCTION_NOT_FOUND", "library_too_old", "one version"),
        ("GPU_IS_LOST", "gpu_lost", "Xid 79"),
        ("LIB_RM_VERSION_MISMATCH", "reboot_needed", "reboot"),
        ("IN_USE", "in_use", "fuser"),
        ("UNKNOWN", "unknown", "reboot"),
        ("Uninitialized", "unknown", "reboot"),
        ("NO_DEVICES", "no_devices", "lspci"),
        ("REAL-no-driver-loaded", "driver_not_loaded", "modprobe"),
        ("REAL-no-libnvidia-ml", "library_missing", "libnvidia-ml1"),
    ],
)
def test_every_bad_state_is_a_problem_with_its_remedy(state: str, code: str, fix: str) -> None:
    found = gpus(Recorded({" ".join(DESCRIBE): STATES[state]}))
    assert found.gpus == ()
    assert found.problem is not None
    assert found.problem.code == code
    assert fix in found.problem.fix


def test_every_bad_state_is_covered() -> None:
    assert len(STATES) == 13


def test_an_unknown_failure_keeps_the_programs_own_words() -> None:
    found = gpus(Recorded({" ".join(DESCRIBE): STATES["UNKNOWN"]}))
    assert "exit code 255: Failed to initialize NVML: Unknown Error" in (
        found.problem.message if found.problem else ""
    )


def test_a_host_without_nvidia_smi_is_an_answer() -> None:
    found = gpus(Recorded({" ".join(DESCRIBE): {"rc": 127, "stdout": ""}}))
    assert found.problem is not None
    assert found.problem.code == "nvidia_smi_missing"


@pytest.mark.parametrize("text", ["", "No devices were found\n", "<html></html>", "<nvidia_smi_log>"])
def test_output_that_is_no_description_is_a_problem_and_no_traceback(text: str) -> None:
    assert gpus(Recorded({" ".join(DESCRIBE): {"rc": 0, "stdout": text}})).problem is not None


@pytest.mark.parametrize(
    "word",
    ["N/A", "[N/A]", "[Not Supported]", "[Insufficient Permissions]", "[Unknown Error]", "GPU is lost"],
)
def test_every_word_for_not_known_is_null(word: str) -> None:
    assert (
        gpus(edited("l4x1", "<total>23034 MiB</total>", f"<total>{word}</total>")).gpus[0].memory_total_mib
        is None
    )
    assert gpus(edited("l4x1", "<product_name>NVIDIA L4<", f"<product_name>{word}<")).gpus[0].name is None


def test_a_gpu_that_is_lost_while_others_answer_is_a_problem() -> None:
    described = PROFILES["rtx4090x2"]["nvidia-smi -q -x"]["stdout"]
    uuid = parse_description(described).gpus[1].uuid
    head, tail = described.split('<gpu id="00000000:2D:00.0">')
    tail = tail.replace(str(uuid), "GPU is lost").replace("24564 MiB", "GPU is lost")
    lost = {"rc": 0, "stdout": f'{head}<gpu id="00000000:2D:00.0">{tail}'}
    found = gpus(Recorded({**PROFILES["rtx4090x2"], " ".join(DESCRIBE): lost}))
    assert found.problem is not None
    assert found.problem.code == "gpu_lost"
    assert len(found.gpus) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<state>Completed</state>", "<state>In Progress</state>"),
        ("<status>Success</status>", "<status>Insufficient Resources</status>"),
    ],
)
def test_a_fabric_that_is_not_ready_is_a_problem_though_every_gpu_is_listed(old: str, new: str) -> None:
    found = gpus(edited("h200x8", old, new))
    assert found.problem is not None
    assert found.problem.code == "fabric_not_ready"
    assert len(found.gpus) == 8


def test_a_pci_domain_that_is_not_zero_is_kept() -> None:
    found = gpus(edited("gb10x1", "<pci_bus_id>00000000:17:00.0", "<pci_bus_id>0000000F:01:00.0"))
    assert found.gpus[0].pci_bus_id == "0000000F:01:00.0"


def test_the_result_can_be_written_as_json() -> None:
    assert json.dumps(dataclasses.asdict(gpus(Recorded(PROFILES["a100mig"]))))
