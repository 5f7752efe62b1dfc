"""Whatever an inventory holds, planning ends in findings and never in a traceback."""

from __future__ import annotations

import copy
import random
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.report import (
    format_findings,
    to_json,
    to_sarif,
)

GOOD: dict[str, t.Any] = {
    "vllm_defaults": {"image": "a/vllm:v0.26.0", "settings": {"gpu_memory_utilization": 0.4}},
    "vllm_instances": {
        "chat": {
            "model": {"repo": "Qwen/Qwen3-0.6B", "revision": "main"},
            "port": 8000,
            "listen": "127.0.0.1",
            "gpus": ["0"],
            "env": {"A": "1"},
            "secrets": {"HF_TOKEN": "hf"},
            "volumes": ["/a:/b:ro"],
            "limits": {"shm": "8g", "pids": 100, "memlock": "unlimited"},
            "security": {"label_disable": True},
            "container": {"HostName": "chat", "AddHost": ["a:1.2.3.4"]},
            "gate": {"kind": "chat", "timeout": 60},
            "settings": {
                "max_num_seqs": 4,
                "speculative_config": {
                    "method": "ngram",
                    "num_speculative_tokens": 4,
                    "prompt_lookup_max": 2,
                },
                "served_model_name": ["a", "b"],
            },
        },
        "pasted": {
            "argv": "m/m --max-num-seqs 4 --port 8001",
            "port": 8001,
            "gpus": ["1"],
            "version": "0.26.0",
        },
    },
    "vllm_overrides": {"chat": {"settings": {"max_num_seqs": 8}}},
    "vllm_known_names": ["my_parser"],
    "vllm_advice": True,
    "vllm_gpu_facts": [
        {
            "index": 0,
            "uuid": "GPU-x",
            "name": "NVIDIA H100 80GB HBM3",
            "compute_capability": "9.0",
            "memory_total_mib": 81559,
            "memory_free_mib": 80000,
            "processes": [{"pid": 1, "name": "x", "used_memory_mib": 900, "unit": "vllm-chat.service"}],
        },
        {"index": 1, "mig_devices": [{"name": "1:0", "uuid": "MIG-x", "memory_total_mib": 40192}]},
    ],
    "vllm_model_facts": {
        "Qwen/Qwen3-0.6B": {
            "config": {
                "architectures": ["Qwen3NextForCausalLM"],
                "model_type": "qwen3_next",
                "num_hidden_layers": 8,
                "full_attention_interval": 4,
                "num_attention_heads": 16,
                "num_key_value_heads": 2,
                "head_dim": 256,
                "hidden_size": 2048,
                "vocab_size": 151936,
                "max_position_embeddings": 262144,
                "linear_num_key_heads": 16,
                "linear_num_value_heads": 32,
                "linear_key_head_dim": 128,
                "linear_value_head_dim": 128,
                "linear_conv_kernel_dim": 4,
                "num_experts": 64,
                "moe_intermediate_size": 512,
                "rope_parameters": {"rope_type": "yarn", "factor": 4.0},
                "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
            },
            "tensors": {
                "complete": True,
                "groups": [
                    {"name": "a.experts.*", "dtype": "U8", "bytes": 9000000, "count": 4, "part": "expert"},
                    {"name": "b.layers.*.x", "dtype": "BF16", "bytes": 90, "count": 4, "part": "layer"},
                ],
            },
            "problem": {"code": "half_downloaded", "message": "x", "fix": "y"},
        },
        "m/m": {"config": {"model_type": "llama", "num_key_value_heads": 2}, "tensors": {"total_bytes": 1}},
    },
}
JUNK: tuple[t.Any, ...] = (
    None, True, False, 0, -1, 60, 8000, 10**30, 0.26, float("nan"), float("inf"), "", " ", "x", "0", "1:0", "all", "{{ x }}",
    "--port", "a b", "\x00", "ü\n", "x" * 5000, [], [None], [1, "a"], [[]], [{}], [{1: 2, "a": [{None: 3, "b": 4}]}], {}, {"a": 1}, {1: 2}, {None: None},
    {"": {"": ""}}, {"a.b": {"c": []}}, {".": 1}, {"-": 1},
)  # fmt: skip


def places(tree: t.Any, path: tuple[t.Any, ...] = ()) -> t.Iterator[tuple[t.Any, ...]]:
    """Every place of a tree where something else could stand."""
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in children:
        yield (*path, key)
        yield from places(value, (*path, key))


def spoiled(tree: dict[str, t.Any], path: tuple[t.Any, ...], junk: t.Any) -> dict[str, t.Any]:
    """The tree with something else at one place."""
    copied = copy.deepcopy(tree)
    inner: t.Any = copied
    for key in path[:-1]:
        if not isinstance(inner, (dict, list)):
            return copied
        try:
            inner = inner[key]
        except (KeyError, IndexError, TypeError):
            return copied
    if isinstance(inner, dict) or (isinstance(inner, list) and path[-1] in range(len(inner))):
        inner[path[-1]] = copy.deepcopy(junk)
    return copied


JUDGED: dict[str, t.Any] = {}  # what is spoiled beside the settings need not be judged again


def look_at(variables: dict[str, t.Any], facts: HostFacts) -> None:
    plan = plan_host(variables, ("hf",), facts, "gpu-01", judged=JUDGED)
    described = plan.described()
    assert set(described) == set(plan.instances)
    format_findings(plan.findings)
    to_json(plan.findings)
    to_sarif(plan.findings)


FACTS = HostFacts(
    podman_version=(5, 4, 2),
    image_digests={"a/vllm:v0.26.0": "sha256:" + "a" * 64},
    secret_versions={"hf": "0" * 8},
    gpu_problem={"code": "gpu_lost"},
    driver_version="580.95.05",
    host_memory_mib=64000,
)


def test_the_inventory_that_is_spoiled_here_is_a_good_one() -> None:
    plan = plan_host(GOOD, ("hf",), HostFacts())
    assert plan.valid
    assert plan.instances["chat"].fit


@pytest.mark.parametrize("path", list(places(GOOD)), ids=lambda path: ".".join(map(str, path)))
def test_anything_at_any_place_ends_in_findings(path: tuple[t.Any, ...]) -> None:
    for junk in JUNK:
        look_at(spoiled(GOOD, path, junk), FACTS)


def test_several_mistakes_at_once_end_in_findings() -> None:
    chance = random.Random(20261130)
    everywhere = list(places(GOOD))
    for _ in range(300):
        variables = GOOD
        for _ in range(chance.randint(2, 6)):
            variables = spoiled(variables, chance.choice(everywhere), chance.choice(JUNK))
        look_at(variables, FACTS)
