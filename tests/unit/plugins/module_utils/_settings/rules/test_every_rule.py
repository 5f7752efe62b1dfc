"""Every rule fires, stays silent, and knows the release in which it begins and the one in which it ends."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules import RULES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import KNOWN
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.version import (
    format_release,
    parse_release,
)
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.engine_examples import (
    ENGINE,
)
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.examples import (
    Example,
    firing_rules,
    said,
)
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.model_examples import (
    MODELS,
)
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.server_examples import (
    SERVER,
)
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.spread_examples import (
    SPREAD,
)

EXAMPLES: tuple[Example, ...] = (*ENGINE, *SPREAD, *MODELS, *SERVER)
NAMED = [pytest.param(example, id=f"{number}-{example.code}") for number, example in enumerate(EXAMPLES)]


@pytest.mark.parametrize("example", NAMED)
def test_the_rule_fires_on_settings_that_break_it(example: Example) -> None:
    assert said(example.case(example.release), example.code) != "silent"


@pytest.mark.parametrize("example", NAMED)
def test_the_rule_stays_silent_on_settings_that_do_not_break_it(example: Example) -> None:
    assert said(example.case(example.release, broken=False), example.code) == "silent"


@pytest.mark.parametrize(
    ("example", "release", "verdict"),
    [
        pytest.param(example, release, verdict, id=f"{number}-{example.code}-{release}")
        for number, example in enumerate(EXAMPLES)
        for release, verdict in example.verdicts
    ],
)
def test_the_rule_begins_and_ends_with_its_releases(example: Example, release: str, verdict: str) -> None:
    assert said(example.case(release), example.code) == verdict


def _covered(number: int) -> dict[str, bool]:
    """Of a rule: whether an example breaks it, and asks on both sides of each of its edges."""
    rule = RULES[number]
    found = {"fires": False, "before": rule.since <= KNOWN[0], "first": rule.since <= KNOWN[0]}
    found.update(last=rule.until is None, after=rule.until is None)
    for example in EXAMPLES:
        if example.code != rule.code:
            continue
        asked = [parse_release(release) for release, _verdict in example.verdicts]
        holding = [release for release in asked if release and rule.holds_for(release)]
        broken = [release for release in holding if number in firing_rules(example, format_release(release))]
        if not broken:
            continue
        found["fires"] = True
        found["first"] |= rule.since in broken
        found["before"] |= any(release is not None and release < rule.since for release in asked)
        found["last"] |= rule.until in broken
        found["after"] |= any(
            release is not None and rule.until is not None and release > rule.until for release in asked
        )
    return found


@pytest.mark.parametrize("number", range(len(RULES)), ids=lambda number: f"{number}-{RULES[number].code}")
def test_every_rule_has_an_example_that_breaks_it_and_asks_at_both_its_edges(number: int) -> None:
    missing = [name for name, covered in _covered(number).items() if not covered]
    assert missing == []


def test_no_example_is_of_a_rule_that_does_not_exist() -> None:
    assert {example.code for example in EXAMPLES} <= {rule.code for rule in RULES}


def test_every_rule_says_where_it_was_taken_from() -> None:
    assert [rule.code for rule in RULES if not rule.source] == []


def test_the_table_of_rules_is_not_empty() -> None:
    assert len(RULES) >= 150
