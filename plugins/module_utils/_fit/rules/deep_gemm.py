"""FP8 blocks on Blackwell without the large caches, in the releases whose DeepGEMM has no kernels for it."""

from __future__ import annotations

import typing as t

from ..._settings.inputs import FALSE
from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_parts import Quantization
from ..families import capability
from .expert_kernels import asked_kernel

_BLOCK = (128, 128)
# Between these the DeepGEMM that a release builds (cmake/external_projects/deepgemm.cmake) has them.
_SERVED = ((0, 25, 0), (0, 26, 0))
# utils/deep_gemm.py: linear layers of these are left alone; the warm-up of 0.24 does not ask.
_SPARED = ("qwen3_5_text", "qwen3_5_moe_text")


def _left_on(view: View, name: str) -> bool:
    return view.env.get(name, "1").lower() not in FALSE


def _linear_layers_use_it(view: View, stored: Quantization) -> bool:
    if view.release < _SERVED[0] and stored.method == "fp8":
        return True
    asked = asked_kernel(view, "linear_backend") in ("", "deep_gemm")
    return asked and view.model.text_model_type not in _SPARED


def _experts_use_it(view: View) -> bool:
    asked = asked_kernel(view) in ("", "deep_gemm")
    return view.model.is_moe is True and asked and _left_on(view, "VLLM_MOE_USE_DEEP_GEMM")


@rule(
    "kernel_not_for_gpu",
    "",
    "platforms/cuda.py support_deep_gemm, cmake/external_projects/deepgemm.cmake (0.24.0 to 0.28.0), vllm#47304, vllm#52035",
    "0.24.0",
    "0.27.1",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def deep_gemm_suits_the_gpu(view: View) -> t.Iterator[Breach]:
    """0.24 and 0.27 take these GPUs for targets of DeepGEMM, and build one that refuses their scales."""
    stored = view.model.quantization
    served = _SERVED[0] <= view.release <= _SERVED[1]
    if served or stored is None or stored.block_shape != _BLOCK or not _left_on(view, "VLLM_USE_DEEP_GEMM"):
        return
    is_target = any((capability(gpu) or (0,))[0] == 12 for gpu in view.gpus)
    if is_target and (_linear_layers_use_it(view, stored) or _experts_use_it(view)):
        yield Breach(
            "env.VLLM_USE_DEEP_GEMM",
            "FP8 blocks go through DeepGEMM on this GPU, and the one of this release has no kernels for it"
            ' (it ends with "Unknown SF transformation" or "Unknown recipe").',
            'env: {VLLM_USE_DEEP_GEMM: "0", VLLM_MOE_USE_DEEP_GEMM: "0"}, or the image of 0.28.0 or newer',
        )


RULES = rules_of(globals())
