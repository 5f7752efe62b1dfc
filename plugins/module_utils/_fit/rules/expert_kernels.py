"""The kernels for experts that moe_backend names, against how the experts are stored and the GPU."""

from __future__ import annotations

import typing as t

from ..._settings.rules.checkpoints import stated_quantization
from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..._settings.version import Release
from .known import family_of

# What each format's own map of names held, by the first release of it (layers/fused_moe/oracle/*.py).
_PLAIN = "aiter flashinfer_cutlass flashinfer_trtllm triton"
_NAMES: dict[str, tuple[tuple[Release, str], ...]] = {
    "unquantized": (((0, 17, 0), _PLAIN), ((0, 27, 0), f"{_PLAIN} batched_triton")),
    "fp8": (
        ((0, 17, 0), f"{_PLAIN} cutlass deep_gemm marlin"),
        ((0, 25, 0), f"{_PLAIN} cutlass deep_gemm marlin hpc humming"),
    ),
    "nvfp4": (
        ((0, 17, 0), "cutlass flashinfer_cutedsl flashinfer_cutlass flashinfer_trtllm marlin"),
        ((0, 20, 0), "cutlass emulation flashinfer_cutedsl flashinfer_cutlass flashinfer_trtllm marlin"),
        (
            (0, 22, 0),
            "cutlass emulation flashinfer_b12x flashinfer_cutedsl flashinfer_cutlass flashinfer_trtllm marlin",
        ),
        (
            (0, 25, 0),
            "cutlass emulation flashinfer_b12x flashinfer_cutedsl flashinfer_cutlass flashinfer_trtllm marlin humming",
        ),
        (
            (0, 29, 0),
            "b12x cutlass emulation flashinfer_b12x flashinfer_cutedsl flashinfer_cutlass flashinfer_trtllm marlin humming"
            " flashinfer_moe_ep_cutedsl flashinfer_moe_ep_mega_cutedsl",
        ),
    ),
    "int_wna16": (
        ((0, 25, 0), "emulation flashinfer_trtllm humming marlin"),
        ((0, 27, 0), "emulation flashinfer_trtllm humming marlin triton rdna3"),
    ),
}
# Oldest GPU of each kernel, the newest where there is one, and the oldest for nvfp4 (_supports_current_device).
_DEVICES: dict[str, tuple[int, int | None, int]] = {
    "flashinfer_trtllm": (100, 109, 100),
    "flashinfer_cutedsl": (100, None, 100),
    "flashinfer_cutlass": (90, None, 100),
    "cutlass": (90, None, 100),
    "deep_gemm": (90, None, 90),
    "flashinfer_b12x": (120, 129, 120),
    "b12x": (120, 129, 120),
    "marlin": (75, None, 75),
}
_OF_METHOD = {
    "fp8": "fp8",
    "fbgemm_fp8": "fp8",
    "modelopt_fp4": "nvfp4",
    "awq": "int_wna16",
    "gptq": "int_wna16",
}
_OF_LAYOUT = {"float-quantized": "fp8", "nvfp4-pack-quantized": "nvfp4", "pack-quantized": "int_wna16"}
_SOURCE = "layers/fused_moe/oracle (0.17.1 to 0.33.0)"


def asked_kernel(view: View, setting: str = "moe_backend") -> str:
    """The kernel that was asked for; empty: vLLM chooses."""
    named = view.text(setting) or str(view.json("kernel_config").get(setting) or "")
    return "" if named == "auto" else named


def format_of_experts(view: View) -> str | None:
    """How the experts are stored; None where it is not certain, or where a family has its own way."""
    model, stored = view.model, view.model.quantization
    if (
        model.is_moe is not True
        or family_of(view).startswith(("deepseek_v4", "gpt_oss"))
        or view.text("quantization")
    ):
        return None
    if stored is None:
        return "unquantized"
    stated = stated_quantization(view)
    kept = str([stated.get(name) for name in ("ignore", "exclude_modules", "modules_to_not_convert")])
    if ".experts" in kept:
        return None
    if stored.method in ("modelopt", "modelopt_fp4"):
        return {"FP8": "fp8", "NVFP4": "nvfp4"}.get((stored.algorithm or "").upper())
    if stored.method == "compressed-tensors":
        groups = stated.get("config_groups")
        alike = not isinstance(groups, t.Mapping) or len(groups) <= 1
        return _OF_LAYOUT.get(stored.algorithm or "") if alike else None
    return _OF_METHOD.get(stored.method)


@rule(
    "moe_backend_not_for_format",
    "moe_backend kernel_config",
    _SOURCE,
    "0.17.0",
    needs=("model",),
    stage="fit",
    also=lambda view: bool(asked_kernel(view)),
)
def the_kernel_reads_the_format(view: View) -> t.Iterator[Breach]:
    """Every format has its own list of kernels, and another name is refused."""
    kind, name = format_of_experts(view), asked_kernel(view)
    known = [names.split() for since, names in _NAMES.get(kind or "", ()) if view.release >= since]
    if known and name not in known[-1]:
        yield Breach(
            "moe_backend",
            f"moe_backend {name} has no kernel for experts that are stored as {kind}: this release knows"
            f" {', '.join(sorted(known[-1]))} (\"moe_backend='{name}' is not supported\").",
            "leave moe_backend out: vLLM chooses one that works",
            name,
        )


@rule(
    "moe_backend_not_for_gpu",
    "moe_backend kernel_config",
    "layers/fused_moe _supports_current_device (0.17.1 to 0.33.0)",
    "0.17.0",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
    also=lambda view: bool(asked_kernel(view)),
)
def the_kernel_runs_on_the_gpu(view: View) -> t.Iterator[Breach]:
    """A kernel that is asked for is not replaced by another."""
    kind, name, capability = format_of_experts(view), asked_kernel(view), view.capability
    oldest, newest, for_nvfp4 = _DEVICES.get(name, (0, None, 0))
    oldest = for_nvfp4 if kind == "nvfp4" else oldest
    if kind is None or capability is None or (oldest <= capability <= (newest or capability)):
        return
    yield Breach(
        "moe_backend",
        f"moe_backend {name} needs compute capability {oldest / 10}{f' to {newest / 10}' if newest else ''} for experts that"
        f" are stored as {kind}; this GPU has {capability / 10} (does not support the deployment configuration).",
        "leave moe_backend out: vLLM chooses one that works",
        name,
    )


RULES = rules_of(globals())
