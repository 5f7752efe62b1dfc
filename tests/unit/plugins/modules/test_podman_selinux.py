"""The module as a host runs it: programs on the PATH that answer as libselinux's own do, and fail for any other command."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from .as_on_a_host import run_module, stand_in

BOOLEAN = "container_use_devices"
PODMAN = {"podman --version": {"rc": 0, "stdout": "podman version 5.4.2\n"}}
ENFORCING = {"getenforce": {"rc": 0, "stdout": "Enforcing\n"}}
OFF = {f"getsebool {BOOLEAN}": {"rc": 0, "stdout": f"{BOOLEAN} --> off\n"}}
MISSING = {f"getsebool {BOOLEAN}": {"rc": 255, "stderr": f"Error getting active value for {BOOLEAN}\n"}}
SET = {f"setsebool -P {BOOLEAN} on": {"rc": 0}}


def host(folder: Path, **programs: t.Any) -> Path:
    for name, answers in programs.items():
        stand_in(folder, name, answers)
    return folder


def test_without_servers_nothing_is_asked(tmp_path: Path) -> None:
    answer = run_module("podman_selinux", host(tmp_path, getenforce={}))
    assert (answer["changed"], answer["mode"], answer["findings"]) == (False, "disabled", [])


@pytest.mark.parametrize("check", [True, False])
def test_an_enforcing_host_gets_the_boolean_and_check_mode_says_the_same(tmp_path: Path, check: bool) -> None:
    programs = {"setsebool": {} if check else SET}
    answer = run_module(
        "podman_selinux",
        host(tmp_path, podman=PODMAN, getenforce=ENFORCING, getsebool=OFF, **programs),
        check=check,
        servers=["qwen"],
    )
    assert answer["changed"], answer
    assert answer["actions"] == [f"setsebool -P {BOOLEAN} on"]
    assert answer["diff"][0]["after"] == "on\n"
    assert "warnings" not in answer


def test_the_opt_out_only_warns(tmp_path: Path) -> None:
    answer = run_module(
        "podman_selinux", host(tmp_path, getenforce=ENFORCING, getsebool=OFF), servers=["qwen"], set=False
    )
    assert not answer["changed"]
    assert [each["code"] for each in answer["findings"]] == ["selinux_boolean_off"]
    assert "qwen may not open /dev/nvidia*" in str(answer["warnings"])


def test_a_policy_without_the_boolean_is_a_warning(tmp_path: Path) -> None:
    answer = run_module(
        "podman_selinux",
        host(tmp_path, podman=PODMAN, getenforce=ENFORCING, getsebool=MISSING),
        servers=["qwen"],
    )
    assert not answer["changed"]
    assert "update the package container-selinux" in str(answer["warnings"])


def test_a_bare_host_says_in_check_mode_when_more_is_known(tmp_path: Path) -> None:
    answer = run_module(
        "podman_selinux",
        host(tmp_path, getenforce=ENFORCING, getsebool=MISSING),
        check=True,
        servers=["qwen"],
    )
    assert (answer["changed"], answer["known_after"], answer["findings"]) == (True, "Podman is installed", [])


def test_a_host_without_selinux_is_left_alone(tmp_path: Path) -> None:
    answer = run_module("podman_selinux", host(tmp_path), servers=["qwen"])
    assert (answer["changed"], answer["mode"]) == (False, "disabled")
