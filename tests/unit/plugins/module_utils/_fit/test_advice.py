"""Habits that pay: told where the setting is absent, never more than three, and not at all where they are not wanted."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.advice import AT_MOST, advice_findings
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.check import fit_and_table

from .cases import case, mtp

PAIR = {"tensor_parallel_size": 2}


def codes(model: str, gpus: t.Sequence[str], **settings: t.Any) -> set[str]:
    return {finding.code for finding in advice_findings(case(model, "0.26.0", gpus, **settings))}


@pytest.mark.parametrize(
    ("code", "model", "gpus", "settings", "silenced_by"),
    [
        ("advice_context_length", "Llama-3.1-8B", ("H100",), {}, {"max_model_len": 8192}),
        ("advice_unified_memory", "Qwen3-0.6B", ("GB10",), {}, {"gpu_memory_utilization": 0.8}),
        ("advice_hybrid_sequences", "Qwen3.6-27B", ("H100",), {}, {"max_num_seqs": 64}),
        ("advice_draft_tokens", "Qwen3.6-27B", ("H100",), {"speculative_config": {"method": "mtp"}}, {"speculative_config": mtp(2)}),
        ("advice_pcie_pair", "Qwen3-0.6B", ("RTX 3090", "RTX 3090"), PAIR, {**PAIR, "disable_custom_all_reduce": True}),
        ("advice_default_limits", "Qwen3-0.6B", ("A100",), {}, {"max_num_seqs": 64}),
        ("advice_few_users", "Qwen3-0.6B", ("RTX 4090",), {}, {"max_num_seqs": 64}),
    ],
)  # fmt: skip
def test_a_habit_is_told_until_its_setting_is_there(
    code: str, model: str, gpus: tuple[str, ...], settings: dict[str, t.Any], silenced_by: dict[str, t.Any]
) -> None:
    assert code in codes(model, gpus, **settings)
    assert code not in codes(model, gpus, **silenced_by)


def test_an_instance_hears_three_things_at_most() -> None:
    found = advice_findings(
        case(
            "Qwen3.6-27B", gpus=("H100", "H100"), tensor_parallel_size=2, speculative_config={"method": "mtp"}
        )
    )
    assert len(found) == AT_MOST
    pair = case(
        "Qwen3.6-27B", gpus=("RTX 3090",) * 2, tensor_parallel_size=2, speculative_config={"method": "mtp"}
    )
    assert len(advice_findings(pair)) == AT_MOST


def test_advice_can_be_switched_off() -> None:
    of = case("Llama-3.1-8B", gpus=("H100",))
    assert any(finding.stage == "advice" for finding in fit_and_table(of, None)[0])
    assert not any(finding.stage == "advice" for finding in fit_and_table(of, None, advise=False)[0])


def test_nothing_is_advised_for_unknown_gpus() -> None:
    assert advice_findings(case("Llama-3.1-8B", gpus=())) == []
