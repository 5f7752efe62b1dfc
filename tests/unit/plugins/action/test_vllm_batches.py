"""Batches as a play gets them: from the variables of all hosts, and what earlier plays noted of them."""

from __future__ import annotations

import json
from pathlib import Path

from .as_a_person import play

INVENTORY = """
gpu_hosts:
  hosts: {gpu-01: , gpu-02: , gpu-03: }
  vars:
    vllm_instances:
      qwen: {model: Qwen/Qwen3-0.6B, image: "docker.io/vllm/vllm-openai:v0.26.0", gpus: ["0"]}
"""
PLAY = """
- hosts: gpu_hosts
  gather_facts: false
  tasks:
    - ansible.builtin.set_fact: {__vllm_fleet_problem: it has no disk}
      when: inventory_hostname in troubled
    - gpuops.vllm_fleet.vllm_batches:
        hosts: "{{ ansible_play_hosts_all }}"
        canaries: "{{ vllm_canaries | default(omit) }}"
      register: cut
      run_once: true
    - ansible.builtin.debug: {msg: "CUT {{ cut.batches | to_json }}"}
      run_once: true
"""


def cut(folder: Path, **variables: object) -> str:
    (folder / "hosts.yml").write_text(INVENTORY, encoding="utf-8")
    (folder / "play.yml").write_text(PLAY, encoding="utf-8")
    done = play(folder, "-i", "hosts.yml", "play.yml", "-e", json.dumps(variables))
    return (done.stdout + done.stderr).replace("\\", "")


def test_a_host_with_a_problem_is_no_canary_and_still_there_to_spend_the_budget(tmp_path: Path) -> None:
    assert 'CUT [["gpu-02"], ["gpu-03"], ["gpu-01"]]' in cut(tmp_path, troubled=["gpu-01"])


def test_a_canary_that_no_inventory_has_ends_the_run_and_names_the_nearest(tmp_path: Path) -> None:
    said = cut(tmp_path, troubled=[], vllm_canaries=["gpu-1"])
    assert "the inventory has no host gpu-1; did you mean gpu-01?" in said
    assert "CUT" not in said
