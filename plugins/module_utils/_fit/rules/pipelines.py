"""Which models and which drafts can be split into a pipeline."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.speculation import Speculation
from ..._settings.rules.view import View
from ..pipelines_data import SPANS
from .known import family_of, in_span, takes_own_class

_OLDEST = min(first for spans in SPANS.values() for first, last in spans)
# What vLLM makes of a model whose own layers draft, by the family of its config.
_DEEPSEEK = ("DeepSeekMTPModel", "DeepseekV32MTPModel")
_DRAFTS: dict[tuple[str, str], tuple[str, ...]] = {
    **{("mtp", family): _DEEPSEEK for family in ("deepseek_v3", "deepseek_v32", "glm_moe_dsa")},
    ("mtp", "deepseek_v4"): ("DeepSeekV4MTPModel",),
    ("dspark", "deepseek_v4"): ("DeepSeekV4MTPModel", "DSparkDraftModel"),
    ("mtp", "qwen3_next"): ("Qwen3NextMTP",),
    ("mtp", "qwen3_5"): ("Qwen3_5MTP",),
    ("mtp", "qwen3_5_moe"): ("Qwen3_5MoeMTP",),
    ("mtp", "glm4_moe"): ("Glm4MoeMTPModel",),
    ("mtp", "ernie4_5_moe"): ("ErnieMTPModel",),
    ("mtp", "longcat_flash"): ("LongCatFlashMTPModel",),
    ("mtp", "mimo"): ("MiMoMTPModel",),
    ("mtp", "step3p5"): ("Step3p5MTP",),
}


def _cannot_split(view: View, names: t.Collection[str]) -> bool:
    """Whether this release has some of these classes, and can split none of them."""
    release = max(view.release, _OLDEST)
    lacking = [
        name for name in names if any(in_span(release, first, last) for first, last in SPANS.get(name, ()))
    ]
    return bool(lacking) and all(name in SPANS for name in names)


def _in_pipeline(view: View) -> bool:
    return view.pp > 1 and takes_own_class(view) and not view.given("hf_overrides")


@rule(
    "pipeline_not_supported",
    "pipeline_parallel_size",
    "config/model.py:1573 (0.33.0), model_executor/models (0.10.2 to 0.33.0)",
    needs=("model",),
    stage="fit",
    also=_in_pipeline,
)
def the_model_can_be_split(view: View) -> t.Iterator[Breach]:
    """Classes without SupportsPP end before anything is loaded."""
    names = view.model.architectures
    if len(names) == 1 and _cannot_split(view, names):
        yield Breach(
            "pipeline_parallel_size",
            f"{names[0]} cannot be split into a pipeline in this release.",
            "pipeline_parallel_size: 1, with tensor_parallel_size",
        )


@rule(
    "draft_pipeline_not_supported",
    "pipeline_parallel_size",
    "config/speculative.py create_draft_parallel_config (0.10.2 to 0.29.0), vllm#52069",
    until="0.29.0",
    needs=("model",),
    stage="fit",
    also=_in_pipeline,
)
def the_draft_can_be_split(view: View) -> t.Iterator[Breach]:
    """A draft took over the pipeline of its model until 0.30, and most layers that draft know none."""
    speculation = view.speculation
    if speculation is None:
        return
    names = _named_draft(view, speculation) if speculation.model else _own_draft(view, speculation)
    if names and _cannot_split(view, names):
        yield Breach(
            "pipeline_parallel_size",
            f'{names[0]}, which drafts, cannot be split into a pipeline: this release ends with "Pipeline parallelism is not'
            ' supported for this model".',
            "tensor_parallel_size in its place, no speculative settings, or the image of 0.30.0 or newer",
        )


def _own_draft(view: View, speculation: Speculation) -> tuple[str, ...]:
    """The classes of the model's own layers that draft."""
    family = family_of(view)
    family = family[: -len("_text")] if family.endswith("_text") else family
    return _DRAFTS.get((speculation.method or "", family), ())


def _named_draft(view: View, speculation: Speculation) -> tuple[str, ...]:
    """The class of a draft of its own, as vLLM names it."""
    if view.draft is None or len(view.draft.architectures) != 1:
        return ()
    name, mark = (
        view.draft.architectures[0],
        {"eagle": "Eagle", "eagle3": "Eagle3"}.get(speculation.method or "", ""),
    )
    return (name if name.startswith(mark) or name.endswith("Eagle3") else f"{mark}{name}",)


RULES = rules_of(globals())
