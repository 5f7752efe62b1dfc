"""What the research and the reports of others say about drafts, and vLLM does not."""

from __future__ import annotations

import typing as t

from .rule import Breach, rule, rules_of
from .speculation import SETTINGS
from .view import View

_DRAFTS = ("dflash", "dspark", "eagle", "eagle3", "medusa", "mlp_speculator")


@rule(
    "draft_belongs_to_target", SETTINGS, "config/speculative.py (0.33.0)", severity="warning", stage="advice"
)
def draft_is_of_this_model(view: View) -> t.Iterator[Breach]:
    """A draft was trained for one model; beside another it is slow or wrong, and nobody says so."""
    spec = view.speculation
    if spec is None or spec.model is None or spec.method not in _DRAFTS:
        return
    differs = _draft_differences(view)
    if differs is None:
        yield Breach(
            "speculative_config.model",
            f"The draft {spec.model} works with the one model that it was trained for: make sure that it is this one.",
            "see the draft's model card; vllm:spec_decode_num_draft_tokens_total shows whether it drafts",
            spec.model,
        )
    elif differs:
        yield Breach(
            "speculative_config.model",
            f"The draft {spec.model} is of another model: {differs}.",
            "this model's draft",
        )


def _draft_differences(view: View) -> str | None:
    """What tells that the draft is of another model; empty: nothing does; None: not known."""
    if view.model is None or view.draft is None:
        return None
    pairs = (
        ("hidden size", view.draft.hidden_size, view.model.hidden_size),
        ("vocabulary", view.draft.vocab_size, view.model.vocab_size),
    )
    return ", ".join(
        f"{name} {mine} instead of {wanted}"
        for name, mine, wanted in pairs
        if mine and wanted and mine != wanted
    )


_NON_CAUSAL = "FLASH_ATTN"


@rule(
    "draft_attention_backend",
    SETTINGS,
    "config/speculative.py: attention_backend (0.26.0)",
    "0.20.0",
    severity="warning",
    stage="advice",
)
def draft_has_a_fitting_backend(view: View) -> t.Iterator[Breach]:
    """A DFlash draft attends in both directions, which few backends can do."""
    spec = view.speculation
    if spec is None or spec.method != "dflash":
        return
    own = str(spec.keys.get("attention_backend") or "").upper()
    used = own or (view.text("attention_backend") or "").upper()
    if used in (_NON_CAUSAL, "AUTO"):
        return
    where = "speculative_config.attention_backend" if view.since(0, 21, 0) else "attention_backend"
    said = f"it is {used}" if used else "none is named"
    yield Breach(
        where,
        f"A DFlash draft needs an attention backend that is not causal, such as {_NON_CAUSAL}; {said}.",
        f"{where}: {_NON_CAUSAL}",
    )


RULES = rules_of(globals())
