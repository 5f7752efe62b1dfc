"""Which model classes take LoRA adapters."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..adapters_data import SPANS
from .known import in_span, takes_own_class

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
            + (", or an image newer than " + ".".join(map(str, last)) if last < newer else ""),
        )


RULES = rules_of(globals())
