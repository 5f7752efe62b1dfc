"""What each layer of a model keeps in the cache, on one GPU."""

from __future__ import annotations

import dataclasses
import typing as t

from .config_fields import Config, number, text, text_config
from .demand import BOTH_IN_EVERY_LAYER, Demand, element_bytes, is_hybrid
from .kv_format import heads_bytes, is_turboquant, latent_bytes
from .state import state_bytes

if t.TYPE_CHECKING:
    from .model import Model

Kind = t.Literal["full", "sliding", "chunked", "state", "none"]

_FULL: Kind = "full"
_STATE: Kind = "state"
_WORDS: dict[str, Kind] = {
    "full_attention": "full", "attention": "full", "global_attention": "full", "hybrid": "full", "*": "full",
    "sliding_attention": "sliding", "local_attention": "sliding", "chunked_attention": "chunked",
    "linear_attention": "state", "mamba": "state", "mamba2": "state", "M": "state",
    "mlp": "none", "moe": "none", "-": "none", "E": "none",
}  # fmt: skip
# Which layer of how many attends to everything, for families whose config does not list it.
_PATTERNS = {
    "gemma2": 2,
    "gemma3_text": 6,
    "gemma3": 6,
    "cohere2": 4,
    "llama4_text": 4,
    "olmo3": 4,
    "exaone4": 4,
}
# Whose caches are of kinds that are not told here (compressed, indexed by blocks, several states per layer).
_STRANGE = (
    "deepseek_v4",
    "qwen4_exp",
    "kimi_k3",
    "minimax_text_01",
    "step3p5",
    "plamo2",
    "lfm2",
)
# Families that read a text at once and keep nothing of it, or that keep an encoder's output beside.
_WITHOUT_CACHE = (
    "bert",
    "roberta",
    "xlm-roberta",
    "modernbert",
    "nomic_bert",
    "new",
    "gte",
    "t5",
    "bart",
    "whisper",
    "mllama",
    "clip",
    "siglip",
)
# Families whose layers we know to keep exactly what is told here. Elsewhere layers may share a cache: an estimate.
_KNOWN = """
    llama mistral mixtral qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text
    qwen2_vl qwen2_5_vl qwen3_vl_text qwen3_vl_moe_text gemma gemma2 gemma3 gemma3_text gemma4_text gpt_oss phi3 olmo2
    granite granitemoe glm4 glm4_moe deepseek_v2 deepseek_v3 cohere cohere2 nemotron nemotron_h minimax_m2 seed_oss
    starcoder2 ernie4_5 ernie4_5_moe
"""
KNOWN_FAMILIES = frozenset(_KNOWN.split())
_INDEX_SCALE_BYTES = 4
_INDEX_KEY_BYTES = 2
_SPARED_BY_TURBOQUANT = 2  # at each end of a model that only attends


@dataclasses.dataclass(frozen=True)
class Layer:
    """One layer's part of the cache: bytes per token, or a page per sequence."""

    kind: Kind
    token_bytes: int = 0
    window: int = 0
    state_bytes: int = 0


def layers_of(model: Model, demand: Demand) -> tuple[Layer, ...] | None:
    """Every layer that keeps something, in order, with the drafting layers of MTP behind; None where we do not know."""
    family = model.text_model_type or ""
    if not model.layers or family.startswith(_STRANGE) or family in _WITHOUT_CACHE:
        return None
    if model.is_hybrid is None and not is_hybrid(model):
        return None
    kinds = _kinds(model)
    if kinds is None:
        return None
    wanted = [(kind, _dtype_here(model, demand, index)) for index, kind in enumerate(kinds)]
    wanted += [(_FULL, _dtype_here(model, demand, None))] * _drafting_layers(model, demand)
    built = {each: _layer(*each, model, demand) for each in dict.fromkeys(wanted)}
    index = _index_layers(model)
    if None in built.values() or index is None:
        return None
    return (*(layer for each in wanted if (layer := built[each]) and layer.kind != "none"), *index)


def _kinds(model: Model) -> tuple[Kind, ...] | None:
    """One word per layer; None where a word is not known."""
    config, count = text_config(model.raw), model.layers or 0
    if model.text_model_type in BOTH_IN_EVERY_LAYER:
        return (_FULL,) * count + (_STATE,) * count
    stated = _stated_words(model, config)
    if stated:
        known = tuple(_WORDS[word] for word in stated if word in _WORDS)
        return _without_shared(known, config) if len(known) == len(stated) else None
    if model.is_hybrid or model.is_attention_free:
        return None
    every = number(config, "sliding_window_pattern") or _PATTERNS.get(model.text_model_type or "")
    local: Kind = "chunked" if model.chunk_size else "sliding"
    if not model.sliding_window and not model.chunk_size:
        return _without_shared((_FULL,) * count, config)
    if every:
        kinds = [_FULL if (at + 1) % every == 0 else local for at in range(count)]
        return _without_shared(tuple(kinds), config)
    return (local,) * count


