"""What a container sees of its GPUs is compared with the spec and with the host; the program really runs."""

from __future__ import annotations

import subprocess
import sys
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.proof import (
    PROGRAM,
    expected_nodes,
    judge,
    parse,
)

UUID = "GPU-11111111-0000-4000-8000-000000000001"
LISTED = f"GPU 0: NVIDIA H100 80GB HBM3 (UUID: {UUID})\n"
HOST = {"/dev/nvidia0": (195, 0), "/dev/nvidia1": (195, 1), "/dev/nvidia-uvm": (510, 0)}
NODES = {"/dev/nvidia1": [195, 1, True], "/dev/nvidia-uvm": [510, 0, True]}


@pytest.mark.parametrize(
    ("seen", "found"),
    [
        ({}, {}),
        ({"uuids": LISTED, "cuda": 0}, {}),
        ({"nodes": {"/dev/nvidia1": [195, 1, True]}}, {"proof_node_missing": "no /dev/nvidia-uvm"}),
        ({"nodes": {**NODES, "/dev/nvidia0": [195, 0, True]}}, {"proof_node_too_many": "has /dev/nvidia0"}),
        ({"nodes": {**NODES, "/dev/nvidia-uvm": [508, 0, True]}}, {"proof_node_differs": "508:0 in the container and 510:0"}),
        ({"nodes": {**NODES, "/dev/nvidia-uvm": [510, 0, False]}}, {"proof_node_denied": "may not open /dev/nvidia-uvm"}),
        ({"nodes": {**NODES, "/dev/nvidia-uvm": [None, None, False]}}, {"proof_node_denied": "may not open /dev/nvidia-uvm"}),
        ({"cuda": 999}, {"proof_cuda_fails": "wrong device number of /dev/nvidia-uvm"}),
        ({"cuda": 803}, {"proof_cuda_fails": "podman_cdi_disabled_hooks"}),
        ({"cuda": 7}, {"proof_cuda_fails": "error 7"}),
        ({"cuda": "libcuda.so.1: cannot open"}, {"proof_cuda_fails": "libcuda.so.1: cannot open"}),
        ({"uuids": "No devices found.\n"}, {"proof_gpu_missing": f"does not list {UUID}; it says: No devices found."}),
    ],
)  # fmt: skip
def test_a_container_has_exactly_what_it_asked_for(seen: dict[str, t.Any], found: dict[str, str]) -> None:
    whole = {"nodes": NODES, "uuids": None, "cuda": None, **seen}
    findings = judge(whole, {"/dev/nvidia1", "/dev/nvidia-uvm", "/dev/dri/card1"}, HOST, [UUID])
    assert {each.code for each in findings} == set(found)
    assert all(words in findings[0].message for words in found.values())


def test_the_nodes_to_expect_are_the_common_ones_and_those_of_the_devices() -> None:
    spec = {
        "devices": [
            {"name": name, "containerEdits": {"deviceNodes": [{"path": f"/dev/nvidia{name}"}]}}
            for name in "01"
        ],
        "containerEdits": {"deviceNodes": [{"path": "/dev/nvidia-uvm"}]},
    }
    assert expected_nodes(spec, ["1"]) == {"/dev/nvidia1", "/dev/nvidia-uvm"}


@pytest.mark.parametrize("driver", ["driver", "no-driver"])
def test_the_program_tells_what_it_sees_wherever_it_runs(driver: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, driver], capture_output=True, text=True, check=True)
    seen = parse("something else\n" + done.stdout)
    assert seen is not None
    assert set(seen) == {"nodes", "uuids", "cuda"}
    assert (seen["cuda"] is None) == (driver == "no-driver")


def test_a_container_that_printed_nothing_of_that_has_proven_nothing() -> None:
    assert parse("Traceback\n") is None


def test_a_node_that_may_not_be_opened_leads_to_selinux_with_the_boolean_before_the_opt_out() -> None:
    whole = {"nodes": {**NODES, "/dev/nvidia-uvm": [510, 0, False]}, "uuids": None, "cuda": None}
    fix = judge(whole, set(NODES), HOST, [UUID])[0].fix or ""
    assert -1 < fix.index("container_use_devices") < fix.index("label_disable")
