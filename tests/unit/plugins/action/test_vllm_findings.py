"""validate.yml as a person runs it: one table for all hosts, files for programs, and an exit code for CI."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from .as_a_person import play

GROUP = """
gpu_hosts:
  hosts: {gpu-01: , gpu-02: , gpu-03: }
  vars:
    # A connection that cannot be made: planning asks no host.
    ansible_connection: ssh
    ansible_host: host.invalid
    vllm_defaults: {image: "docker.io/vllm/vllm-openai:v0.26.0"}
    vllm_secrets: {hf: "{{ lookup('ansible.builtin.file', '/nonexistent') }}"}
    vllm_instances:
      qwen: {model: Qwen/Qwen3-0.6B, gpus: ["0"], secrets: {HF_TOKEN: hf}, settings: SETTINGS}
"""


def validate(folder: Path, settings: str, *options: str) -> subprocess.CompletedProcess[str]:
    inventory = folder / "hosts.yml"
    inventory.write_text(GROUP.replace("SETTINGS", settings), encoding="utf-8")
    return play(folder, "-i", str(inventory), "gpuops.vllm_fleet.validate", *options)


def test_a_fleet_without_a_mistake_passes_and_says_so(tmp_path: Path) -> None:
    done = validate(tmp_path, "{max_num_seqs: 4}")
    assert done.returncode == 0
    assert "on 3 hosts" in done.stdout
    assert "ERROR" not in done.stdout + done.stderr


def test_a_mistake_of_all_hosts_fails_the_run_after_it_was_told_once(tmp_path: Path) -> None:
    done = validate(tmp_path, "{max_num_seq: 4}")
    assert done.returncode != 0
    assert "ERROR   gpu-01 qwen, gpu-02 qwen, gpu-03 qwen" in done.stdout
    assert done.stdout.count("[unknown_option]") == 1
    assert "3 errors" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_the_findings_of_every_host_are_written_for_programs(tmp_path: Path) -> None:
    files = json.dumps({"vllm_findings_file": ["findings.json", "findings.sarif"]})
    done = validate(tmp_path, "{max_num_seq: 4}", "--check", "-e", files)
    assert done.returncode != 0
    found: list[dict[str, t.Any]] = json.loads((tmp_path / "findings.json").read_text())["findings"]
    errors = [each for each in found if each["severity"] == "error"]
    assert [(each["host"], each["code"]) for each in errors] == [
        ("gpu-01", "unknown_option"),
        ("gpu-02", "unknown_option"),
        ("gpu-03", "unknown_option"),
    ]
    assert errors[0]["origin"] == "vllm_instances.qwen.settings.max_num_seq"
    sarif = json.loads((tmp_path / "findings.sarif").read_text())
    assert len(sarif["runs"][0]["results"]) == len(found)


def test_the_next_release_is_asked_when_it_is_named(tmp_path: Path) -> None:
    done = validate(tmp_path, "{}", "-e", "vllm_target_version=0.33.0")
    assert done.returncode == 0
    assert "[upgrade_default_changed]" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-e", "vllm_findings_file=findings.txt"), "findings.txt must end in .json or .sarif"),
        (
            ("-e", "vllm_findings_file=/nonexistent/findings.json"),
            "/nonexistent/findings.json cannot be written",
        ),
    ],
)
def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    done = validate(tmp_path, "{}", *options)
    assert done.returncode != 0
    assert said in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stdout + done.stderr


def test_the_variables_of_the_rollout_are_judged_too(tmp_path: Path) -> None:
    wrong = {
        "vllm_canaries": ["gpu-1"],
        "vllm_batches": [],
        "vllm_failure_budget": "10%",
        "vllm_gate_from": "controler",
    }
    done = validate(tmp_path, "{max_num_seqs: 4}", "-e", json.dumps(wrong))
    assert done.returncode == 2
    for said in (
        "no host gpu-1",
        "vllm_batches is empty",
        "must be a number of hosts",
        "must be one of host",
    ):
        assert said in done.stdout
