"""Which model classes take LoRA adapters."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..._settings.version import Release, format_release
from ..adapters_data import SPANS
from .known import in_span, takes_own_class

# Classes of mixtures of experts with SupportsLoRA and without get_expert_mapping, while that was asked for.
_WITHOUT_MAPPING: dict[str, tuple[Release, Release]] = {
    "Gemma4ForConditionalGeneration": ((0, 20, 0), (0, 24, 0)),
    "Gemma4ForCausalLM": ((0, 20, 0), (0, 24, 0)),
    "GraniteMoeForCausalLM": ((0, 11, 1), (0, 24, 0)),
    "NemotronHForCausalLM": ((0, 11, 1), (0, 13, 0)),
}
_OLDEST = min(first for spans in SPANS.values() for first, last in spans)


@rule(
    "lora_not_supported",
    "enable_lora",
    "v1/worker/lora_model_runner_mixin.py load_lora_model, model_executor/models (0.10.2 to 0.33.0)",
    needs=("model",),
    stage="fit",
    also=lambda view: (
        view.flag("enable_lora")
        and takes_own_class(view)
        and not view.given("hf_overrides", "model_class_overrides")
    ),
)
def the_model_takes_adapters(view: View) -> t.Iterator[Breach]:
    """Classes without SupportsLoRA end when their weights are loaded."""
    names, release = view.model.architectures, max(view.release, _OLDEST)
    if len(names) != 1:
        return
    until = [last for first, last in SPANS.get(names[0], ()) if in_span(release, first, last)]
    if until:
        last = until[0]
        newer = max(end for spans in SPANS.values() for _first, end in spans)
        yield Breach(
            "enable_lora",
            f"{names[0]} does not support LoRA yet in this release.",
            "leave enable_lora out"
            + (f", or an image newer than {format_release(last)}" if last < newer else ""),
        )


@rule(
    "lora_not_supported",
    "enable_lora",
    "lora/utils.py process_packed_modules_mapping, model_executor/models without get_expert_mapping (0.11.2 to 0.24.0),"
    " vllm#53470",
    "0.11.1",
    "0.24.0",
    needs=("model",),
    stage="fit",
    also=lambda view: view.flag("enable_lora") and takes_own_class(view) and not view.given("hf_overrides"),
)
def adapters_know_the_experts(view: View) -> t.Iterator[Breach]:
    """A mixture of experts takes adapters only where its class tells which tensor is of which expert."""
    names = view.model.architectures
    span = _WITHOUT_MAPPING.get(names[0]) if len(names) == 1 and view.model.is_moe is True else None
    if span and in_span(view.release, *span):
        yield Breach(
            "enable_lora",
            f'{names[0]} takes no adapters for its experts in this release: "To support LoRA for MoE model,'
            " 'get_expert_mapping' must be implemented\".",
            f"leave enable_lora out, or an image newer than {format_release(span[1])}",
        )


RULES = rules_of(globals())
