"""The fleet in inventories/example validates, as the README promises, and warns of what is known to go wrong."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan

from . import planned

EXAMPLE = Path(__file__).parents[2] / "inventories" / "example"
INSTANCES = {
    "gpu-01.example.com": {"qwen"},
    "gpu-02.example.com": {"qwen"},
    "gpu-03.example.com": {"moe"},
    "gpu-04.example.com": {"large"},
    "gpu-05.example.com": {"chat", "embed"},
}


@functools.cache
def plans() -> dict[str, HostPlan]:
    return planned.plans(EXAMPLE)


def option(host: str, instance: str, name: str) -> tuple[str, ...]:
    return plans()[host].instances[instance].option(name)


def test_every_host_is_planned() -> None:
    assert {host: set(plan.instances) for host, plan in plans().items()} == INSTANCES


@pytest.mark.parametrize("host", INSTANCES)
def test_nothing_is_wrong_with_any_host(host: str) -> None:
    assert [finding for finding in plans()[host].findings if finding.severity == "error"] == []


def test_the_draft_is_planned_as_it_is_asked_for() -> None:
    host = "gpu-01.example.com"
    assert option(host, "qwen", "--kv-cache-dtype") == ("fp8",)
    assert option(host, "qwen", "--max-num-seqs") == ("32",)
    assert option(host, "qwen", "--gpu-memory-utilization") == ("0.9",)
    assert option(host, "qwen", "--speculative-config") == (
        '{"method":"dflash","model":"z-lab/Qwen3.6-35B-A3B-DFlash","num_speculative_tokens":8}',
    )


def test_the_draft_comes_with_what_is_known_to_go_wrong_with_drafts() -> None:
    said = {finding.code for finding in plans()["gpu-01.example.com"].findings}
    assert said >= {"draft_belongs_to_target", "draft_attention_backend"}


def test_one_host_overrides_one_key_and_nothing_else() -> None:
    assert option("gpu-02.example.com", "qwen", "--max-num-seqs") == ("8",)
    first, second = (list(plans()[host].instances["qwen"].argv or ()) for host in list(INSTANCES)[:2])
    assert [pair for pair in zip(first, second) if pair[0] != pair[1]] == [("32", "8")]


def test_experts_go_to_the_cpu_and_a_model_over_two_gpus() -> None:
    assert option("gpu-03.example.com", "moe", "--cpu-offload-params") == ("experts",)
    assert option("gpu-04.example.com", "large", "--tensor-parallel-size") == ("2",)
    assert plans()["gpu-04.example.com"].instances["large"].devices == (
        "nvidia.com/gpu=0",
        "nvidia.com/gpu=1",
    )