def _stated_words(model: Model, config: Config) -> tuple[str, ...]:
    pattern = text(config, "hybrid_override_pattern")
    if pattern:
        return tuple(pattern)
    part = config.get("linear_attn_config")
    full = part.get("full_attn_layers") if isinstance(part, t.Mapping) else None
    if isinstance(full, (list, tuple)):  # counted from 1
        count = model.layers or 0
        return tuple("full_attention" if at in full else "linear_attention" for at in range(1, count + 1))
    return model.layer_types


def _without_shared(kinds: tuple[Kind, ...], config: Config) -> tuple[Kind, ...]:
    """The last layers may read the cache of earlier ones (Gemma 3n)."""
    shared = number(config, "num_kv_shared_layers") or 0
    return kinds[: len(kinds) - shared] if shared else kinds


def _drafting_layers(model: Model, demand: Demand) -> int:
    """MTP drafts with layers of the target itself, each with a cache of its own."""
    if demand.speculation is None or demand.speculation.method != "mtp" or demand.speculation.model:
        return 0
    return model.mtp_layers or 1


def _index_layers(model: Model) -> tuple[Layer, ...] | None:
    """MiniMax M3 keeps keys of 16 bits beside the heads, to find the blocks that a sparse layer attends to."""
    if not (model.text_model_type or "").startswith("minimax_m3"):
        return ()
    sparse = text_config(model.raw).get("sparse_attention_config")
    size = number(sparse, "sparse_index_dim") if isinstance(sparse, t.Mapping) else None
    every = sparse.get("sparse_attention_freq") if isinstance(sparse, t.Mapping) else None
    if not size or not isinstance(every, (list, tuple)):
        return None
    return (Layer(_FULL, size * _INDEX_KEY_BYTES),) * sum(1 for here in every if here)


def _layer(kind: Kind, dtype: str, model: Model, demand: Demand) -> Layer | None:
    if kind == "none":
        return Layer("none")
    if kind == "state":
        page = state_bytes(model, demand)
        return None if page is None else Layer("state", state_bytes=page)
    held = _latent(model, dtype) if model.is_mla else _heads(kind, model, demand, dtype)
    if held is None or model.is_mla is None:
        return None
    window = {"sliding": model.sliding_window, "chunked": model.chunk_size}.get(kind) or 0
    return Layer(kind, held, window)


def _dtype_here(model: Model, demand: Demand, index: int | None) -> str:
    """The cache's format in this layer: a checkpoint may ask for fp8, TurboQuant spares the ends of dense models."""
    dtype = demand.kv_dtype
    if dtype == "auto":
        return "fp8" if model.quantization and model.quantization.kv_cache_scheme else "auto"
    ends = _SPARED_BY_TURBOQUANT
    if is_turboquant(dtype) and not is_hybrid(model) and index is not None:
        return dtype if ends <= index < (model.layers or 0) - ends else "auto"
    return dtype


def _latent(model: Model, kv_dtype: str) -> int | None:
    """MLA: one latent vector per token; sparse attention keeps an index of 8-bit numbers beside it."""
    config = text_config(model.raw)
    indexed = number(config, "index_head_dim") if config.get("index_topk") else 0
    if indexed and kv_dtype in ("auto", "fp8"):
        kv_dtype = "auto" if kv_dtype == "auto" else "fp8_ds_mla"
    size = (model.kv_lora_rank or 0) + (model.qk_rope_head_size or 0)
    held = latent_bytes(kv_dtype, size, element_bytes(model.dtype))
    return None if held is None else held + (indexed + _INDEX_SCALE_BYTES if indexed else 0)


def _heads(kind: Kind, model: Model, demand: Demand, kv_dtype: str) -> int | None:
    config = text_config(model.raw)
    heads, size = model.kv_heads, model.head_size
    if kind == "full" and number(config, "global_head_dim"):
        size = number(config, "global_head_dim")
        if config.get("attention_k_eq_v"):
            heads = number(config, "num_global_key_value_heads") or heads
    if not heads or not size:
        return None
    here = max(1, heads // demand.tensor_parallel)
    return heads_bytes(kv_dtype, here, size, _value_size(model, size), element_bytes(model.dtype))


def _value_size(model: Model, size: int) -> int:
    stated = model.value_head_size
    return stated if stated and model.kv_lora_rank is None else size
