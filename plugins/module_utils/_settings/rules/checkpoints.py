"""What a release can do with a checkpoint as it is stored."""

from __future__ import annotations

import typing as t

from .rule import Breach, row, rule, rules_of
from .view import View

# GPTQ went through plain kernels until then, and goes through Marlin's alone since.
_MARLIN_ALONE_SINCE = (0, 22, 0)
_GPTQ = ("gptq", "gptq_marlin", "auto_gptq", "marlin")
_PLAIN_GPTQ_BITS = (2, 3, 4, 8)
_MARLIN_BITS = (4, 8)


def stated_quantization(view: View) -> t.Mapping[str, t.Any]:
    """What config.json says of how the weights are stored, word by word; empty where it says nothing."""
    raw = view.model.raw
    for holder in (raw, raw.get("text_config")):
        stated = holder.get("quantization_config") if isinstance(holder, t.Mapping) else None
        if isinstance(stated, t.Mapping):
            return stated
    return {}


def _as_stored(view: View, methods: t.Collection[str]) -> bool:
    """Whether the checkpoint is read by the method that it names."""
    stored, asked = view.model.quantization, view.text("quantization").lower()
    return bool(stored and stored.method in methods and (not asked or asked in methods))


@rule(
    "gptq_layout_not_supported",
    "",
    "quantization/gptq.py GPTQConfig (0.10.2 to 0.21.0), auto_gptq.py AutoGPTQConfig (0.22.1 to 0.33.0)",
    needs=("model",),
    also=lambda view: not view.given("hf_overrides"),
)
def gptq_weights_have_a_kernel(view: View) -> t.Iterator[Breach]:
    """GPTQ of other widths, or asymmetric, had slow kernels once and has none now."""
    if not _as_stored(view, _GPTQ):
        return
    bits, symmetric = view.model.quantization.bits, stated_quantization(view).get("sym")
    alone = view.release >= _MARLIN_ALONE_SINCE
    if bits is None or (
        bits in (_MARLIN_BITS if alone else _PLAIN_GPTQ_BITS) and not (alone and symmetric is False)
    ):
        return
    told = f"bits={bits}, sym={symmetric}" if alone else f"{bits} bits"
    yield Breach(
        "model",
        f"This release reads GPTQ checkpoints of {'4 or 8 bits, symmetric' if alone else '2, 3, 4 or 8 bits'} only; this"
        f" one has {told}.",
        "another checkpoint" + (", or a release before 0.22.0" if alone and bits in _PLAIN_GPTQ_BITS else ""),
        bits,
    )


@rule(
    "awq_layout_not_supported",
    "",
    "quantization/awq.py AWQConfig (0.10.2 to 0.23.0), auto_awq.py AutoAWQConfig (0.24.0 to 0.33.0)",
    needs=("model",),
    also=lambda view: not view.given("hf_overrides"),
)
def awq_weights_have_a_kernel(view: View) -> t.Iterator[Breach]:
    """AWQ is 4 bits wide; Marlin's kernels read 8, too."""
    if not _as_stored(view, ("awq", "awq_marlin", "auto_awq")):
        return
    bits, plain = view.model.quantization.bits, view.text("quantization").lower() == "awq"
    if bits is not None and bits not in ((4,) if plain and view.release < (0, 24, 0) else _MARLIN_BITS):
        yield Breach(
            "model",
            f"This release reads AWQ checkpoints of 4 bits{'' if plain else ', or 8 through Marlin,'} only; this one has"
            f" {bits}.",
            "another checkpoint",
            bits,
        )


_ROWS = (
    row(
        "quantization_in_half",
        "dtype",
        "quantization/mxfp4.py get_supported_act_dtypes (0.10.2 to 0.33.0), config/vllm.py:939 (0.33.0)",
        lambda view: _as_stored(view, ("mxfp4", "gpt_oss_mxfp4")),
        lambda view: f"Weights stored as mxfp4 are computed in bfloat16 only, not in {view.text('dtype')}.",
        "leave dtype out",
        since="0.10.1",
        needs=("model",),
        also=lambda view: view.text("dtype") in ("float16", "half", "float32", "float"),
    ),
)

RULES = rules_of(globals())
