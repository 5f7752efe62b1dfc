"""Settings, model and GPUs of a server judged as one: what each part knows is said once, in one order."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.judge import Judged, Known, judge_server
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model

from .cases import model

L4 = {"name": "NVIDIA L4", "compute_capability": "8.9", "memory_total_mib": 23034}
LLAMA = "Llama-3.1-8B"
HEAVY = {"total_bytes": 30 << 30}
TOO_LONG = "kv_cache_too_small_for_max_model_len"


def judged(known: Known | None = None, **asked: t.Any) -> Judged:
    default = {"vllm_version": "0.26.0", "model": "m/m", "gpu_facts": [L4], "model_facts": model(LLAMA)}
    return judge_server(known or Known(), **{**default, **asked})


def codes(found: Judged, *severities: str) -> list[str]:
    return [each.code for each in found.findings if each.severity in (severities or ("error", "warning"))]


def test_what_settings_and_arithmetic_say_stands_together_with_errors_first() -> None:
    found = judged(Known(HEAVY), settings={"max_num_sekqs": 4})
    assert codes(found, "error") == ["unknown_option", "no_memory_for_kv_cache"]
    assert not found.valid
    assert found.fit is not None
    assert found.fit["outcome"] == "does not fit"


def test_settings_alone_may_be_fine_where_the_gpus_are_too_small() -> None:
    found = judged(Known(HEAVY))
    assert (found.checked.valid, found.valid) == (True, False)


def test_a_default_of_the_release_counts_as_if_it_was_written() -> None:
    said = {each.code: each for each in judged(Known({"total_bytes": 15 << 30})).findings}
    assert said[TOO_LONG].value == 131072
    assert TOO_LONG not in codes(judged(Known({"total_bytes": 15 << 30}), settings={"max_model_len": 8192}))


@pytest.mark.parametrize("facts", [None, [{}], [{}, L4]])
def test_of_gpus_that_are_only_counted_nothing_is_reckoned(facts: t.Any) -> None:
    found = judged(Known(HEAVY), gpu_facts=facts)
    assert found.fit is None
    assert not [each for each in found.findings if each.stage == "fit"]


SQL, CHAT = {"name": "sql", "path": "/lora/sql"}, {"name": "chat", "path": "/lora/chat"}


@pytest.mark.parametrize(
    ("sql", "chat", "settings", "fix"),
    [
        pytest.param(17, 8, {}, "max_lora_rank: 32", id="between two ranks"),
        pytest.param(64, 8, {}, "max_lora_rank: 64", id="a rank that is allowed"),
        pytest.param(64, 300, {"max_lora_rank": 32}, "max_lora_rank: 320", id="the largest decides"),
        pytest.param(2, 1, {"max_lora_rank": 1}, "max_lora_rank: 8", id="the least above one"),
        pytest.param(
            513, 8, {}, "adapters of rank 512 at most: no release takes more", id="too large for all"
        ),
        pytest.param(16, 8, {}, None, id="within"),
        pytest.param(64, 8, {"max_lora_rank": 60}, None, id="a limit that the release refuses"),
        pytest.param(64, 8, {"max_lora_rank": "large"}, None, id="a limit that is no number"),
    ],
)
def test_adapters_need_the_next_rank_that_the_release_takes(
    sql: int, chat: int, settings: dict[str, t.Any], fix: str | None
) -> None:
    adapters = {"/lora/sql": {"adapter_rank": sql}, "/lora/chat": {"adapter_rank": chat}}
    given = {"enable_lora": True, "lora_modules": [SQL, CHAT], **settings}
    found = [
        each for each in judged(Known(adapters=adapters), settings=given).findings if each.code == "lora"
    ]
    assert [each.fix for each in found] == ([fix] if fix else [])


def test_the_adapter_that_is_too_large_is_named() -> None:
    adapters = {"/lora/sql": {"adapter_rank": 64}, "/lora/chat": {"adapter_rank": 8}}
    given = {"enable_lora": True, "lora_modules": [SQL, CHAT]}
    finding = next(
        each for each in judged(Known(adapters=adapters), settings=given).findings if each.code == "lora"
    )
    assert finding.message == (
        "LoRA rank 64 is greater than max_lora_rank 16: adapter sql (/lora/sql) has rank 64."
    )
    assert (finding.severity, finding.setting, finding.value) == ("error", "max_lora_rank", 16)


def test_without_a_model_nothing_is_reckoned() -> None:
    assert judged(model_facts=None).fit is None


def test_advice_is_off_when_it_is_not_wanted() -> None:
    assert "advice" in {each.stage for each in judged().findings}
    assert "advice" not in {each.stage for each in judged(Known(advise=False)).findings}


def test_a_release_that_is_not_known_may_know_a_draft_that_the_tables_lost() -> None:
    config = {"architectures": ["ArcticForCausalLM"], "model_type": "llama"}
    asked = {
        "settings": {"speculative_config": {"method": "eagle3", "model": "d/d", "num_speculative_tokens": 3}},
        "draft_facts": parse_model(config),
    }
    for version, severity in (("0.33.0", "error"), ("latest", "warning")):
        said = judged(vllm_version=version, **asked).findings
        assert [each.severity for each in said if each.code == "draft_model_arch_unsupported"] == [severity]
