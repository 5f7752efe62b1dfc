"""A plan with facts inside Ansible: what a host adds is shown once, and an inventory may bring the facts itself."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

from .as_a_person import ROOT, play

CONFIG = json.loads((ROOT / "tests" / "fixtures" / "fit" / "models.json").read_text())["Llama-3.1-8B"]
MODEL = "meta-llama/Llama-3.1-8B"
L4 = {"index": 0, "name": "NVIDIA L4", "compute_capability": "8.9", "memory_total_mib": 23034}
VARIABLES: dict[str, t.Any] = {
    # A connection that cannot be made: planning asks no host.
    "ansible_connection": "ssh",
    "ansible_host": "host.invalid",
    "vllm_instances": {
        "llama": {
            "model": MODEL,
            "image": "docker.io/vllm/vllm-openai:v0.26.0",
            "gpus": ["0"],
            "env": {"HF_TOKEN": "open"},
            "settings": {"max_model_len": 30000},
        }
    },
    "vllm_model_facts": {MODEL: {"config": CONFIG, "tensors": {"total_bytes": 16060522496}}},
}
PLAYBOOK = [
    {
        "name": "Plan twice",
        "hosts": "gpu_hosts",
        "gather_facts": False,
        "tasks": [
            {"name": "First", "gpuops.vllm_fleet.vllm_plan": {}, "register": "first"},
            {
                "name": "Second",
                "gpuops.vllm_fleet.vllm_plan": {
                    "host_facts": {"gpu_facts": [L4], "driver_version": "580.95.05"},
                    "told": "{{ first.findings }}",
                },
                "register": "second",
            },
            {
                "name": "Say what came of it",
                "ansible.builtin.debug": {
                    "msg": "fit={{ second.instances.llama.fit.outcome }} {{ first.models }}"
                },
            },
        ],
    }
]


def run(folder: Path, playbook: str, **variables: t.Any) -> subprocess.CompletedProcess[str]:
    hosts = {"gpu_hosts": {"hosts": {"gpu-01": {**VARIABLES, **variables}}}}
    (folder / "hosts.json").write_text(json.dumps(hosts), encoding="utf-8")
    (folder / "twice.json").write_text(json.dumps(PLAYBOOK), encoding="utf-8")
    return play(folder, "-i", str(folder / "hosts.json"), playbook)


def test_a_warning_that_the_facts_of_a_host_add_is_shown_and_what_was_told_is_not(tmp_path: Path) -> None:
    done = run(tmp_path, "twice.json")
    assert done.returncode == 0, done.stdout
    assert "[kv_cache_too_small_for_max_model_len]" in done.stdout
    assert "[secret_in_env]" not in done.stdout
    assert "fit=does not fit" in done.stdout
    assert "'model': 'meta-llama/Llama-3.1-8B', 'revision': None" in done.stdout


def test_an_inventory_with_facts_is_refused_before_any_host_is_asked(tmp_path: Path) -> None:
    small = {"vllm_instances": {"llama": {**VARIABLES["vllm_instances"]["llama"], "settings": {}}}}
    done = run(
        tmp_path, "gpuops.vllm_fleet.validate", vllm_gpu_facts=[{**L4, "memory_total_mib": 16376}], **small
    )
    assert done.returncode != 0
    assert "[no_memory_for_kv_cache]" in done.stdout + done.stderr
