"""The nvidia-smi of the hosts tells who holds memory, and only those who live."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import nvidia_smi

HOSTS = Path(__file__).parents[2] / "hosts"
sys.path.insert(0, str(HOSTS))

from throwaway import gpus

DESCRIPTION = gpus.load("rtx4090x2").transcript.split("$ nvidia-smi -q -x\n")[1]
UUID = "GPU-44444444-0000-4000-8000-00000000000"


@pytest.fixture(scope="module")
def smi() -> ModuleType:
    path = HOSTS / "stand_ins/usr/local/bin/nvidia-smi"
    loader = importlib.machinery.SourceFileLoader("nvidia_smi_with_holders", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module  # dataclasses look their module up
    loader.exec_module(module)
    return module


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A server on GPU 1, a process, a zombie."""
    place = tmp_path / "proc"
    for pid, state in (("41", "S"), ("52", "S"), ("63", "Z")):
        (place / pid / "root/dev").mkdir(parents=True)
        (place / pid / "status").write_text(f"Name:\tx\nState:\t{state} (x)\n")
        (place / pid / "environ").write_bytes(b"A=1\0")
        (place / pid / "cmdline").write_bytes(b"sleep\0100\0")
    (place / "41/environ").write_bytes(b"VLLM_REHEARSAL=1\0A=2\0")
    (place / "41/cmdline").write_bytes(b"python3\0vllm\0serve\0m\0--gpu-memory-utilization\x000.5\0")
    (place / "41/root/dev/nvidia1").touch()
    return place


def test_a_server_that_rehearses_holds_its_share_of_the_gpus_in_its_container(
    smi: ModuleType, proc: Path
) -> None:
    found = list(smi.servers(smi.gpus_in(DESCRIPTION), proc))
    assert found == [smi.Holder(41, f"{UUID}1", 12282, "VLLM::EngineCore")]


def test_a_declared_holder_counts_as_long_as_it_lives(smi: ModuleType, proc: Path, tmp_path: Path) -> None:
    holders = tmp_path / "holders"
    holders.mkdir()
    for pid in ("52", "63", "74"):
        (holders / pid).write_text(f"gpu=0 mib=9000 name=train\nuuid={UUID}1 mib=100\n")
    found = list(smi.declared(proc, holders))
    assert found == [smi.Holder(52, "0", 9000, "train"), smi.Holder(52, f"{UUID}1", 100)]


def test_the_description_is_read_with_its_processes_and_less_free_memory(smi: ModuleType) -> None:
    text = smi.described(DESCRIPTION, [smi.Holder(52, f"{UUID}1", 9000, "/usr/bin/train")])
    first, second = nvidia_smi.parse_description(text).gpus
    assert (first.memory_free_mib, first.processes) == (24064, ())
    assert second.memory_free_mib == 24064 - 9000
    assert [(one.pid, one.name, one.used_memory_mib) for one in second.processes] == [(52, "train", 9000)]


def test_without_holders_the_recorded_description_stays(smi: ModuleType) -> None:
    assert smi.described(DESCRIPTION, []) == DESCRIPTION


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("csv,noheader,nounits", f"{UUID}0, 52, 9000\n"),
        ("csv", f"gpu_uuid, pid, used_memory [MiB]\n{UUID}0, 52, 9000 MiB\n"),
    ],
)
def test_processes_as_csv(smi: ModuleType, form: str, told: str) -> None:
    rows = smi.app_rows(smi.gpus_in(DESCRIPTION), [smi.Holder(52, "0", 9000)])
    assert smi.queried(["gpu_uuid", "pid", "used_memory"], rows, form) == told


def test_memory_by_gpu_as_csv(smi: ModuleType) -> None:
    rows = smi.gpu_rows(smi.gpus_in(DESCRIPTION), [smi.Holder(52, "0", 9000)])
    told = smi.queried(["uuid", "memory.free"], rows, "csv,noheader")
    assert told == f"{UUID}0, 15064 MiB\n{UUID}1, 24064 MiB\n"


@pytest.mark.parametrize(
    "asked",
    [["-L"], ["--query-gpu=fan.speed", "--format=csv"], ["--query-compute-apps=sm", "--format=csv"], []],
)
def test_any_other_command_is_left_to_the_recording(smi: ModuleType, asked: list[str]) -> None:
    assert smi.answer(asked, DESCRIPTION) is None
