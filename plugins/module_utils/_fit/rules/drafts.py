"""Room that drafts need in a step, which vLLM keeps for every sequence that may run."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.speculation import SETTINGS, Speculation
from ..._settings.rules.view import View
from ..demand import INTEGRATED
from .known import demand_of

_ONE_PASS = ("dflash", "dspark")
_OWN_PASS_SINCE = (0, 28, 0)
_OTHER_DRAFTS = ("eagle", "medusa", "specul", "accelerator", "mtp", "ngram", "dflash")


def _slots(view: View, drafted: Speculation) -> int:
    """More tokens of a step for each sequence (max_num_new_slots_for_drafting)."""
    tokens, method = drafted.tokens or 0, drafted.method
    model = method == "draft_model"
    if view.release < _OWN_PASS_SINCE:
        parallel = method in _ONE_PASS or drafted.keys.get("parallel_drafting") is True
        return (tokens - 1 if parallel else 0) + model
    if method == "dflash":
        return tokens
    if method == "dspark" or drafted.keys.get("parallel_drafting") is True:
        return tokens if model else tokens - 1
    return int(model)


@rule(
    "step_smaller_than_drafts",
    SETTINGS,
    "config/vllm.py _set_max_num_scheduled_tokens (0.20.2 to 0.32.0)",
    "0.20.0",
    "0.32.0",
    needs=("model", "gpu"),
    stage="fit",
)
def a_step_holds_the_drafts(view: View) -> t.Iterator[Breach]:
    """Drafts of one pass, and those of a model, take tokens of the step for as many sequences as may run."""
    drafted = view.speculation
    if drafted is None or not drafted.tokens or view.given("max_num_scheduled_tokens"):
        return
    unknown = any(not gpu.memory_total_mib and gpu.compute_capability not in INTEGRATED for gpu in view.gpus)
    if view.text("runner") == "pooling" or unknown:
        return
    demand, slots = demand_of(view), _slots(view, drafted)
    taken = slots * demand.sequences
    if not taken or taken < demand.step_tokens:
        return
    most = max(1, (demand.step_tokens - 1) // slots)
    yield Breach(
        "max_num_batched_tokens",
        f"{drafted.method} takes {slots} tokens of a step for each of {demand.sequences} sequences, {taken} together, and a"
        f' step holds {demand.step_tokens}: "max_num_scheduled_tokens is set to {demand.step_tokens - taken}", which does not'
        " allow any tokens to be scheduled.",
        f"max_num_seqs: {most} or fewer, or max_num_batched_tokens: {taken + 2048} or more",
        demand.step_tokens,
    )


@rule(
    "draft_model_unsupported",
    SETTINGS,
    "config/__init__.py:2182 (0.10.2), config/speculative.py:389 (0.14.1)",
    until="0.14.1",
    severity="warning",
    stage="fit",
)
def the_draft_is_no_ordinary_model(view: View) -> t.Iterator[Breach]:
    """Without a method its config decides, and where that is not known, its name tells the other kinds."""
    drafted = view.speculation
    if drafted is None or drafted.method or not drafted.model or view.draft is not None:
        return
    if not any(mark in drafted.model.lower() for mark in _OTHER_DRAFTS):
        yield Breach(
            "speculative_config.model",
            f"No method is named, so {drafted.model} drafts as an ordinary model unless its config says otherwise, and this"
            ' release ends with "Speculative decoding with draft model is not supported yet".',
            "method: ngram, eagle or mtp, or vLLM 0.15.0 and newer with method: draft_model",
            drafted.model,
        )


RULES = rules_of(globals())
