"""The KV cache's number format against checkpoint, GPU and model."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..kv_format import is_turboquant
from .known import family_of

_SETTING = "kv_cache_dtype"
_FP8_CHECKPOINTS = ("fp8", "fbgemm_fp8", "modelopt", "modelopt_fp4", "modelopt_mixed", "quark")
_E4M3_FROM = 89
# Since this release weight-only compressed-tensors checkpoints take e5m2 (the code is in 0.24.0, not in 0.23.0).
_WEIGHT_ONLY_MAY_SINCE = (0, 24, 0)


@rule(
    "kv_dtype_conflicts_with_checkpoint",
    _SETTING,
    "layers/attention/attention.py (0.12.0 to 0.33.0)",
    needs=("model",),
    stage="fit",
)
def e5m2_needs_a_plain_checkpoint(view: View) -> t.Iterator[Breach]:
    """Checkpoints that bring scales for an FP8 cache take e4m3 only."""
    stored = view.model.quantization
    if view.text(_SETTING) != "fp8_e5m2" or stored is None:
        return
    compressed = stored.method == "compressed-tensors"
    refused = compressed and (stored.kv_cache_scheme or view.release < _WEIGHT_ONLY_MAY_SINCE)
    if refused or stored.method in _FP8_CHECKPOINTS:
        yield Breach(
            _SETTING,
            f"fp8_e5m2 does not go together with this {stored.method} checkpoint (fp8_e5m2 kv-cache is not supported"
            " with fp8 checkpoints).",
            f"{_SETTING}: fp8, which is e4m3",
        )


@rule(
    "kv_dtype_not_supported_on_gpu",
    _SETTING,
    "Triton: type fp8e4nv not supported in this architecture",
    needs=("gpu",),
    severity="warning",
    stage="fit",
)
def triton_has_e4m3(view: View) -> t.Iterator[Breach]:
    """Triton's kernels know e4m3 from compute capability 8.9; FlashInfer does without."""
    dtype, capability = view.text(_SETTING), view.capability
    forced = view.text("attention_backend").upper().startswith("TRITON") and dtype in ("fp8", "fp8_e4m3")
    if capability is not None and capability < _E4M3_FROM and (forced or dtype == "fp8_per_token_head"):
        yield Breach(
            _SETTING,
            f"{dtype} runs in Triton here, which knows e4m3 from compute capability 8.9 on; this GPU has"
            f" {capability / 10}.",
            f"{_SETTING}: int8_per_token_head, or leave attention_backend out",
        )


@rule(
    "kv_dtype_not_supported_for_model",
    _SETTING,
    "vllm#50709, reported for 0.25.0 to 0.26.0",
    "0.25.0",
    "0.26.0",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def turboquant_knows_hybrid_models(view: View) -> t.Iterator[Breach]:
    """Hybrid models with TurboQuant were broken again for two releases."""
    if is_turboquant(view.text(_SETTING)) and view.model.is_hybrid is True:
        yield Breach(
            _SETTING,
            "TurboQuant caches of hybrid models were reported to end with \"Unknown TurboQuant cache dtype: 'auto'\" in"
            " 0.25.0 and 0.26.0.",
            f"{_SETTING}: fp8",
        )


@rule(
    "kv_dtype_not_supported_for_model",
    _SETTING,
    "vllm#40094",
    "0.20.0",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def turboquant_has_a_backend(view: View) -> t.Iterator[Breach]:
    """Gemma 4 mixes heads of two sizes, which no TurboQuant backend serves."""
    if is_turboquant(view.text(_SETTING)) and family_of(view).startswith("gemma4"):
        yield Breach(
            _SETTING, "No attention backend serves Gemma 4 with a TurboQuant cache.", f"{_SETTING}: fp8"
        )


RULES = rules_of(globals())
