"""Who holds a GPU: the processes that nvidia-smi lists, and the unit that systemd runs each of them in."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.gpu_processes import (
    GpuProcess,
    parse_processes,
    unit_of,
)

PAYLOAD = "0::/system.slice/vllm-qwen.service/libpod-payload-3f1\n"


def process(pid: str, name: str, memory: str) -> str:
    return (
        "<process_info><gpu_instance_id>N/A</gpu_instance_id><compute_instance_id>N/A</compute_instance_id>"
        f"<pid>{pid}</pid><type>C</type><process_name>{name}</process_name><used_memory>{memory}</used_memory>"
        "</process_info>"
    )


def parsed(proc: Path, *processes: str) -> tuple[GpuProcess, ...]:
    text = f"<gpu><processes>{''.join(processes)}</processes></gpu>"
    return parse_processes(ElementTree.fromstring(text), proc)


def test_a_process_is_told_with_its_name_its_memory_and_its_unit(tmp_path: Path) -> None:
    (tmp_path / "4711").mkdir()
    (tmp_path / "4711" / "cgroup").write_text(PAYLOAD)
    found = parsed(tmp_path, process("4711", "/usr/bin/python3 -m x", "20100 MiB"))
    assert found == (GpuProcess(4711, "python3", 20100, "vllm-qwen.service"),)


def test_what_nvidia_smi_does_not_tell_is_unknown(tmp_path: Path) -> None:
    found = parsed(tmp_path, process("4711", "", "N/A"), process("N/A", "x", "1 MiB"))
    assert found == (GpuProcess(4711, None, None, None),)
    assert parsed(tmp_path) == ()


@pytest.mark.parametrize(
    ("cgroup", "unit"),
    [
        (PAYLOAD, "vllm-qwen.service"),
        ("0::/system.slice/docker-3f1.scope\n", "docker-3f1.scope"),
        ("0::/user.slice/user-0.slice/user@0.service/app.slice/app-x.scope\n", "app-x.scope"),
        ("9:name=systemd:/system.slice/old.service\n0::/\n", "old.service"),
        ("0::/\n", None),
        ("", None),
    ],
)
def test_the_innermost_unit_counts(tmp_path: Path, cgroup: str, unit: str | None) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "cgroup").write_text(cgroup)
    assert unit_of("1", tmp_path) == unit


def test_a_process_that_is_gone_has_no_unit(tmp_path: Path) -> None:
    assert unit_of("1", tmp_path) is None
