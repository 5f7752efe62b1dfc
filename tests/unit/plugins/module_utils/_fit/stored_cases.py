"""Cases of the rules about how checkpoints and experts are stored, adapters of experts, wide heads, and contexts."""

from __future__ import annotations

import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu

from .kernel_cases import MADE_UP
from .rule_cases import LLAMA, Judged

_LAYOUT, _TILE, _LORA = "format_not_loaded", "marlin_tile_not_divisible", "lora_not_supported"
_MISMATCH, _CLASS, _KERNEL = "quantization_mismatch", "model_arch_unsupported", "moe_backend_not_for_gpu"
_SHARED, _BACKEND = "kernel_not_for_gpu", "attention_backend_invalid_for_config"
_DRAFT = "draft_model_arch_unsupported"
_NANO, _EXPERTS, _GEMMA = "Nemotron-3-Nano-30B-A3B-NVFP4", "gemma-4-26B-A4B-it-NVFP4", "gemma-4-26B-A4B-it"
_QWEN = MADE_UP["experts"]
_NVFP4 = {"quant_method": "modelopt", "quant_algo": "NVFP4"}
_AWQ = {"quant_method": "awq", "bits": 4, "group_size": 32, "zero_point": False}
_HALF_NEVER = {"architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", "dtype": "float16"}
_QWEN35 = {"architectures": ["Qwen3_5ForConditionalGeneration"], "model_type": "qwen3_5_text"}
# Made-up models, no larger than the rule that reads them.
STORED: dict[str, dict[str, t.Any]] = {
    "mixed": {**MADE_UP["dense"], "quantization_config": {**_NVFP4, "quant_algo": "MIXED_PRECISION"}},
    "awq, no zeros": {**MADE_UP["dense"], "quantization_config": _AWQ},
    "awq, zeros": {**MADE_UP["dense"], "quantization_config": {**_AWQ, "zero_point": True}},
    "awq, no zeros, in half": {**MADE_UP["dense"], "dtype": "float16", "quantization_config": _AWQ},
    "awq, no zeros, never half": {**MADE_UP["dense"], **_HALF_NEVER, "quantization_config": _AWQ},
    "sees": {**MADE_UP["dense"], **_QWEN35, "vision_config": {"num_heads": 16}},
    "reads": {**MADE_UP["dense"], **_QWEN35},
    "experts in nvfp4": {**_QWEN, "quantization_config": _NVFP4},
    "experts in fp8": {**_QWEN, "quantization_config": {"quant_method": "fp8"}},
    "clamped experts": {**_QWEN, "swiglu_limit": 10.0, "quantization_config": _NVFP4},
}
_TEXT_CLASS = {"hf_overrides": {"architectures": ["Qwen3_5ForCausalLM"]}}
_OWN_CLASS = {"hf_overrides": {"architectures": ["Qwen3_5ForConditionalGeneration"]}}
_BY_MARLIN = {"tensor_parallel_size": 2, "moe_backend": "marlin"}
_OLDER_RADEON = (Gpu("AMD Radeon 8060S Graphics", None, 98304),)
_RADEON_WITH_FP8 = (Gpu("AMD Radeon AI PRO R9700", None, 32624),)
_INSTINCT = (Gpu("AMD Instinct MI300X", None, 196592),)
_TURING = (Gpu("Quadro RTX 6000", "7.5", 24576),)
_PRO, _ADAPTERS, _TWO = ("RTX PRO 6000",), {"enable_lora": True}, {"decode_context_parallel_size": 2}
_ASSISTANT = parse_model({"model_type": "gemma4_assistant", "architectures": ["Gemma4AssistantForCausalLM"]})
_ANOTHER = parse_model({"model_type": "llama", "architectures": ["LlamaForCausalLM"]})
_DRAFTS = {"speculative_config": {"method": "mtp", "model": "a/draft", "num_speculative_tokens": 3}}
_TRITON, _FLASHINFER = {"attention_backend": "TRITON_ATTN"}, {"VLLM_ATTENTION_BACKEND": "FLASHINFER"}

