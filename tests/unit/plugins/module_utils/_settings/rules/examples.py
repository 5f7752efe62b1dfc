"""Examples of rules: settings that break one, settings that do not, and where in the releases it begins and ends."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import Model, parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Case, Gpu
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules import RULES, run_rules
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules.view import View
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import choose
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.version import parse_release

FIXTURES = pathlib.Path(__file__).parents[5] / "fixtures" / "engine"
CONFIGS: dict[str, dict[str, t.Any]] = json.loads((FIXTURES / "models.json").read_text())
H100 = Gpu("NVIDIA H100", "9.0", 81920)


@dataclasses.dataclass(frozen=True)
class Example:
    """One rule: what breaks it, what does not, and "release verdict" pairs around its edges."""

    code: str
    fires: t.Mapping[str, t.Any]
    silent: t.Mapping[str, t.Any]
    edges: str  # "0.12.0 silent, 0.13.0 error"
    env: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    silent_env: t.Mapping[str, str] | None = None
    model: str | t.Mapping[str, t.Any] | None = None
    silent_model: str | t.Mapping[str, t.Any] | None = None
    draft: str | t.Mapping[str, t.Any] | None = None
    silent_draft: str | t.Mapping[str, t.Any] | None = None
    gpus: tuple[Gpu, ...] | None = None
    silent_gpus: tuple[Gpu, ...] | None = None
    name: str = "org/model"

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        """Releases and what is said in each."""
        return [t.cast("tuple[str, str]", tuple(pair.split())) for pair in self.edges.split(", ")]

    @property
    def release(self) -> str:
        """A release in which the rule holds."""
        return next(release for release, verdict in reversed(self.verdicts) if verdict != "silent")

    def case(self, release: str, *, broken: bool = True) -> Case:
        """The case that breaks the rule, or the one that does not."""
        settings = self.fires if broken else self.silent
        silent = {key: getattr(self, f"silent_{key}") for key in ("env", "model", "draft", "gpus")}
        chosen = {
            key: getattr(self, key) if broken or value is None else value for key, value in silent.items()
        }
        table = choose(release).table
        defaults = {dest: option.default for dest, option in table.options.items() if option.names}
        return Case(
            release=t.cast("tuple[int, int, int]", parse_release(release)),
            model=self.name,
            values={**defaults, **settings},
            given=frozenset(settings),
            env=chosen["env"],
            gpus=chosen["gpus"],
            model_facts=_model(chosen["model"]),
            draft_facts=_model(chosen["draft"]),
        )


def _model(config: str | t.Mapping[str, t.Any] | None) -> Model | None:
    if config is None:
        return None
    return parse_model(CONFIGS[config] if isinstance(config, str) else config)


def said(case: Case, code: str) -> str:
    """The severity of what the rules say under that code; "silent" where they say nothing."""
    return next((finding.severity for finding in run_rules(case) if finding.code == code), "silent")


def firing_rules(example: Example, release: str) -> list[int]:
    """The numbers of the rules of that code that the example breaks, each asked alone."""
    case = example.case(release)
    view = View(case)
    numbers = []
    for number, rule in enumerate(RULES):
        asked = rule.code == example.code and rule.holds_for(case.release) and rule.concerns(view)
        if asked and any(True for _breach in rule.check(view)):
            numbers.append(number)
    return numbers
