"""No finding repeats a secret, whatever mistake was made with it."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host

SECRET = "hf_canaryCanaryCanary01"
QWEN = {"image": "a/vllm:v0.26.0", "gpus": ["0"], "model": "m/m"}


def plan(**keys: t.Any) -> HostPlan:
    return plan_host({"vllm_instances": {"qwen": {**QWEN, **keys}}}, ("hf", "chat"), HostFacts((5, 4, 2)))


@pytest.mark.parametrize(
    "keys",
    [
        {"settings": {"api_key": {SECRET: 1}}},
        {"settings": {"api-key": SECRET, "api_key": SECRET}},
        {"settings": {"speculative_config": {"api_key": SECRET}}},
        {"argv": f'm/m --api-key={SECRET} "unclosed'},
        {"argv": f"docker run -e HF_TOKEN={SECRET} a/vllm:v0.26.0 --model m/m --port 9"},
        {"argv": f"m/m --api-ky {SECRET}"},
        {"env": {"HF_TOKEN": SECRET}},
        {"env": {"HF_TOKEN": [SECRET]}},
        {"env": {"1BAD TOKEN": SECRET}},
        {"env": f"HF_TOKEN={SECRET}"},
        {"secrets": {"HF_TOKEN": SECRET}},
        {"secrets": {"HF_TOKEN": [SECRET]}},
        {"container": {"Environment": f"HF_TOKEN={SECRET}"}},
    ],
)
def test_a_mistake_with_a_secret_is_told_without_it(keys: dict[str, t.Any]) -> None:
    findings = [finding.as_dict() for finding in plan(**keys).findings]
    assert [each for each in findings if each["severity"] != "info"]
    assert SECRET not in json.dumps(findings)


def test_a_key_that_does_not_exist_is_named() -> None:
    (found,) = [each for each in plan(secrets={"HF_TOKEN": "hff"}).findings if each.code == "unknown_secret"]
    assert found.value == "hff"
    assert "no key hff" in found.message


def test_other_values_are_shown_as_they_are() -> None:
    (found,) = [each for each in plan(port="70000").findings if each.code == "bad_value"]
    assert found.value == "70000"
