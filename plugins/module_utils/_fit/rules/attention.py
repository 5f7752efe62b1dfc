"""Whether an attention backend serves this model on this GPU: the table of each release's own answers.

Warnings, although the table is vLLM's own: kernels of attention are what builds of one's own change first.
"""

from __future__ import annotations

import typing as t

from ..._settings.rules.attention import asked_backend
from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..._settings.version import Release, format_release
from ..attention import Asked, all_refusals, chosen, refusals
from ..config_fields import number, text_config
from .known import family_of

_SOURCE = "platforms/cuda.py get_attn_backend_cls, v1/attention/backends (0.11.2 to 0.33.0)"
_SINCE = "0.11.1"
# The variable counted until then; attention_backend and attention_config came with 0.13.
_VARIABLE_UNTIL = (0, 14, 1)
# Checkpoints of ModelOpt that ask for an fp8 cache have it without the setting since this release.
_SCHEME_COUNTS_SINCE = (0, 14, 0)
_SINKS = ("gpt_oss",)
_SPARSE = ("deepseek_v32", "glm_moe_dsa")
# Families whose layers ask for something that this table does not hold: several kinds of attention, encoders.
_UNLIKE = ("deepseek_v4", "minimax_m3", "whisper", "bert", "roberta", "modernbert", "t5", "mllama", "kimi_k3")
# Backends whose decoding hands out what context parallelism adds up, by the first release (can_return_lse_for_decode).
_SUMS_SINCE: dict[str, Release] = {
    **dict.fromkeys(("FLASHMLA", "FLASH_ATTN_MLA", "CUTLASS_MLA"), (0, 10, 2)),
    **dict.fromkeys(("FLASH_ATTN", "FLASHINFER", "TRITON_MLA"), (0, 11, 1)),
    **dict.fromkeys(("FLASHINFER_MLA", "FLASHINFER_MLA_SPARSE"), (0, 25, 0)),
    "TOKENSPEED_MLA": (0, 26, 0),
    **dict.fromkeys(("FLASHMLA_SPARSE", "ROCM_AITER_MLA"), (0, 29, 0)),
}
_NEVER_SUM = ("TRITON_ATTN", "TRITON_ATTN_VLLM_V1", "FLEX_ATTENTION", "TREE_ATTN", "XFORMERS", "TURBOQUANT")
_TRITON_E4M3_FROM = 89
_FIRST_HERE = "leave attention_backend out: vLLM chooses one that works"


def _asked(view: View) -> Asked | None:
    """What the model asks of its backend; None where that is not certain."""
    model, capability = view.model, view.capability
    unlike = family_of(view).startswith(_UNLIKE) or view.text("runner") == "pooling"
    if model.is_mla is None or unlike or view.given("hf_overrides") or capability is None or _differ(view):
        return None
    heads = _heads(view)
    if not heads or model.is_attention_free:
        return None
    sparse = model.is_mla and family_of(view) in _SPARSE and bool(text_config(model.raw).get("index_topk"))
    if model.is_mla and not sparse and text_config(model.raw).get("index_topk"):
        return None
    return Asked(
        view.release, capability, heads, model.is_mla, sparse, family_of(view) in _SINKS, view.dtype,
        _cache(view, sparse), view.number("block_size") if _has_plain_blocks(view) else 0,
    )  # fmt: skip


def _differ(view: View) -> bool:
    return len({gpu.compute_capability for gpu in view.gpus}) > 1


def _heads(view: View) -> tuple[int, ...]:
    model, config = view.model, text_config(view.model.raw)
    if model.is_mla:
        return ((model.kv_lora_rank or 0) + (model.qk_rope_head_size or 0),)
    sizes = (model.head_size, number(config, "global_head_dim"))
    return tuple(size for size in sizes if size)


def _has_plain_blocks(view: View) -> bool:
    """With states, blocks are made larger before a backend is asked."""
    return view.model.is_hybrid is False and "block_size" in view.case.given


def _cache(view: View, sparse: bool) -> str:
    cache, stored = view.text("kv_cache_dtype") or "auto", view.model.quantization
    if cache == "auto" and stored is not None and stored.kv_cache_scheme:
        modelopt = stored.method.startswith("modelopt") and view.release >= _SCHEME_COUNTS_SINCE
        return "fp8" if modelopt else "auto"
    if sparse and cache.startswith("fp8") and view.release < (0, 18, 0) and family_of(view) == "deepseek_v32":
        return "fp8_ds_mla"  # what the configuration makes of it there
    return cache


def _forced(view: View) -> tuple[str, str]:
    """The backend that was asked for, and where."""
    name = asked_backend(view)
    if name:
        return name, "attention_backend"
    if view.release <= _VARIABLE_UNTIL:
        return view.env.get("VLLM_ATTENTION_BACKEND", "").strip().upper(), "env.VLLM_ATTENTION_BACKEND"
    return "", ""


