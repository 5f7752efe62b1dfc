"""How a checkpoint is stored, against what a release reads of it: schemes of ModelOpt, plain AWQ, names of weights."""

from __future__ import annotations

import typing as t

from ..._settings.rules.checkpoints import stated_quantization
from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..._settings.version import Release, format_release
from .known import family_of

# QUANT_ALGOS of each release, those that are not in all of them. MXFP8 may have come with 0.15, which nobody looked at.
_ALGORITHMS_SINCE: dict[str, Release] = {
    "FP8_PER_CHANNEL_PER_TOKEN": (0, 14, 0),
    "FP8_PB_WO": (0, 14, 0),
    "MXFP8": (0, 15, 0),
    "MIXED_PRECISION": (0, 17, 0),
    "W4A16_NVFP4": (0, 21, 0),
}
_MARLIN_BITS, _MARLIN_GROUPS = (4, 8), (-1, 32, 64, 128)
_NOT_IN_HALF = ("gemma2", "gemma3", "gemma3_text", "glm4")


@rule(
    "format_not_loaded",
    "",
    "quantization/modelopt.py QUANT_ALGOS (0.10.2 to 0.33.0)",
    until="0.20.2",
    needs=("model",),
    stage="fit",
    also=lambda view: not view.given("quantization", "hf_overrides"),
)
def modelopts_scheme_is_known(view: View) -> t.Iterator[Breach]:
    """ModelOpt names its scheme, and a release refuses one that it does not know."""
    stored = view.model.quantization
    if stored is None or not stored.method.startswith("modelopt"):
        return
    named = (stored.algorithm or "").upper()
    since = _ALGORITHMS_SINCE.get(named)
    if since is not None and view.release < since:
        yield Breach(
            "model",
            f"The checkpoint's scheme {named} is not read by this release: \"ModelOpt currently only supports: ['FP8', 'NVFP4',"
            ' …] quantizations".',
            f"the image of {format_release(since)} or newer",
            named,
        )


def _is_plain_awq(view: View) -> bool:
    """Whether Marlin cannot take these weights, so that AWQ's own kernels run them; only where the config says enough."""
    stated = stated_quantization(view)
    if stated.get("quant_method") != "awq" or view.model.is_moe is not False:
        return False
    bits, group, zeros = stated.get("bits"), stated.get("group_size"), stated.get("zero_point")
    if not isinstance(bits, int) or not isinstance(group, int) or not isinstance(zeros, bool):
        return False
    return bits not in _MARLIN_BITS or group not in _MARLIN_GROUPS or not zeros


@rule(
    "quantization_mismatch",
    "",
    "quantization/awq_marlin.py is_awq_marlin_compatible, awq.py get_supported_act_dtypes (0.10.2 to 0.23.0), vllm#28857",
    until="0.23.0",
    needs=("model",),
    stage="fit",
    also=lambda view: not view.given("quantization", "hf_overrides"),
)
def awq_without_marlin_is_half(view: View) -> t.Iterator[Breach]:
    """AWQ without zero points is not for Marlin, and the plain kernels know float16 only."""
    if not _is_plain_awq(view) or (view.capability or 80) < 80:
        return
    never_half = view.model.model_type in _NOT_IN_HALF
    widened = never_half and view.dtype == "float16" and view.text("dtype") in ("", "auto")
    found = "float32" if widened else view.dtype
    if found in ("bfloat16", "float32"):
        half = "" if never_half else "dtype: half, or "
        yield Breach(
            "dtype",
            f"torch.{found} is not supported for quantization method awq: weights of this kind (no zero points) run on AWQ's"
            " plain kernels, which know float16 only.",
            f"{half}a checkpoint in another format (compressed-tensors, gptq), or the image of 0.24.0 or newer",
            found,
        )


@rule(
    "model_arch_unsupported",
    "hf_overrides",
    "models/qwen3_5.py Qwen3_5ForCausalLMBase.load_weights (0.27.1 to 0.33.0), two reports of 0.28.0",
    "0.27.0",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def the_text_class_has_no_encoder(view: View) -> t.Iterator[Breach]:
    """Forced onto a checkpoint with an encoder, the class without one does not know its tensors."""
    forced = view.json("hf_overrides").get("architectures")
    names = [str(name) for name in forced] if isinstance(forced, list) else []
    encodes = isinstance(view.model.raw.get("vision_config"), t.Mapping)
    text_only = [name for name in names if name in ("Qwen3_5ForCausalLM", "Qwen3_5MoeForCausalLM")]
    if text_only and encodes and family_of(view).startswith("qwen3_5"):
        yield Breach(
            "hf_overrides",
            f'{text_only[0]} does not read a checkpoint that holds an encoder: "There is no module or parameter named'
            " 'visual'\".",
            "language_model_only: true in its place, which leaves the encoder out",
            text_only[0],
        )


RULES = rules_of(globals())
