"""What facts of a host add to the check of an instance's settings."""

from __future__ import annotations

import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.advice import Advice
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import plan_host

T4 = {"index": 0, "uuid": "GPU-a", "name": "Tesla T4", "compute_capability": "7.5", "memory_total_mib": 15360}
H100 = {"index": 1, "uuid": "GPU-b", "name": "H100", "compute_capability": "9.0", "memory_total_mib": 81559}
FACTS = HostFacts(gpus=(T4, H100))
CONFIG = {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "num_attention_heads": 6,
    "hidden_size": 768,
}


def codes(facts: HostFacts, **keys: t.Any) -> list[str]:
    instance = {"model": "m/m", "image": "a/vllm:v0.26.0", "gpus": ["0"], **keys}
    findings = plan_host({"vllm_instances": {"a": instance}}, (), facts).findings
    return [finding.code for finding in findings if finding.severity == "error"]


def test_the_gpus_of_an_instance_are_the_ones_it_names_in_their_order() -> None:
    names = [gpu["name"] for gpu in Advice(FACTS).gpus(["GPU-b", "0"]) or ()]
    assert names == ["H100", "Tesla T4"]
    assert [gpu["name"] for gpu in Advice(FACTS).gpus(["all"]) or ()] == ["Tesla T4", "H100"]


def test_without_facts_the_number_of_gpus_is_known_unless_it_is_all() -> None:
    assert Advice().gpus(["0", "1"]) == [{}, {}]
    assert Advice().gpus(["all"]) is None
    assert Advice().gpus([]) is None


def test_more_ranks_than_gpus_are_told_from_the_inventory_alone() -> None:
    assert codes(HostFacts(), settings={"tensor_parallel_size": 2}) == ["too_few_gpus"]
    assert codes(HostFacts(), gpus=["0", "1"], settings={"tensor_parallel_size": 2}) == []


def test_the_kind_of_gpu_is_told_once_the_facts_are_known() -> None:
    bfloat16 = {"dtype": "bfloat16"}
    assert codes(HostFacts(), settings=bfloat16) == []
    assert codes(FACTS, settings=bfloat16) == ["bfloat16_on_old_gpu"]
    assert codes(FACTS, gpus=["1"], settings=bfloat16) == []


def test_the_model_is_looked_at_once_its_config_is_known() -> None:
    four = {"gpus": ["0", "1", "2", "3"], "settings": {"tensor_parallel_size": 4}}
    assert codes(HostFacts(), **four) == []
    assert "heads_not_divisible" in codes(HostFacts(model_facts={"m/m": {"config": CONFIG}}), **four)


def test_facts_of_a_model_without_a_config_say_nothing() -> None:
    assert Advice(HostFacts(model_facts={"m/m": {"config": None}})).model("m/m") is None
    assert Advice(HostFacts(model_facts={"m/m": "?"})).model("m/m") is None
    assert Advice().model(None) is None