@rule(
    "attention_backend_invalid_for_config",
    "",
    _SOURCE,
    _SINCE,
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def the_backend_serves_the_model(view: View) -> t.Iterator[Breach]:
    """A backend that is asked for is held against head size, formats, blocks and the GPU before weights are loaded."""
    name, where = _forced(view)
    asked = _asked(view) if name else None
    reasons = refusals(name, asked) if asked else None
    if not asked or not reasons or reasons == ("compute capability not supported",):
        return  # of the GPU alone, attention_backend_not_for_gpu speaks
    instead = chosen(asked)
    yield Breach(
        where,
        f"Selected backend {name} is not valid for this configuration. Reason: {list(reasons)}"
        f" ({_in_words(asked)}).",
        f"{_FIRST_HERE}{f' ({instead})' if instead else ''}" + _or_plain_cache(reasons),
        name,
    )


@rule(
    "attention_backend_invalid_for_config",
    "",
    _SOURCE,
    _SINCE,
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def some_backend_serves_the_model(view: View) -> t.Iterator[Breach]:
    """Where none is asked for, one of those that vLLM tries must serve."""
    asked = None if _forced(view)[0] else _asked(view)
    found = all_refusals(asked) if asked else None
    if not asked or not found:
        return
    cache = all("kv_cache_dtype not supported" in reasons or len(reasons) > 1 for reasons in found.values())
    plain = cache and asked.cache != "auto" and _serves_plain_cache(asked)
    listed = ", ".join(f"{name}: {list(reasons)}" for name, reasons in found.items())
    yield Breach(
        "kv_cache_dtype" if plain else "model",
        f"No valid attention backend found for {_in_words(asked)}: {listed}.",
        "kv_cache_dtype: auto" if plain else "another release, another GPU, or another model",
        asked.cache if plain else None,
    )


@rule(
    "kv_dtype_not_supported_on_gpu",
    "kv_cache_dtype",
    "Triton: type fp8e4nv not supported in this architecture",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
    also=lambda view: view.text("kv_cache_dtype") in ("fp8", "fp8_e4m3"),
)
def triton_is_not_all_that_is_left(view: View) -> t.Iterator[Breach]:
    """Where only Triton is left for an fp8 cache, its kernels must know e4m3, which they do from 8.9 on."""
    capability = view.capability
    if (
        capability is None
        or not 70 <= capability < _TRITON_E4M3_FROM
        or _forced(view)[0]
        or view.model.is_mla
    ):
        return
    asked = _asked(view)
    alone = chosen(asked) == "TRITON_ATTN" if asked and view.release >= (0, 11, 1) else capability >= 80
    if alone and asked:
        yield Breach(
            "kv_cache_dtype",
            f"An {view.text('kv_cache_dtype')} cache runs in Triton here, which knows e4m3 from compute capability 8.9"
            f" on; this GPU has {capability / 10}.",
            "kv_cache_dtype: auto"
            if view.release >= (0, 11, 1)
            else "env: {VLLM_ATTENTION_BACKEND: FLASHINFER}, or kv_cache_dtype: auto",
        )


@rule(
    "kv_dtype_not_supported_on_gpu",
    "kv_cache_dtype",
    "v1/attention/backends/flash_attn.py get_fp8_dtype_for_flashattn (0.11.2 to 0.21.0)",
    _SINCE,
    "0.21.0",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
    also=lambda view: view.text("kv_cache_dtype") in ("fp8_e5m2", "fp8_inc", "fp8_ds_mla"),
)
def flash_attention_reads_e4m3_only(view: View) -> t.Iterator[Breach]:
    """Hopper's FlashAttention lets every name that begins with fp8 pass, and reads e4m3 alone."""
    asked = _asked(view)
    taken = (_forced(view)[0] or chosen(asked)) if asked else None
    if asked and taken == "FLASH_ATTN" and not refusals("FLASH_ATTN", asked):
        yield Breach(
            "kv_cache_dtype",
            f'FlashAttention is chosen here, and ends with "Unrecognized FP8 dtype: {asked.cache}".',
            "kv_cache_dtype: fp8",
        )


def _serves_plain_cache(asked: Asked) -> bool:
    return all_refusals(Asked(**{**vars(asked), "cache": "auto"})) is None


def _or_plain_cache(reasons: t.Collection[str]) -> str:
    return ", or kv_cache_dtype: auto" if "kv_cache_dtype not supported" in reasons else ""


def _in_words(asked: Asked) -> str:
    parts = [
        f"heads of {', '.join(map(str, asked.heads))}",
        "latent attention" if asked.mla else "",
        "sparse" if asked.sparse else "",
        "attention sinks" if asked.sinks else "",
        f"dtype {asked.dtype}" if asked.dtype else "",
        f"cache {asked.cache}",
        f"blocks of {asked.block}" if asked.block else "",
        f"compute capability {asked.capability / 10}",
    ]
    return ", ".join(part for part in parts if part)


@rule(
    "attention_backend_invalid_for_config",
    "decode_context_parallel_size",
    "v1/worker/cp_utils.py, gpu_model_runner.py, can_return_lse_for_decode (0.10.2 to 0.33.0), vllm#28407",
    "0.10.2",
    severity="warning",
    stage="fit",
    also=lambda view: view.dcp > 1,
)
def the_backend_sums_over_contexts(view: View) -> t.Iterator[Breach]:
    """Decode context parallelism adds up what the ranks attended to, and not every backend hands its sum out."""
    name, where = _forced(view)
    since = _SUMS_SINCE.get(name)
    if name in _NEVER_SUM or (since is not None and view.release < since):
        newer = f", or the image of {format_release(since)} or newer" if since else ""
        yield Breach(
            where,
            f'{name} cannot serve decode_context_parallel_size {view.dcp}: "DCP requires attention impls to return the softmax'
            ' lse for decode".',
            f"{_FIRST_HERE}, or decode_context_parallel_size: 1{newer}",
            name,
        )


RULES = rules_of(globals())
