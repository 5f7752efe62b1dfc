"""Every rule of this package: it fires, it stays silent, and it knows where it ends."""

from __future__ import annotations

import dataclasses

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.rules import RULES, run_fit_rules
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.rules.known import FitView
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.tensors import read_tensors
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Case
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules.rule import Rule

from .cases import case, configs
from .deep_gemm_cases import BLOCKED, DEEP_GEMM_CASES
from .kernel_cases import KERNELS, MADE_UP
from .more_rule_cases import MORE
from .rule_cases import CASES as FIRST
from .rule_cases import LLAMA, Judged
from .rule_ids import RULE_IDS
from .stored_cases import STORED, STORED_CASES

CASES = (*FIRST, *MORE, *KERNELS, *STORED_CASES, *DEEP_GEMM_CASES)
NAMED = {(judged.code, judged.what): judged for judged in CASES}


def case_of(judged: Judged) -> Case:
    of = case(judged.model, judged.release, judged.gpus, judged.env, judged.draft, **judged.settings)
    return dataclasses.replace(of, model=judged.file or of.model, adapters=judged.adapters)


def codes_of(judged: Judged) -> set[str]:
    found = run_fit_rules(case_of(judged), read_tensors(judged.tensors), judged.driver)
    return {finding.code for finding in found}


def speaking(judged: Judged) -> set[str]:
    """The rules that speak of a case, by their ids."""
    of = case_of(judged)
    view = FitView(of, read_tensors(judged.tensors), judged.driver)
    holding = [rule for rule in RULES if rule.holds_for(of.release) and rule.concerns(view)]
    known = [
        rule
        for rule in holding
        if all(bool(view.gpus) if need == "gpu" else getattr(view, need) is not None for need in rule.needs)
    ]
    return {rule.check.__name__ for rule in known if list(rule.check(view))}


@pytest.fixture(autouse=True)
def _models_of_no_family() -> None:
    ten = {
        "architectures": ["PhiLike"],
        "num_attention_heads": 40,
        "num_key_value_heads": 10,
        "hidden_size": 5120,
    }
    configs().setdefault("phi-like", {**configs()[LLAMA], **ten})
    configs().setdefault("heads-of-96", {**configs()[LLAMA], "head_dim": 96})
    for name, config in {**MADE_UP, **STORED, **BLOCKED}.items():
        configs().setdefault(name, config)


@pytest.mark.parametrize("judged", CASES, ids=lambda judged: f"{judged.code}: {judged.what}")
def test_a_rule_speaks_where_it_must_and_nowhere_else(judged: Judged) -> None:
    assert (judged.code in codes_of(judged)) is judged.speaks


def test_every_rule_is_seen_to_fire_and_to_stay_silent() -> None:
    codes = {rule.code for rule in RULES}
    assert codes == {judged.code for judged in CASES if judged.speaks}
    assert codes == {judged.code for judged in CASES if not judged.speaks}


def test_the_list_of_rules_is_whole() -> None:
    """Every rule is listed once, with its three tests, and nothing else is."""
    assert sorted(RULE_IDS) == sorted(rule.check.__name__ for rule in RULES)
    assert sum(len(names) for names in RULE_IDS.values()) == 3 * len(RULES)
    assert all(len(set(names)) == 3 for names in RULE_IDS.values())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.check.__name__)
def test_a_listed_rule_fires_stays_silent_and_knows_its_boundary(rule: Rule) -> None:
    fires, silent, boundary = (NAMED[rule.code, what] for what in RULE_IDS[rule.check.__name__])
    assert rule.check.__name__ in speaking(fires)
    assert rule.check.__name__ not in speaking(silent)
    assert (rule.check.__name__ in speaking(boundary)) is boundary.speaks


def test_every_rule_with_bounds_is_tried_beyond_them() -> None:
    """A rule that holds for some releases only is also tried on one for which it does not."""
    for rule in RULES:
        if rule.until is None:
            continue
        tried = [tuple(map(int, judged.release.split("."))) for judged in CASES if judged.code == rule.code]
        assert any(release > rule.until for release in tried), rule.code


def test_the_rules_of_this_package_are_counted() -> None:
    assert (len(RULES), len({rule.code for rule in RULES})) == (75, 47)


def test_every_rule_says_where_it_is_from() -> None:
    assert all(rule.source and rule.stage == "fit" for rule in RULES)


def test_a_rule_whose_facts_are_missing_is_silent() -> None:
    assert list(run_fit_rules(case(None, gpus=(), tensor_parallel_size=3), None, None)) == []
