"""Values of any shape end in findings, never in a traceback, and never in a long wait."""

from __future__ import annotations

import random
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Case, Gpu
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules import RULES, run_rules
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import KNOWN
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.examples import (
    CONFIGS,
)

SETTINGS = sorted({name for rule in RULES for name in rule.about})
KEYS = ("method", "model", "num_speculative_tokens", "backend", "mode", "kv_connector", "moe_backend")
PLAIN = (None, True, False, 0, 1, -1, 8, 10**12, 0.5, -3.5, "", "x", "auto", "mtp", "dflash", "1", "fp8")
GPUS = (None, (Gpu("NVIDIA H100", "9.0", 81920),), (Gpu(),), (Gpu("A100", "bogus", 100),))


def _value(dice: random.Random, depth: int = 0) -> t.Any:
    if dice.random() < 0.25 and depth < 3:
        return {dice.choice(KEYS): _value(dice, depth + 1) for _ in range(dice.randint(0, 4))}
    return dice.choice((*PLAIN, [], [1, 2], ["a", None], [{}]))


def _case(dice: random.Random) -> Case:
    settings = {dice.choice(SETTINGS): _value(dice) for _ in range(dice.randint(1, 5))}
    model, draft = (dice.choice([None, *CONFIGS]) for _ in range(2))
    return Case(
        release=dice.choice(KNOWN),
        model=dice.choice([None, "org/model", "s3://bucket"]),
        values=settings,
        given=frozenset(settings),
        gpus=dice.choice(GPUS),
        model_facts=parse_model(CONFIGS[model]) if model else None,
        draft_facts=parse_model(CONFIGS[draft]) if draft else None,
    )


def test_no_value_ends_in_a_traceback() -> None:
    dice = random.Random(20261130)
    findings = [finding for _ in range(3000) for finding in run_rules(_case(dice))]
    assert len(findings) > 1000


def test_every_message_is_a_sentence() -> None:
    dice = random.Random(1)
    findings = [finding for _ in range(1000) for finding in run_rules(_case(dice))]
    assert [finding.code for finding in findings if not finding.message.endswith((".", ")"))] == []
