"""The module as a host runs it: programs on the PATH that replay recorded answers, and fail for any other command."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from .as_on_a_host import run_module, stand_in

_FIXTURES = Path(__file__).parents[3] / "fixtures"
_SAMPLES = json.loads(lzma.decompress((_FIXTURES / "nvidia_smi" / "samples.json.xz").read_bytes()))
PODMAN = {"podman --version": {"rc": 0, "stdout": "podman version 5.4.2\n"}}


def test_a_bare_host_fails_with_what_to_install_and_in_check_mode_says_when_more_is_known(
    tmp_path: Path,
) -> None:
    answer = run_module("podman_cdi", tmp_path)
    assert answer["failed"]
    assert "install it first (role podman)" in answer["msg"]
    answer = run_module("podman_cdi", tmp_path, check=True)
    assert answer["changed"]
    assert answer["known_after"] == "Podman is installed"


def test_a_host_without_gpus_is_an_answer_where_none_is_planned(tmp_path: Path) -> None:
    stand_in(tmp_path, "podman", PODMAN)
    answer = run_module("podman_cdi", tmp_path)
    assert not answer.get("failed")
    assert answer["ready"] is answer["changed"] is False
    assert answer["findings"][0]["code"] == "nvidia_smi_missing"
    answer = run_module("podman_cdi", tmp_path, devices=["nvidia.com/gpu=0"])
    assert answer["failed"]
    assert "To repair it: install the driver" in answer["msg"]


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("LIB_RM_VERSION_MISMATCH", "reboot_needed"),
        ("DRIVER_NOT_LOADED", "driver_not_loaded"),
        ("LIBRARY_NOT_FOUND", "library_missing"),
        ("GPU_IS_LOST", "gpu_lost"),
        ("NO_PERMISSION", "no_permission"),
    ],
)
def test_a_driver_that_cannot_be_used_is_a_failure_with_its_remedy(
    tmp_path: Path, state: str, code: str
) -> None:
    stand_in(tmp_path, "podman", PODMAN)
    stand_in(tmp_path, "nvidia-smi", {"nvidia-smi -q -x": _SAMPLES["states"][state]})
    answer = run_module("podman_cdi", tmp_path)
    assert answer["failed"]
    assert [each["code"] for each in answer["findings"]] == [code]
    assert answer["actions"] == []
    assert set(answer["findings"][0]) >= {"severity", "stage", "host", "message", "fix"}
