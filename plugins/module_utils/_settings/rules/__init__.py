"""What makes the start fail although the parser was content, and what vLLM accepts although it does not help."""

from __future__ import annotations

import typing as t

from ..finding import Finding
from . import (
    advice,
    attention,
    bounds,
    checkpoints,
    context_parallel,
    data_parallel,
    draft_advice,
    drafting,
    experts,
    frontend,
    length,
    memory,
    models,
    offload_advice,
    parallelism,
    parsers,
    quantization,
    scheduling,
    speculative,
    transfer,
)
from .rule import Rule
from .view import View

if t.TYPE_CHECKING:
    from ..case import Case
    from ..tables import Table

_FAMILIES = (
    *(bounds, length, parallelism, context_parallel, data_parallel, experts),
    *(memory, quantization, checkpoints, attention, speculative, drafting, scheduling),
    *(parsers, frontend, models, transfer),
    *(draft_advice, offload_advice, advice),
)
RULES: tuple[Rule, ...] = tuple(rule for family in _FAMILIES for rule in family.RULES)

_FACTS = {
    "model": "the model's config.json (model_facts)",
    "draft": "the draft's config.json",
    "gpu": "the GPUs (gpu_facts)",
}


def run_rules(
    case: Case, table: Table | None = None, plugin_names: t.Collection[str] = frozenset()
) -> t.Iterator[Finding]:
    """What the rules of the case's release say of it; last, one finding for what could not be checked."""
    view = View(case, table, plugin_names)
    missing: dict[str, list[str]] = {}
    for rule in RULES:
        if not rule.holds_for(case.release) or not rule.concerns(view):
            continue
        lacking = [need for need in rule.needs if not _has(view, need)]
        if lacking:
            for need in lacking:
                missing.setdefault(need, []).append(rule.code)
            continue
        for breach in rule.check(view):
            yield rule.finding(breach, case.values.get(breach.setting))
    if missing:
        yield _not_checked(missing)


def _has(view: View, need: str) -> bool:
    if need == "gpu":
        return bool(view.gpus)
    return getattr(view, need) is not None


def _not_checked(missing: t.Mapping[str, t.Sequence[str]]) -> Finding:
    codes = {need: sorted(set(names)) for need, names in missing.items()}
    count = len({code for names in codes.values() for code in names})
    facts = " and ".join(_FACTS[need] for need in codes)
    return Finding(
        severity="info",
        stage="start",
        code="not_checked",
        message=f"{count} start-up rules were not checked: they need {facts}.",
        fix="give the facts, or plan with hosts that can be asked",
        value=codes,
    )