STORED_CASES = (
    Judged("mixed schemes, 0.16", _LAYOUT, True, "mixed", "0.16.0"),
    Judged("mixed schemes, 0.17", _LAYOUT, False, "mixed", "0.17.0"),
    Judged("mixed schemes, 0.21", _LAYOUT, False, "mixed", "0.21.0"),
    Judged("NVFP4, 0.16", _LAYOUT, False, _NANO, "0.16.0"),
    Judged("no zero points in bfloat16, 0.23", _MISMATCH, True, "awq, no zeros", "0.23.0"),
    Judged("no zero points in bfloat16, 0.24", _MISMATCH, False, "awq, no zeros", "0.24.0"),
    Judged("zero points in bfloat16, 0.23", _MISMATCH, False, "awq, zeros", "0.23.0"),
    Judged("no zero points in float16, 0.23", _MISMATCH, False, "awq, no zeros, in half", "0.23.0"),
    Judged("no zero points where half is refused", _MISMATCH, True, "awq, no zeros, never half", "0.23.0"),
    Judged("bfloat16 that Turing makes half", _MISMATCH, False, "awq, no zeros", "0.23.0", _TURING),
    Judged("the text class for a checkpoint with an encoder", _CLASS, True, "sees", "0.28.0", settings=_TEXT_CLASS),
    Judged("the text class for a checkpoint of text", _CLASS, False, "reads", "0.28.0", settings=_TEXT_CLASS),
    Judged("the checkpoint's own class", _CLASS, False, "sees", "0.28.0", settings=_OWN_CLASS),
    Judged("704 on two GPUs by Marlin, 0.23", _TILE, True, _EXPERTS, "0.23.0", _PRO, _BY_MARLIN),
    Judged("704 on two GPUs by Marlin, 0.24", _TILE, False, _EXPERTS, "0.24.0", _PRO, _BY_MARLIN),
    Judged("704 on two GPUs of 9.0, 0.23", _TILE, True, _EXPERTS, "0.23.0", settings={"tensor_parallel_size": 2}),
    Judged("704 on two GPUs by another kernel, 0.23", _TILE, False, _EXPERTS, "0.23.0", _PRO, {"tensor_parallel_size": 2}),
    Judged("704 on one GPU by Marlin, 0.23", _TILE, False, _EXPERTS, "0.23.0", _PRO, {"moe_backend": "marlin"}),
    Judged(
        "704 kept whole", _TILE, False, _EXPERTS, "0.23.0", _PRO, {**_BY_MARLIN, "enable_expert_parallel": True}
    ),
    Judged("experts without a gate on 12.0, 0.15", _KERNEL, True, _NANO, "0.15.1", _PRO),
    Judged("experts without a gate on 12.0, 0.16", _KERNEL, False, _NANO, "0.16.0", _PRO),
    Judged("experts with a gate on 12.0, 0.15", _KERNEL, False, "experts in nvfp4", "0.15.1", _PRO),
    Judged("experts without a gate on 10.0, 0.15", _KERNEL, False, _NANO, "0.15.1", ("B200",)),
    Judged(
        "experts without a gate by FlashInfer, 0.14",
        _KERNEL, False, _NANO, "0.14.1", _PRO, env={"VLLM_USE_FLASHINFER_MOE_FP4": "1"},
    ),
    Judged("clamped experts on 12.0, 0.23", _KERNEL, True, "clamped experts", "0.23.0", _PRO),
    Judged("clamped experts on 12.0, 0.24", _KERNEL, False, "clamped experts", "0.24.0", _PRO),
    Judged("experts that are not clamped on 12.0, 0.23", _KERNEL, False, "experts in nvfp4", "0.23.0", _PRO),
    Judged("clamped experts on 10.0, 0.23", _KERNEL, False, "clamped experts", "0.23.0", ("B200",)),
    Judged("NVFP4 experts on 12.0, 0.12", _KERNEL, True, "experts in nvfp4", "0.12.0", _PRO),
    Judged("NVFP4 experts on 12.0, 0.14", _KERNEL, False, "experts in nvfp4", "0.14.1", _PRO),
    Judged("FP8 experts on 12.0, 0.12", _KERNEL, False, "experts in fp8", "0.12.0", _PRO),
    Judged("NVFP4 experts on 10.0, 0.12", _KERNEL, False, "experts in nvfp4", "0.12.0", ("B200",)),
    Judged("FP8 experts on an older Radeon, 0.27", _KERNEL, True, "experts in fp8", "0.27.1", _OLDER_RADEON),
    Judged("FP8 experts on an older Radeon, 0.28", _KERNEL, False, "experts in fp8", "0.28.0", _OLDER_RADEON),
    Judged("FP8 experts on an Instinct, 0.27", _KERNEL, False, "experts in fp8", "0.27.1", _INSTINCT),
    Judged("FP8 experts on a Radeon with FP8, 0.20", _KERNEL, False, "experts in fp8", "0.20.2", _RADEON_WITH_FP8),
    Judged("FP8 experts on a Radeon with FP8, 0.19", _KERNEL, True, "experts in fp8", "0.19.1", _RADEON_WITH_FP8),
    Judged("adapters of Gemma 4's experts, 0.24", _LORA, True, _GEMMA, "0.24.0", settings=_ADAPTERS),
    Judged("adapters of Gemma 4's experts, 0.25", _LORA, False, _GEMMA, "0.25.1", settings=_ADAPTERS),
    Judged("adapters of Gemma 4 without experts, 0.24", _LORA, False, "gemma-4-31B-it", "0.24.0", settings=_ADAPTERS),
    Judged("heads of 512 on 7.5", _SHARED, True, "gemma-4-31B-it", "0.26.0", _TURING),
    Judged("heads of 512 on 8.0", _SHARED, False, "gemma-4-31B-it", "0.26.0", ("A100",)),
    Judged("heads of 128 on 7.5", _SHARED, False, LLAMA, "0.26.0", _TURING),
    Judged("Triton over several contexts", _BACKEND, True, LLAMA, "0.28.0", settings={**_TRITON, **_TWO}),
    Judged("Triton over one context", _BACKEND, False, LLAMA, "0.28.0", settings=_TRITON),
    Judged("FlashInfer over several contexts, 0.11.0", _BACKEND, True, LLAMA, "0.11.0", settings=_TWO, env=_FLASHINFER),
    Judged("FlashInfer over several contexts, 0.11.1", _BACKEND, False, LLAMA, "0.11.1", settings=_TWO, env=_FLASHINFER),
    Judged("Gemma 4's assistant, 0.20", _DRAFT, True, _GEMMA, "0.20.2", settings=_DRAFTS, draft=_ASSISTANT),
    Judged("Gemma 4's assistant, 0.21", _DRAFT, False, _GEMMA, "0.21.0", settings=_DRAFTS, draft=_ASSISTANT),
    Judged("Gemma 4's assistant, 0.33", _DRAFT, False, _GEMMA, "0.33.0", settings=_DRAFTS, draft=_ASSISTANT),
    Judged("a draft of an ordinary kind, 0.20", _DRAFT, False, _GEMMA, "0.20.2", settings=_DRAFTS, draft=_ANOTHER),
)  # fmt: skip
