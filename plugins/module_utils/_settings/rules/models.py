"""What a model is run as, where it is loaded from, its state layers, and KV caches that travel."""

from __future__ import annotations

import typing as t

from .names_data import ENCODERS
from .rule import Breach, row, rule, rules_of
from .view import View

_STORES = ("s3://", "gs://", "az://")
_STREAMERS = ("", "auto", "runai_streamer", "runai_streamer_sharded")


_RUNNERS = (
    row(
        "runner_not_of_model",
        "runner",
        "config/model.py:720-728 (0.33.0)",
        lambda view: view.text("runner") == "generate" and bool(ENCODERS & set(view.model.architectures)),
        lambda view: f"{view.model.architectures[0]} is an encoder: it cannot run as runner: generate.",
        "runner: pooling, or leave it out",
        since="0.10.1",
        needs=("model",),
        also=lambda view: view.text("runner") == "generate",
    ),
    row(
        "store_needs_streamer",
        "load_format",
        "config/vllm.py:2789 (0.33.0)",
        lambda view: (
            (view.case.model or "").startswith(_STORES)
            and view.text("load_format") not in (*_STREAMERS, "modelexpress")
        ),
        lambda view: (
            f"A model in an object store is loaded with runai_streamer, not {view.text('load_format')}."
        ),
        "load_format: runai_streamer",
        since="0.22.0",
    ),
    row(
        "store_needs_streamer",
        "load_format",
        "config/vllm.py:1612 (0.17.1), :1798 (0.21.0)",
        lambda view: (
            (view.case.model or "").startswith("s3://") and view.text("load_format") not in _STREAMERS
        ),
        lambda view: f"A model in S3 is loaded with runai_streamer, not {view.text('load_format')}.",
        "load_format: runai_streamer",
        since="0.11.1",
        until="0.21.0",
    ),
)

_STATE = (
    row(
        "state_block_without_prefix_caching",
        "mamba_block_size",
        "config/vllm.py:3449 (0.33.0)",
        lambda view: (
            view.given("mamba_block_size")
            and view.off("enable_prefix_caching")
            and view.number("mamba_block_size") != (view.context_length or 0)
        ),
        lambda view: "mamba_block_size needs enable_prefix_caching.",
        "leave mamba_block_size out",
        since="0.12.0",
    ),
    row(
        "state_block_without_prefix_caching",
        "mamba_block_size",
        "config/vllm.py:3449 (0.33.0); config/model.py is_prefix_caching_supported",
        lambda view: (
            view.given("mamba_block_size")
            and not view.given("enable_prefix_caching")
            and view.model.is_attention_free
            and view.number("mamba_block_size") != (view.context_length or 0)
        ),
        lambda view: (
            "mamba_block_size needs enable_prefix_caching, which is off by default for models without attention."
        ),
        "enable_prefix_caching: true, or leave mamba_block_size out",
        since="0.12.0",
        needs=("model",),
    ),
    row(
        "chunked_input_with_aligned_states",
        "mamba_cache_mode",
        "config/vllm.py:3415 (0.33.0)",
        lambda view: view.text("mamba_cache_mode") == "align" and view.flag("disable_chunked_mm_input"),
        lambda view: "mamba_cache_mode align does not go together with disable_chunked_mm_input.",
        "leave disable_chunked_mm_input out",
        since="0.15.0",
        needs=("model",),
        also=lambda view: view.text("mamba_cache_mode") == "align" and view.flag("disable_chunked_mm_input"),
    ),
    row(
        "stochastic_rounding_needs_float16",
        "enable_mamba_cache_stochastic_rounding",
        "config/vllm.py:1599 (0.33.0)",
        lambda view: (
            view.flag("enable_mamba_cache_stochastic_rounding")
            and view.text("mamba_ssm_cache_dtype") != "float16"
        ),
        lambda view: "enable_mamba_cache_stochastic_rounding needs mamba_ssm_cache_dtype float16.",
        "mamba_ssm_cache_dtype: float16",
        since="0.20.0",
    ),
    row(
        "state_algorithm_needs_flashinfer",
        "mamba_ssu_algorithm",
        "config/mamba.py:77 (0.33.0)",
        lambda view: view.given("mamba_ssu_algorithm") and view.text("mamba_backend") != "flashinfer",
        lambda view: "mamba_ssu_algorithm needs mamba_backend flashinfer.",
        "mamba_backend: flashinfer",
        since="0.27.0",
        severity="warning",
    ),
)


@rule("device_ids_invalid", "device_ids", "engine/arg_utils.py:2151-2158 (0.33.0)", "0.24.0")
def device_ids_are_distinct(view: View) -> t.Iterator[Breach]:
    """GPUs are named once, and all by number or all by UUID."""
    ids = view.value("device_ids")
    if not isinstance(ids, (list, tuple)):
        return
    if len(set(map(str, ids))) != len(ids):
        yield Breach("device_ids", "device_ids names a GPU twice.", "each once")
    if len({isinstance(each, str) for each in ids}) > 1:
        yield Breach("device_ids", "device_ids mixes numbers and UUIDs.", "one kind")


RULES = rules_of(globals())
