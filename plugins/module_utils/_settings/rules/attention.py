"""Attention backends and CUDA graphs."""

from __future__ import annotations

import typing as t

from .registered import unregistered
from .rule import Breach, row, rule, rules_of
from .view import View

# Families by the first digits of the compute capability; only backends whose limit is the same in every release.
_MAJOR: dict[str, tuple[int, ...]] = {
    "FLASHMLA": (9, 10),
    "FLASHMLA_SPARSE": (9, 10),
    "FLASH_ATTN_MLA": (9,),
    "CUTLASS_MLA": (10,),
    "FLASHINFER_MLA": (10,),
    "TOKENSPEED_MLA": (10,),
    "FLASHINFER_MLA_SPARSE_SM120": (12,),
    "FLASHINFER_MLA_SPARSE_SM90": (9,),
    "FLASH_ATTN": (8, 9, 10, 11, 12),
}


def asked_backend(view: View) -> str:
    """The backend that was asked for, by its option or in attention_config; empty: vLLM chooses."""
    nested = view.json("attention_config").get("backend")
    name = (view.text("attention_backend") or str(nested or "")).upper()
    return "" if name == "AUTO" else name


@rule(
    "unknown_attention_backend", "attention_backend", "v1/attention/backends/registry.py (0.33.0)", "0.13.0"
)
def attention_backend_is_known(view: View) -> t.Iterator[Breach]:
    """The names are those of an enumeration, in any case."""
    name = view.text("attention_backend").upper()
    if name != "AUTO":
        noun, plugin = "attention backend", "it registers its own as CUSTOM"
        yield from unregistered(view, "attention_backends", "attention_backend", name, noun, plugin)


@rule(
    "attention_backend_not_for_gpu",
    "attention_backend attention_config",
    "platforms/cuda.py:443 (0.33.0)",
    "0.13.0",
    needs=("gpu",),
    severity="warning",
    also=lambda view: asked_backend(view) in _MAJOR,
)
def attention_backend_suits_the_gpu(view: View) -> t.Iterator[Breach]:
    """The worker refuses a backend that the GPU cannot run."""
    name, capability = asked_backend(view), view.capability
    if capability is not None and capability // 10 not in _MAJOR[name]:
        majors = ", ".join(f"{major}.x" for major in _MAJOR[name])
        yield Breach(
            "attention_backend",
            f"Attention backend {name} runs on compute capability {majors}; this GPU has {capability / 10}.",
            "leave it out: vLLM chooses one that works",
        )


def _compilation(view: View, key: str) -> t.Any:
    return view.json("compilation_config").get(key)


def _sizes(view: View) -> list[int]:
    own = view.value("cudagraph_capture_sizes") or _compilation(view, "cudagraph_capture_sizes")
    return [size for size in own if isinstance(size, int)] if isinstance(own, (list, tuple)) else []


def _largest(view: View) -> t.Any:
    own = view.value("max_cudagraph_capture_size")
    return _compilation(view, "max_cudagraph_capture_size") if own is None else own


def _both(view: View, setting: str) -> bool:
    return view.value(setting) is not None and _compilation(view, setting) is not None


def _captures(view: View) -> bool:
    """Whether CUDA graphs are recorded at all, as far as the settings say."""
    mode = str(_compilation(view, "cudagraph_mode") or "").upper()
    return not view.flag("enforce_eager") and mode not in ("NONE", "0")


_ROWS = (
    row(
        "attention_backend_twice",
        "attention_backend",
        "engine/arg_utils.py:2730 (0.33.0)",
        lambda view: (
            view.given("attention_backend") and view.json("attention_config").get("backend") is not None
        ),
        lambda view: "attention_backend and the key backend of attention_config say the same thing twice.",
        "keep attention_backend",
        since="0.13.0",
    ),
    row(
        "autotune_twice",
        "enable_flashinfer_autotune",
        "engine/arg_utils.py:2792 (0.33.0)",
        lambda view: (
            view.given("enable_flashinfer_autotune")
            and view.json("kernel_config").get("enable_flashinfer_autotune") is not None
        ),
        lambda view: "enable_flashinfer_autotune is set as an option and in kernel_config.",
        "keep one",
        since="0.16.0",
    ),
    row(
        "capture_sizes_twice",
        "cudagraph_capture_sizes",
        "engine/arg_utils.py:2836 (0.33.0)",
        lambda view: _both(view, "cudagraph_capture_sizes"),
        lambda view: "cudagraph_capture_sizes is set as an option and in compilation_config.",
        "keep one",
        since="0.11.1",
    ),
    row(
        "largest_capture_size_twice",
        "max_cudagraph_capture_size",
        "engine/arg_utils.py:2843 (0.33.0)",
        lambda view: _both(view, "max_cudagraph_capture_size"),
        lambda view: "max_cudagraph_capture_size is set as an option and in compilation_config.",
        "keep one",
        since="0.11.1",
    ),
    row(
        "capture_sizes_disagree",
        "max_cudagraph_capture_size cudagraph_capture_sizes compilation_config",
        "config/vllm.py:2619 (0.33.0)",
        lambda view: (
            bool(_sizes(view))
            and isinstance(_largest(view), int)
            and _captures(view)
            and max(_sizes(view)) != _largest(view)
            and max(_sizes(view)) <= view.number("max_num_batched_tokens", 2048)
        ),
        lambda view: (
            f"max_cudagraph_capture_size is {_largest(view)}, but the largest of cudagraph_capture_sizes is"
            f" {max(_sizes(view))}."
        ),
        "leave max_cudagraph_capture_size out",
        since="0.11.1",
    ),
    row(
        "capture_size_not_positive",
        "max_cudagraph_capture_size compilation_config",
        "config/vllm.py:2554 (0.33.0)",
        lambda view: (
            isinstance(_largest(view), int) and _largest(view) < 1 and not _sizes(view) and _captures(view)
        ),
        lambda view: "max_cudagraph_capture_size must be at least 1 where CUDA graphs are used.",
        "leave it out, or enforce_eager: true for none",
        since="0.11.1",
    ),
    row(
        "piecewise_graphs_without_compilation",
        "compilation_config",
        "config/vllm.py:2171 (0.11.2)",
        lambda view: (
            str(_compilation(view, "cudagraph_mode") or "").upper() in ("PIECEWISE", "FULL_AND_PIECEWISE")
            and str(_compilation(view, "mode")) in ("0", "1", "2", "NONE")
        ),
        lambda view: "compilation_config: piecewise CUDA graphs need mode 3 (VLLM_COMPILE).",
        "leave mode out",
        since="0.11.1",
        until="0.11.2",
    ),
)

RULES = rules_of(globals())
