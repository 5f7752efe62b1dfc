"""What every scenario of molecule has in common."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import pytest
import yaml

MOLECULE = Path(__file__).parents[2] / "molecule"
SCENARIOS = sorted(path.parent for path in MOLECULE.glob("*/molecule.yml"))


def text_of(folder: Path, pattern: str = "**/*.yml") -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern)))


def given_in(data: t.Any) -> t.Iterator[str]:
    """Every value that some ``vllm_secrets`` gives."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "vllm_secrets":
                yield from map(str, value.values() if isinstance(value, dict) else [value])
            else:
                yield from given_in(value)
    elif isinstance(data, list):
        for each in data:
            yield from given_in(each)


def with_secrets() -> list[Path]:
    """Those whose inventory gives servers, registries or the hub something to keep."""
    return [each for each in SCENARIOS if "vllm_secrets" in text_of(each)]


def test_scenarios_with_secrets_are_found() -> None:
    assert {"fetch", "operate", "secrets"} <= {each.name for each in with_secrets()}


@pytest.mark.parametrize("scenario", with_secrets(), ids=lambda path: path.name)
def test_whoever_has_secrets_is_watched_from_the_beginning_and_searched_in_the_end(scenario: Path) -> None:
    assert "../shared/tasks/secrets_watch.yml" in (scenario / "prepare.yml").read_text(encoding="utf-8")
    assert "../shared/tasks/secrets_grep.yml" in (scenario / "verify.yml").read_text(encoding="utf-8")
    sequence = re.search(r"test_sequence: \[(.*)\]", (scenario / "molecule.yml").read_text(encoding="utf-8"))
    assert sequence is not None
    assert sequence.group(1).split(", ")[-2:] == ["verify", "destroy"], "the search is the last that is done"


@pytest.mark.parametrize("scenario", with_secrets(), ids=lambda path: path.name)
def test_whatever_is_a_secret_of_a_scenario_is_looked_for(scenario: Path) -> None:
    """No value beside those of secrets_canaries: the search would not know it."""
    given = [
        value
        for path in scenario.rglob("*.yml")
        for value in given_in(yaml.safe_load(path.read_text(encoding="utf-8")))
    ]
    assert given
    assert [value for value in given if not re.search(r"secrets_canaries|rotated_secrets", value)] == []
