"""What encoders of pictures ask of tensor parallelism and of the size of a step."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_fields import Config, first_number, text_config
from .known import demand_of

_TP = "tensor_parallel_size"
# Encoders that are split by heads like the language model, unless they run whole on every GPU.
_SPLIT_BY_HEADS = frozenset((
    "qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe", "glm4v", "glm4v_moe",
    "gemma3", "llava", "llava_next", "mistral3", "pixtral", "llama4", "idefics3", "smolvlm", "paligemma",
))  # fmt: skip
# Those of them that also split an inner width.
_SPLIT_BY_WIDTH = frozenset(
    ("qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe", "gemma3", "mistral3")
)
# A video of Gemma 4 is 32 frames of 78 tokens, and no input of its encoders is cut.
_VIDEO_OF_GEMMA4 = 32 * 78
_RAISES_THE_STEP_SINCE = (0, 22, 0)


def _encoder(view: View) -> Config | None:
    """The encoder's part of the config, where the server runs it."""
    vision = view.model.raw.get("vision_config")
    without = view.flag("language_model_only") or _disabled(view, "image", "video")
    return vision if isinstance(vision, t.Mapping) and not without else None


def _disabled(view: View, *kinds: str) -> bool:
    """Whether none of these may be in a prompt."""
    limits = view.json("limit_mm_per_prompt")
    return all(_count(limits.get(kind)) == 0 for kind in kinds)


def _count(limit: t.Any) -> t.Any:
    return limit.get("count") if isinstance(limit, t.Mapping) else limit


@rule(
    "encoder_not_divisible",
    _TP,
    "models/qwen2_5_vl.py, siglip.py, pixtral.py (0.10.2 to 0.33.0): divide, MergedColumnParallelLinear",
    needs=("model",),
    stage="fit",
    also=lambda view: (
        view.tp > 1
        and view.text("mm_encoder_tp_mode") != "data"
        and not view.flag("enable_multimodal_encoder_data_parallel")
    ),
)
def tensor_parallelism_divides_the_encoder(view: View) -> t.Iterator[Breach]:
    """Its heads and its inner width are divided, too."""
    family, vision = view.model.model_type or "", _encoder(view)
    if vision is None or family not in _SPLIT_BY_HEADS or view.text("model_impl") == "transformers":
        return
    widths = [("heads", first_number(vision, "num_heads", "num_attention_heads"))]
    if family in _SPLIT_BY_WIDTH:
        widths.append(("inner width", first_number(vision, "intermediate_size")))
    for what, width in widths:
        if width and width % view.tp:
            yield Breach(
                _TP,
                f"The {what} of the model's encoder, {width}, is not divisible by {_TP} {view.tp}.",
                "mm_encoder_tp_mode: data, a smaller tensor_parallel_size, or language_model_only: true for text alone",
            )
            return


@rule(
    "step_smaller_than_picture",
    "",
    "v1/core/encoder_cache_manager.py compute_mm_encoder_budget, platforms/cuda.py (0.20.0 to 0.33.0), models/gemma4_mm.py",
    "0.20.0",
    needs=("model", "gpu"),
    stage="fit",
)
def a_step_holds_a_video(view: View) -> t.Iterator[Breach]:
    """Gemma 4 reads pictures in both directions, so one must be in one step."""
    both = text_config(view.model.raw).get("use_bidirectional_attention") == "vision"
    if view.model.model_type != "gemma4" or not both or _encoder(view) is None or _disabled(view, "video"):
        return
    given = view.given("max_num_batched_tokens")
    tokens = demand_of(view).step_tokens
    if tokens >= _VIDEO_OF_GEMMA4 or (not given and view.release >= _RAISES_THE_STEP_SINCE):
        return
    if not isinstance(view.json("limit_mm_per_prompt").get("video"), t.Mapping):
        yield Breach(
            "max_num_batched_tokens",
            f'A step holds {tokens} tokens and a video up to {_VIDEO_OF_GEMMA4}, which this model reads whole: "Chunked MM'
            f' input disabled but max_tokens_per_mm_item ({_VIDEO_OF_GEMMA4}) is larger than max_num_batched_tokens".',
            f"max_num_batched_tokens: {_VIDEO_OF_GEMMA4} or more, or limit_mm_per_prompt: {{video: 0}}",
            tokens,
        )


RULES = rules_of(globals())
