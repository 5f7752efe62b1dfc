"""report.yml as a person runs it: the table, the files, the statistics of the run, and the exit code."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from .as_a_person import play

INVENTORY = """
gpu_hosts:
  hosts:
    gpu-01: {vllm_server_outcome: {qwen: {action: release, problem: "", instance: {model: m/m, release: 2},
             changes: [{what: env.API_KEY, before: null, after: hunter2}]}}}
    gpu-02: {PROBLEM}
  vars: {ansible_connection: ssh, ansible_host: host.invalid, vllm_fleet_name: lab}
"""
LOST = '__vllm_fleet_problem: "cannot be reached"'


def report(folder: Path, problem: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "hosts.yml").write_text(INVENTORY.replace("PROBLEM", problem), encoding="utf-8")
    command = ("-i", "hosts.yml", "gpuops.vllm_fleet.report", *options)
    return play(folder, *command, ANSIBLE_SHOW_CUSTOM_STATS="true")


def test_a_good_run_leaves_two_files_and_its_statistics(tmp_path: Path) -> None:
    done = report(tmp_path, "")
    assert done.returncode == 0, done.stdout + done.stderr
    written = {path.suffix: path for path in (tmp_path / "reports").iterdir()}
    assert set(written) == {".md", ".json"}
    found = json.loads(written[".json"].read_text())
    assert (found["schema"], found["fleet"], found["result"]) == (1, "lab", "good")
    assert written[".md"].read_text().startswith("# vLLM fleet: good\n")
    assert f"Report: {written['.md']}" in done.stdout
    assert '"vllm_report":' in done.stdout.partition("CUSTOM STATS")[2]
    assert "hunter2" not in done.stdout + written[".md"].read_text() + written[".json"].read_text()


def test_a_failed_run_writes_its_report_before_it_fails(tmp_path: Path) -> None:
    done = report(tmp_path, LOST, "-e", "vllm_report_dir=here/and/there")
    assert done.returncode == 2
    (text,) = [path.read_text() for path in (tmp_path / "here" / "and" / "there").glob("*.md")]
    assert "### gpu-02\n\n```text\ncannot be reached\n```" in text


def test_check_mode_says_so_in_the_name_of_the_file_and_in_it(tmp_path: Path) -> None:
    done = report(tmp_path, "", "--check")
    assert done.returncode == 0
    (path,) = (tmp_path / "reports").glob("*.md")
    assert path.stem.endswith("-check")
    assert "would release" in path.read_text()


@pytest.mark.parametrize(
    ("directory", "warning"),
    [("/dev/null/reports", "vllm_report_dir: no report in /dev/null/reports: Not a directory"), ("", "")],
)
def test_no_file_is_no_failure(tmp_path: Path, directory: str, warning: str) -> None:
    done = report(tmp_path, "", "-e", f"vllm_report_dir={directory}")
    said = " ".join(done.stderr.split())
    assert done.returncode == 0
    assert warning in said
    assert ("WARNING" in said) == bool(warning)
    assert not (tmp_path / "reports").exists()
