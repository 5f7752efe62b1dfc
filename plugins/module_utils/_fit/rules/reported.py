"""Limits of single GPUs and models that public reports and recipes tell of."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_fields import number, text_config
from ..families import family
from .known import demand_of, family_of

_MOST_FREE_OF_MI355X = 0.94  # 271 of 288 GiB: its driver keeps the rest
_WIDEST_IN_SMALL_MEMORY, _AMPERE = 512, 80
_AMD = ("AMD", "INSTINCT", "RADEON")


@rule(
    "free_memory_below_utilization",
    "",
    "reported for MI355X: 271 of 288 GiB are free at the start",
    needs=("gpu",),
    severity="warning",
    stage="fit",
)
def its_driver_leaves_that_much(view: View) -> t.Iterator[Breach]:
    """Of an MI355X the driver keeps more than twenty in a thousand, so a large share is never free."""
    asked = demand_of(view).utilization
    named = any("MI355X" in (gpu.name or "").upper() for gpu in view.gpus)
    if named and asked > _MOST_FREE_OF_MI355X and not view.given("kv_cache_memory_bytes"):
        yield Breach(
            "gpu_memory_utilization",
            f"gpu_memory_utilization {asked:g} is more than an MI355X has free at the start (271 of 288 GiB were"
            ' reported): it would end with "Free memory on device is less than desired GPU memory utilization".',
            "gpu_memory_utilization: 0.9",
            asked,
        )


@rule(
    "block_size",
    "",
    "models/minimax_m3/common/indexer.py (0.24.0 to 0.33.0), v1/worker/utils.py No common block size",
    "0.24.0",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def blocks_hold_whole_sparse_blocks(view: View) -> t.Iterator[Breach]:
    """MiniMax M3 attends to blocks of 128 tokens; on AMD's GPUs the default of 16 is not raised to it."""
    sparse = text_config(view.model.raw).get("sparse_attention_config")
    wanted = number(sparse, "sparse_block_size") if isinstance(sparse, t.Mapping) else None
    if not family_of(view).startswith("minimax_m3") or not wanted:
        return
    given = view.number("block_size") if "block_size" in view.case.given else 0
    left_alone = not given and any(mark in (gpu.name or "").upper() for gpu in view.gpus for mark in _AMD)
    if left_alone or (given and given % wanted):
        yield Breach(
            "block_size",
            f"Sparse attention of this model works on blocks of {wanted} tokens, and {given or 'the default'}"
            ' is no multiple of it: "No common block size".',
            f"block_size: {wanted}",
            given or None,
        )


@rule(
    "kernel_not_for_gpu",
    "",
    "reported for gpt-oss on B200 with 0.10.1 (Sinks must be of type float32)",
    until="0.10.1",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def early_sinks_have_their_format(view: View) -> t.Iterator[Breach]:
    """The first release with gpt-oss hands its sinks to TensorRT's kernels in another format than they take."""
    prepared = any(name.startswith("VLLM_USE_") for name in view.env)  # as the recipe says
    if family_of(view) == "gpt_oss" and _is_datacentre_blackwell(view) and not prepared:
        yield Breach(
            "model",
            'gpt-oss was reported to end with "Sinks must be of type float32" on this GPU in this release.',
            "vLLM 0.10.2 or newer",
        )


@rule(
    "kernel_not_for_gpu",
    "",
    "recipe of Step-3.5-Flash, reported for B200 with 0.15 and 0.16 (routing_logits must be bfloat16)",
    "0.15.0",
    "0.16.0",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def its_router_speaks_the_kernels_format(view: View) -> t.Iterator[Breach]:
    """FlashInfer's FP8 kernels for experts take router logits in bfloat16, and this model's are in float32."""
    off = view.env.get("VLLM_USE_FLASHINFER_MOE_FP8", "").lower() in ("0", "false")
    stored = view.model.quantization
    fp8 = family_of(view).startswith("step3p5") and stored is not None and stored.method == "fp8"
    if fp8 and _is_datacentre_blackwell(view) and not off and view.text("moe_backend") in ("", "auto"):
        yield Breach(
            "env.VLLM_USE_FLASHINFER_MOE_FP8",
            'FP8 experts of this model were reported to end with "routing_logits must be bfloat16" on this GPU.',
            'env: {VLLM_USE_FLASHINFER_MOE_FP8: "0"}',
        )


@rule(
    "kernel_not_for_gpu",
    "",
    "v1/attention/ops/triton_unified_attention.py, vllm#57712 (0.26.0: 98304 bytes of 65536)",
    "0.19.0",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def wide_heads_fit_the_shared_memory(view: View) -> t.Iterator[Breach]:
    """Heads of 512 leave Triton alone among the backends, and its tiles are larger than what Volta and Turing have."""
    widest = max(view.model.head_size or 0, number(text_config(view.model.raw), "global_head_dim") or 0)
    if widest >= _WIDEST_IN_SMALL_MEMORY and (view.capability or _AMPERE) < _AMPERE and not view.model.is_mla:
        yield Breach(
            "model",
            f"Attention with heads of {widest} was reported to need more shared memory than a GPU of"
            f' {(view.capability or 0) / 10} has ("out of resource: shared memory").',
            "another model, or a GPU of 8.0 or newer",
        )


def _is_datacentre_blackwell(view: View) -> bool:
    return any(family(gpu) == "blackwell_datacentre" for gpu in view.gpus)


@rule(
    "quantization_not_for_model",
    "",
    "models/gpt_oss.py get_expert_mapping (since 0.11.0), model_loader/bitsandbytes_loader.py:543 (0.10.2), vllm#25653",
    until="0.10.2",
    needs=("model",),
    stage="fit",
)
def early_experts_are_not_bitsandbytes(view: View) -> t.Iterator[Breach]:
    """The first releases with gpt-oss cannot tell the experts of such a checkpoint apart."""
    stored = view.model.quantization
    named = view.text("quantization").lower() == "bitsandbytes" or (
        stored and stored.method == "bitsandbytes"
    )
    if family_of(view) == "gpt_oss" and named:
        yield Breach(
            "model",
            'gpt-oss in bitsandbytes ends with "does not support BitsAndBytes quantization yet" in this release.',
            "openai's own checkpoint (mxfp4), or the image of 0.11.0 or newer",
        )


RULES = rules_of(globals())
