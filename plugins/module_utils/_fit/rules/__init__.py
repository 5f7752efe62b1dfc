"""Rules that need the model, its weights, the GPUs or the driver, beside those of ``_settings/rules``."""

from __future__ import annotations

import typing as t

from ..._settings.case import Case
from ..._settings.finding import Finding
from ..._settings.rules.rule import Rule
from ..tensors import Tensors
from . import (
    adapted,
    attention,
    cache_format,
    deep_gemm,
    drafts,
    encoders,
    environment,
    expert_kernels,
    formats,
    image,
    limits,
    pipelines,
    remote_code,
    reported,
    schemes,
    split,
    states,
    stored,
    stored_experts,
    transfer,
    weights_there,
)
from .known import FitView

RULES: tuple[Rule, ...] = tuple(
    rule
    for family in (
        *(image, environment, split, states, encoders, pipelines, cache_format, schemes, formats, stored),
        *(
            attention,
            expert_kernels,
            stored_experts,
            transfer,
            weights_there,
            remote_code,
            adapted,
            drafts,
            deep_gemm,
            limits,
            reported,
        ),
    )
    for rule in family.RULES
)


def run_fit_rules(case: Case, tensors: Tensors | None, driver_version: str | None) -> t.Iterator[Finding]:
    """What the rules of the case's release say of it; a rule whose facts are missing is silent."""
    view = FitView(case, tensors, driver_version)
    for rule in RULES:
        if not rule.holds_for(case.release) or not rule.concerns(view):
            continue
        if all(bool(view.gpus) if need == "gpu" else getattr(view, need) is not None for need in rule.needs):
            for breach in rule.check(view):
                yield rule.finding(breach, case.values.get(breach.setting))
