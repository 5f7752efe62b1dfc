"""Where weights and cache live: offloading to the host, the KV cache's number format."""

from __future__ import annotations

import typing as t

from ..lessons import value_lives
from ..messages import invalid_choice
from ..options_data import RELEASES
from .rule import Breach, row, rule, rules_of
from .view import View

_FLOATS = ("float16", "bfloat16")
_CACHE_TYPES = "SpeculativeConfig.kv_cache_dtype"  # the one list of them that is still a choice in 0.33.0


def _prefetching(view: View) -> bool:
    return view.text("offload_backend") == "prefetch" or view.number("offload_group_size") > 0


_PREFETCH = (
    row(
        "offload_group_too_small",
        "offload_backend offload_group_size offload_num_in_group",
        "config/offload.py:102 (0.33.0)",
        lambda view: (
            _prefetching(view) and view.number("offload_num_in_group", 1) > view.number("offload_group_size")
        ),
        lambda view: (
            f"offload_num_in_group ({view.number('offload_num_in_group', 1)}) is above offload_group_size"
            f" ({view.number('offload_group_size')})."
        ),
        "offload_group_size: how many layers make a group, offload_num_in_group: how many of them are offloaded",
        since="0.17.0",
    ),
    row(
        "offload_step_too_small",
        "offload_backend offload_group_size offload_prefetch_step",
        "config/offload.py:108 (0.33.0)",
        lambda view: _prefetching(view) and view.number("offload_prefetch_step", 1) < 1,
        lambda view: "offload_prefetch_step must be at least 1 where layers are prefetched.",
        "offload_prefetch_step: 1",
        since="0.17.0",
    ),
    row(
        "offloading_backend_without_size",
        "kv_offloading_backend",
        "config/vllm.py:485 (0.13.0)",
        lambda view: view.given("kv_offloading_backend") and view.value("kv_offloading_size") is None,
        lambda view: "kv_offloading_backend needs kv_offloading_size.",
        "kv_offloading_size: GiB of host memory",
        since="0.11.1",
        until="0.13.0",
    ),
    row(
        "cache_type_with_latent_attention",
        "kv_cache_dtype",
        "config/vllm.py:3432 (0.33.0), :2828 (0.29.0)",
        lambda view: (
            view.text("kv_cache_dtype").startswith("nvfp4")
            and not (view.text("kv_cache_dtype").endswith("_ds_mla") and view.since(0, 30, 0))
            and view.model.is_mla is True
        ),
        lambda view: (
            f"kv_cache_dtype {view.text('kv_cache_dtype')} does not work with latent attention (MLA)."
        ),
        "kv_cache_dtype: fp8, or auto",
        since="0.21.0",
        needs=("model",),
    ),
    row(
        "cache_type_with_state_layers",
        "kv_cache_dtype",
        "engine/arg_utils.py:1677 (0.20.2)",
        lambda view: view.text("kv_cache_dtype").startswith("turboquant_") and view.model.is_hybrid is True,
        lambda view: "TurboQuant KV caches do not work with models that mix attention and state layers.",
        "kv_cache_dtype: fp8",
        since="0.20.0",
        until="0.20.2",
        needs=("model",),
    ),
    row(
        "cache_type_differs_from_model",
        "kv_cache_dtype",
        "config/vllm.py:1505 (0.33.0)",
        lambda view: (
            view.text("kv_cache_dtype") in _FLOATS
            and view.dtype in (*_FLOATS, "float32")
            and view.dtype != view.text("kv_cache_dtype")
        ),
        lambda view: f"kv_cache_dtype {view.text('kv_cache_dtype')} differs from the model's {view.dtype}.",
        "kv_cache_dtype: auto",
        since="0.33.0",
        needs=("model",),
        also=lambda view: view.text("kv_cache_dtype") in _FLOATS,
    ),
    row(
        "bfloat16_on_old_gpu",
        "dtype",
        "platforms/cuda.py:650 (0.33.0)",
        lambda view: view.text("dtype") == "bfloat16" and (view.capability or 80) < 80,
        lambda view: (
            f"bfloat16 needs a GPU of compute capability 8.0; this one has {(view.capability or 0) / 10}."
        ),
        "dtype: half",
        since="0.10.2",
        needs=("gpu",),
        also=lambda view: view.text("dtype") == "bfloat16",
    ),
)


@rule("unknown_cache_type", "kv_cache_dtype", "config/cache.py:472 (0.33.0)", "0.33.0")
def cache_type_is_known(view: View) -> t.Iterator[Breach]:
    """The parser takes any text since 0.33.0; the configuration does not."""
    name = view.text("kv_cache_dtype")
    known = view.table.named(_CACHE_TYPES)
    if name and known and name not in known and name not in view.plugin_names:
        lives = value_lives(_CACHE_TYPES)
        lesson = invalid_choice("kv_cache_dtype", name, known, lives, view.table.version, RELEASES)
        note = f" ({lesson.note})" if lesson.note else ""
        names = ", ".join(str(each) for each in known)
        yield Breach(
            "kv_cache_dtype", f"There is no kv_cache_dtype {name}{note}: one of {names}.", lesson.fix, name
        )


# (prefix or name of the type, families of GPUs it runs on, what to say): worker stage, so warnings of ours.
_CACHE_GPUS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("nvfp4_4over6", (100, 103), "data-centre Blackwell (10.0, 10.3)"),
    ("nvfp4", (100, 103), "data-centre Blackwell (10.0, 10.3)"),
)


@rule(
    "cache_type_not_for_gpu",
    "kv_cache_dtype",
    "v1/attention/backends/flashinfer.py (0.21.0 … 0.32.0)",
    "0.20.0",
    "0.32.0",
    needs=("gpu",),
    severity="warning",
    also=lambda view: view.text("kv_cache_dtype") in ("nvfp4", "nvfp4_4over6"),
)
def cache_type_suits_the_gpu(view: View) -> t.Iterator[Breach]:
    """Four-bit caches run on few GPUs; the worker finds out after the weights are loaded."""
    name, capability = view.text("kv_cache_dtype"), view.capability
    for prefix, families, words in _CACHE_GPUS:
        if name == prefix and capability is not None and capability not in families:
            yield Breach(
                "kv_cache_dtype",
                f"kv_cache_dtype {name} runs on {words}; this GPU has {capability / 10}.",
                "kv_cache_dtype: fp8",
            )


@rule(
    "cache_type_without_backend",
    "kv_cache_dtype",
    "v1/attention/backends/flashinfer.py:625 (0.20.2)",
    "0.20.0",
    "0.20.2",
    severity="warning",
)
def cache_type_has_a_backend(view: View) -> t.Iterator[Breach]:
    """0.20 lists nvfp4, but no backend of it has the code."""
    if view.text("kv_cache_dtype") == "nvfp4":
        yield Breach(
            "kv_cache_dtype",
            "0.20 accepts kv_cache_dtype nvfp4, but cannot run it: since 0.21.0.",
            "kv_cache_dtype: fp8",
        )


RULES = rules_of(globals())
