"""Whether the release knows the model, and whether the tensors that settings speak of are really there."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..._settings.version import Release, format_release
from ..architectures_data import SINCE_UNTIL
from ..weights import FUSED_SEGMENTS, matches
from .known import family_of, tensors_of

# Families whose MTP layers have names that we know, so that their absence is certain.
_KNOWN_MTP = ("qwen3_5", "qwen3_next", "deepseek_v3", "deepseek_v32", "glm4_moe", "glm_moe_dsa", "mimo")
# What vLLM puts before the name of a draft's class, and the classes of such drafts that every release registers.
_EAGLE = {"eagle": "Eagle", "eagle3": "Eagle3"}
_ALWAYS_THERE = (
    *("EagleLlamaForCausalLM", "EagleLlama4ForCausalLM", "EagleMiniCPMForCausalLM", "EagleDeepSeekMTPModel"),
    *("Eagle3LlamaForCausalLM", "LlamaForCausalLMEagle3"),
)
# Drafts whose config is of a kind of its own, by the first release that makes one of its classes of it.
_ASSISTANTS: dict[str, Release] = {
    "gemma4_assistant": (0, 21, 0),
    "gemma4_unified_assistant": (0, 23, 0),
    "muse_glimmer_assistant": (0, 33, 0),
}


def _told(release: Release | None) -> str:
    return format_release(release) if release else ""


@rule(
    "model_arch_unsupported",
    "",
    "model_executor/models/registry.py (0.10.2 to 0.33.0)",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def release_knows_the_architecture(view: View) -> t.Iterator[Breach]:
    """The registry of each release; a plug-in or the Transformers backend may serve what it lacks."""
    if view.text("model_impl") in ("transformers", "terratorch"):
        return
    yield from _unknown(view, view.model.architectures, "model")


@rule(
    "draft_model_arch_unsupported",
    "",
    "model_executor/models/registry.py (0.10.2 to 0.33.0)",
    needs=("draft",),
    stage="fit",
)
def release_knows_the_draft(view: View) -> t.Iterator[Breach]:
    """A draft has no other way in than the registry."""
    if view.speculation is None or not view.speculation.model:
        return
    method, raw = view.speculation.method or "", view.draft.raw
    if method in _EAGLE and raw.get("model_type") != "eagle" and "speculators_config" not in raw:
        yield from _unknown_eagle(view, method)
    else:
        yield from _unknown(view, view.draft.architectures, "speculative_config.model")


@rule(
    "draft_model_arch_unsupported",
    "speculative_config spec_model",
    "config/speculative.py hf_config_override (0.21.0 to 0.33.0)",
    until="0.32.0",
    needs=("draft",),
    stage="fit",
)
def release_knows_the_assistant(view: View) -> t.Iterator[Breach]:
    """Assistants are drafts with a kind of config that only later releases turn into a class of theirs."""
    kind = str(view.draft.model_type or "")
    since = _ASSISTANTS.get(kind)
    named = view.speculation is not None and view.speculation.model
    if named and since is not None and view.release < since:
        yield Breach(
            "speculative_config.model",
            f"This release does not know drafts of the kind {kind}: they came with {_told(since)}.",
            f"the image of {_told(since)} or newer",
            kind,
        )


def _unknown_eagle(view: View, method: str) -> t.Iterator[Breach]:
    """vLLM puts Eagle before the name of the draft's class, and few such classes exist."""
    for name in view.draft.architectures:
        marked = name.startswith(_EAGLE[method]) or (method == "eagle3" and name.endswith("Eagle3"))
        wanted = name if marked else f"{_EAGLE[method]}{name}"
        since, until = SINCE_UNTIL.get(wanted, (None, None))
        registered = wanted in SINCE_UNTIL and (since or view.release) <= view.release <= (
            until or view.release
        )
        if wanted in _ALWAYS_THERE or registered:
            continue
        yield Breach(
            "speculative_config.model",
            f"Model architectures ['{wanted}'] are not supported: what method {method} makes of this draft's {name}.",
            f"the image of {_told(since)} or newer"
            if since and since > view.release
            else "another draft or method (mtp, ngram, draft_model)",
            wanted,
        )
        return


def _unknown(view: View, architectures: t.Sequence[str], setting: str) -> t.Iterator[Breach]:
    spans = [SINCE_UNTIL.get(name) for name in architectures]
    if not spans or any(span is None for span in spans):
        return  # always there, or nothing that any release knows: a plug-in's
    for name, span in zip(architectures, spans):
        since, until = span or (None, None)
        if since and view.release < since:
            yield Breach(
                setting,
                f"This release does not know {name}: it came with {_told(since)}.",
                f"the image of {_told(since)} or newer",
                name,
            )
            return
        if until and view.release > until:
            yield Breach(
                setting,
                f"This release does not know {name} any more: {_told(until)} was the last.",
                f"the image of {_told(until)} or older",
                name,
            )
            return


@rule(
    "mtp_weights",
    "speculative_config spec_method",
    "vllm: MTP speculative decoding layer weights missing from checkpoint",
    "0.10.2",
    needs=("model",),
    stage="fit",
)
def mtp_layers_are_there(view: View) -> t.Iterator[Breach]:
    """Fine-tuned and quantized checkpoints often leave them out, and their config.json does not tell."""
    speculation, tensors = view.speculation, tensors_of(view)
    if speculation is None or speculation.method != "mtp" or speculation.model or tensors is None:
        return
    if not tensors.complete or not family_of(view).startswith(_KNOWN_MTP) or tensors.has_mtp:
        return
    if any(group.name == "*" for group in tensors.groups):
        return  # sums alone tell no names
    yield Breach(
        "speculative_config",
        "MTP drafts with layers of the model that this checkpoint does not hold: its files name no tensor of them.",
        "leave the speculative settings out, or take a checkpoint with its mtp layers",
    )


@rule(
    "offload_pattern_matches_nothing",
    "cpu_offload_params offload_params",
    "model_executor/offloader/uva.py (0.17.0 to 0.33.0)",
    "0.17.0",
    severity="warning",
    stage="fit",
)
def offload_names_are_of_this_model(view: View) -> t.Iterator[Breach]:
    """Names that no tensor of this model has move nothing, silently."""
    tensors = tensors_of(view)
    if tensors is None or any(group.name == "*" for group in tensors.groups):
        return
    for setting in ("cpu_offload_params", "offload_params"):
        value = view.value(setting)
        for name in sorted(map(str, value)) if isinstance(value, (list, tuple, set, frozenset)) else ():
            if _is_plain(name) and not any(matches(name, group.name) for group in tensors.groups):
                held = [
                    each
                    for each in ("experts", "mlp", "self_attn", "linear_attn")
                    if each in tensors.segments()
                ]
                yield Breach(
                    setting,
                    f"{setting}: no tensor of this model has {name!r} between dots, so it moves nothing.",
                    f"{setting}: [{', '.join(held) or 'mlp'}]",
                    name,
                )


def _is_plain(name: str) -> bool:
    """Neither a pattern, which the settings' own rule tells, nor a name that only vLLM gives."""
    fused = any(part in FUSED_SEGMENTS or part.isdigit() for part in name.split("."))
    return (
        not fused and not any(mark in name for mark in "*?[]()^$|\\+") and name not in ("expert", "w13", "w2")
    )


RULES = rules_of(globals())
