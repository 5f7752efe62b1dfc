"""The module as a host runs it: programs on the PATH that answer as libselinux's own do, and fail for any other command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest

_STAND_IN = """#!{python}
import json, pathlib, sys
answers = json.loads(pathlib.Path(sys.argv[0] + ".json").read_text())
asked = " ".join(sys.argv[1:])
if asked not in answers:
    sys.exit("not recorded: " + asked)
sys.stdout.write(answers[asked][1])
sys.stderr.write(answers[asked][2])
sys.exit(answers[asked][0])
"""
BOOLEAN = "container_use_devices"
PODMAN = {"--version": [0, "podman version 5.4.2\n", ""]}
ENFORCING = {"": [0, "Enforcing\n", ""]}
OFF = {BOOLEAN: [0, f"{BOOLEAN} --> off\n", ""]}
MISSING = {BOOLEAN: [255, "", f"Error getting active value for {BOOLEAN}\n"]}
SET = {f"-P {BOOLEAN} on": [0, "", ""]}


def run_module(folder: Path, check: bool = False, **options: t.Any) -> dict[str, t.Any]:
    arguments = {"_ansible_remote_tmp": str(folder), "_ansible_check_mode": check, **options}
    done = subprocess.run(
        [sys.executable, "-m", "ansible_collections.gpuops.vllm_fleet.plugins.modules.podman_selinux"],
        input=json.dumps({"ANSIBLE_MODULE_ARGS": arguments}),
        env={**os.environ, "PATH": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    answer: dict[str, t.Any] = json.loads(done.stdout)
    return answer


def host(folder: Path, **programs: t.Any) -> Path:
    for name, answers in programs.items():
        (folder / name).write_text(_STAND_IN.format(python=sys.executable), encoding="utf-8")
        (folder / name).chmod(0o755)
        (folder / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    return folder


def test_without_servers_nothing_is_asked(tmp_path: Path) -> None:
    answer = run_module(host(tmp_path, getenforce={}))
    assert (answer["changed"], answer["mode"], answer["findings"]) == (False, "disabled", [])


@pytest.mark.parametrize("check", [True, False])
def test_an_enforcing_host_gets_the_boolean_and_check_mode_says_the_same(tmp_path: Path, check: bool) -> None:
    programs = {"setsebool": {} if check else SET}
    answer = run_module(
        host(tmp_path, podman=PODMAN, getenforce=ENFORCING, getsebool=OFF, **programs),
        check,
        servers=["qwen"],
    )
    assert answer["changed"], answer
    assert answer["actions"] == [f"setsebool -P {BOOLEAN} on"]
    assert answer["diff"][0]["after"] == "on\n"
    assert "warnings" not in answer


def test_the_opt_out_only_warns(tmp_path: Path) -> None:
    answer = run_module(host(tmp_path, getenforce=ENFORCING, getsebool=OFF), servers=["qwen"], set=False)
    assert not answer["changed"]
    assert [each["code"] for each in answer["findings"]] == ["selinux_boolean_off"]
    assert "qwen may not open /dev/nvidia*" in str(answer["warnings"])


def test_a_policy_without_the_boolean_is_a_warning(tmp_path: Path) -> None:
    answer = run_module(
        host(tmp_path, podman=PODMAN, getenforce=ENFORCING, getsebool=MISSING), servers=["qwen"]
    )
    assert not answer["changed"]
    assert "update the package container-selinux" in str(answer["warnings"])


def test_a_bare_host_says_in_check_mode_when_more_is_known(tmp_path: Path) -> None:
    answer = run_module(host(tmp_path, getenforce=ENFORCING, getsebool=MISSING), check=True, servers=["qwen"])
    assert (answer["changed"], answer["known_after"], answer["findings"]) == (True, "Podman is installed", [])


def test_a_host_without_selinux_is_left_alone(tmp_path: Path) -> None:
    answer = run_module(host(tmp_path), servers=["qwen"])
    assert (answer["changed"], answer["mode"]) == (False, "disabled")
