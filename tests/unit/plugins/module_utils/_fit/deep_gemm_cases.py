"""Cases of the rule about FP8 blocks and DeepGEMM on Blackwell without the large caches."""

from __future__ import annotations

import typing as t

from .kernel_cases import MADE_UP
from .rule_cases import Judged

_CODE, _QWEN, _GEMM = "kernel_not_for_gpu", "Qwen3.6-27B-FP8", "VLLM_USE_DEEP_GEMM"
_RTX, _PRO, _GB10, _H100 = ("RTX 5090",), ("RTX PRO 6000",), ("GB10",), ("H100",)
_FP8 = {"quant_method": "fp8", "weight_block_size": [128, 128]}
_NARROW = {**_FP8, "weight_block_size": [64, 64]}
_GROUP = {"weights": {"type": "float", "num_bits": 8, "strategy": "block", "block_structure": [128, 128]}}
_PACKED = {
    "quant_method": "compressed-tensors",
    "format": "float-quantized",
    "config_groups": {"group_0": _GROUP},
}
_SPARED = {**MADE_UP["experts"], "model_type": "qwen3_5_moe_text"}
# Made-up models, no larger than the rule that reads them.
BLOCKED: dict[str, dict[str, t.Any]] = {
    "blocks": {**MADE_UP["dense"], "quantization_config": _FP8},
    "blocks of groups": {**MADE_UP["dense"], "quantization_config": _PACKED},
    "narrow blocks": {**MADE_UP["dense"], "quantization_config": _NARROW},
    "experts in blocks": {**MADE_UP["experts"], "quantization_config": _FP8},
    "spared experts": {**_SPARED, "quantization_config": _FP8},
    "spared groups": {**MADE_UP["dense"], "model_type": "qwen3_5_text", "quantization_config": _PACKED},
}
_LINEAR, _BOTH = {"linear_backend": "triton"}, {"linear_backend": "triton", "moe_backend": "triton"}
_NAMED = {"kernel_config": {"linear_backend": "cutlass", "moe_backend": "triton"}}

DEEP_GEMM_CASES = [
    Judged("FP8 blocks on an RTX 5090", _CODE, True, _QWEN, "0.24.0", _RTX),
    Judged("FP8 blocks on a GB10", _CODE, True, _QWEN, "0.24.0", _GB10),
    Judged("FP8 blocks on an H100", _CODE, False, _QWEN, "0.24.0", _H100),
    Judged("FP8 blocks before 0.24", _CODE, False, "blocks", "0.23.0", _RTX),
    Judged("FP8 blocks on 0.25", _CODE, False, "blocks", "0.25.0", _RTX),
    Judged("FP8 blocks on 0.26", _CODE, False, "blocks", "0.26.0", _PRO),
    Judged("FP8 blocks on 0.27", _CODE, True, "blocks", "0.27.0", _PRO),
    Judged("FP8 blocks since 0.28", _CODE, False, "blocks", "0.28.0", _RTX),
    Judged("FP8 blocks of groups", _CODE, True, "blocks of groups", "0.27.1", _RTX),
    Judged("blocks that DeepGEMM does not take", _CODE, False, "narrow blocks", "0.27.1", _RTX),
    Judged("without DeepGEMM", _CODE, False, _QWEN, "0.24.0", _RTX, env={_GEMM: "0"}),
    Judged("layers that are spared on 0.27", _CODE, False, _QWEN, "0.27.1", _RTX),
    Judged("groups that are spared on 0.24", _CODE, False, "spared groups", "0.24.0", _RTX),
    Judged("experts beside layers that are spared", _CODE, True, "spared experts", "0.27.1", _RTX),
    Judged("linear layers by Triton", _CODE, False, "blocks", "0.27.1", _RTX, _LINEAR),
    Judged("linear layers by Triton, warmed up all the same", _CODE, True, "blocks", "0.24.0", _RTX, _LINEAR),
    Judged("experts beside layers by Triton", _CODE, True, "experts in blocks", "0.27.1", _RTX, _LINEAR),
    Judged("experts and layers by Triton", _CODE, False, "experts in blocks", "0.27.1", _RTX, _BOTH),
    Judged("kernels of a config", _CODE, False, "experts in blocks", "0.27.1", _RTX, _NAMED),
    Judged(
        "experts without DeepGEMM", _CODE, False, "experts in blocks", "0.27.1", _RTX, _LINEAR,
        env={"VLLM_MOE_USE_DEEP_GEMM": "0"},
    ),
]  # fmt: skip
