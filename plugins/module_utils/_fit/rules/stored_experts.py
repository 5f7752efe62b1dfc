"""Kernels that vLLM chooses by itself for experts in NVFP4 and FP8, against shapes, activations and GPUs."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_fields import text_config
from ..config_weights import NO_GATE
from .expert_kernels import asked_kernel, format_of_experts
from .known import family_of

_TP = "tensor_parallel_size"
_NARROW, _WIDE = 64, 128
# Radeons with FP8 of their own (gfx12), which count since 0.20; all others since 0.28.
_WITH_FP8 = ("R9700", "R9600", "9070", "9060")


@rule(
    "marlin_tile_not_divisible",
    "",
    "quantization/utils/marlin_utils_fp4.py prepare_nvfp4_moe_layer_for_marlin (0.16.0 to 0.23.0, padded since 0.24.0),"
    " eugr/spark-vllm-docker#157",
    "0.14.0",
    "0.23.0",
    needs=("model", "gpu"),
    stage="fit",
)
def marlin_takes_the_experts_width(view: View) -> t.Iterator[Breach]:
    """Marlin multiplies whole tiles of 64 x 128; experts in NVFP4 were not padded to them."""
    width, hidden = view.model.expert_intermediate_size or 0, view.model.hidden_size or 0
    parts = 1 if view.flag("enable_expert_parallel") else view.tp * view.dp
    older = view.capability is not None and view.capability < 100
    by_marlin = asked_kernel(view) == "marlin" or (older and not asked_kernel(view))
    if format_of_experts(view) != "nvfp4" or not by_marlin or not width or not hidden or width % parts:
        return
    part = width // parts
    if not ((hidden % _WIDE == 0 and part % _NARROW == 0) or (hidden % _NARROW == 0 and part % _WIDE == 0)):
        yield Breach(
            _TP,
            f"The experts' inner width {width} makes parts of {part} on {parts} GPUs, which Marlin's tiles of {_NARROW} do not"
            ' divide: "Invalid thread config".',
            "enable_expert_parallel: true, or the image of 0.24.0 or newer",
            view.tp,
        )


@rule(
    "moe_backend_not_for_gpu",
    "",
    "quantization/modelopt.py ModelOptNvFp4FusedMoE (0.14.1: Non-gated activations), vllm#35065 (0.15); Marlin takes them"
    " since 0.16.0",
    "0.13.0",
    "0.15.1",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def experts_without_a_gate_have_a_kernel(view: View) -> t.Iterator[Breach]:
    """Nemotron-H's experts have no gate; of the first kernels for NVFP4 one knew that, on few GPUs."""
    capability = view.capability or 0
    if format_of_experts(view) != "nvfp4" or not family_of(view).startswith(NO_GATE):
        return
    served = capability // 10 == 10 if view.release >= (0, 15, 0) else capability >= 100
    asked = view.release >= (0, 15, 0) or view.env_on("VLLM_USE_FLASHINFER_MOE_FP4")
    if not (served and asked):
        yield Breach(
            "env.VLLM_USE_FLASHINFER_MOE_FP4",
            "This model's experts have no gate, and in this release FlashInfer's CUTLASS alone runs such experts in NVFP4"
            ' ("Non-gated activations are only supported by FlashInfer CUTLASS", "No NvFp4 MoE backend supports the'
            ' deployment configuration").',
            "the image of 0.16.0 or newer",
        )


@rule(
    "moe_backend_not_for_gpu",
    "",
    "layers/fused_moe/oracle/nvfp4.py NVFP4_BACKENDS_WITH_CLAMP (0.22.1, 0.23.0; 0.24.0 has more of them)",
    "0.22.0",
    "0.23.0",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def clamped_experts_have_a_kernel(view: View) -> t.Iterator[Breach]:
    """Where activations are clamped, two releases knew TensorRT's kernel only, which is for 10.x."""
    stored, capability = view.model.quantization, view.capability
    nvfp4 = stored is not None and (stored.algorithm or "").upper() == "NVFP4"
    clamped = bool(text_config(view.model.raw).get("swiglu_limit")) and view.model.is_moe is True
    if not nvfp4 or not clamped or capability is None or capability // 10 == 10:
        return
    if not view.env_on("VLLM_TEST_FORCE_FP8_MARLIN"):
        yield Breach(
            "model",
            f"The experts clamp their activations (swiglu_limit), which in NVFP4 this release does on GPUs of 10.x only; this"
            f' one has {capability / 10}: "No NvFp4 MoE backend supports the deployment configuration".',
            "the image of 0.24.0 or newer, or a checkpoint whose experts are in MXFP4 or FP8",
        )


@rule(
    "moe_backend_not_for_gpu",
    "",
    "reported for RTX 5090 with 0.10.1 and GB10 with 0.12.0 (vllm#23826, #24968, #30163)",
    until="0.12.0",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def nvfp4_experts_run_on_consumer_blackwell(view: View) -> t.Iterator[Breach]:
    """The first CUTLASS kernels for experts in NVFP4 were built for 10.0."""
    capability = view.capability or 0
    forced = view.env_on("VLLM_TEST_FORCE_FP8_MARLIN")
    if format_of_experts(view) == "nvfp4" and capability // 10 == 12 and not forced:
        yield Breach(
            "model",
            f"Experts in NVFP4 were reported to end the start on GPUs of {capability / 10} in this release: its kernels are"
            " those of 10.0.",
            "the image of 0.14.0 or newer",
        )


@rule(
    "moe_backend_not_for_gpu",
    "",
    "layers/fused_moe TritonExperts._supports_quant_scheme (gfx9 alone until 0.19.1, supports_fp8 from 0.20.2, all of ROCm"
    " from 0.28.0)",
    "0.16.0",
    "0.27.1",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def fp8_experts_run_on_the_radeon(view: View) -> t.Iterator[Breach]:
    """Experts in FP8 were for AMD's Instinct only, and then for Radeons with FP8 of their own."""
    names = [(gpu.name or "").upper() for gpu in view.gpus]
    radeons = [name for name in names if "RADEON" in name]
    with_fp8 = view.release >= (0, 20, 0) and all(any(mark in name for mark in _WITH_FP8) for name in radeons)
    if radeons and not with_fp8 and format_of_experts(view) == "fp8":
        yield Breach(
            "model",
            'This release has no kernel for experts in FP8 on a Radeon: "No FP8 MoE backend supports the deployment'
            ' configuration".',
            "a checkpoint in AWQ, GPTQ or BF16, or the image of 0.28.0 or newer",
        )


RULES = rules_of(globals())
