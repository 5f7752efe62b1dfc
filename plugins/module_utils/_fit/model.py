"""What a model's ``config.json`` says that decides whether and how vLLM can serve it."""

from __future__ import annotations

import dataclasses
import typing as t

from .config_fields import first_number, number, text, text_config, whole
from .config_parts import Quantization, Rope, read_quantization, read_ropes
from .families_data import MLA_FAMILIES, STATE_ONLY_FAMILIES, TEXT_FAMILIES

Config = t.Mapping[str, t.Any]

# vLLM's own order does not matter: it takes the smallest of these that are present.
_LENGTH_KEYS = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "seq_length",
    "max_target_positions",
    "max_sequence_length",
    "max_seq_length",
    "seq_len",
)
# A scaling of these kinds is already in max_position_embeddings.
_ROPE_WITHOUT_FACTOR = ("su", "longrope", "llama3", "default", "mrope")
_PICTURE_KEYS = (
    "vision_config",
    "audio_config",
    "visual",
    "mm_vision_tower",
    "thinker_config",
    "vision_tower",
)
_EXPERT_KEYS = ("num_experts", "moe_num_experts", "n_routed_experts", "num_local_experts")
_MTP_KEYS = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers")
_KV_HEAD_KEYS = ("num_key_value_heads", "n_head_kv", "num_kv_heads", "multi_query_group_num")
_STATE_LAYERS = ("linear_attention", "mamba", "mamba2", "recurrent", "conv")


_MOST_LAYERS = 10_000


@dataclasses.dataclass(frozen=True)
class Model:
    """A model as its ``config.json`` describes it; None where it does not say."""

    architectures: tuple[str, ...]
    model_type: str | None  # of the whole model
    text_model_type: str | None  # of its language model, the same where there is only one
    dtype: str | None
    vocab_size: int | None
    hidden_size: int | None
    intermediate_size: int | None
    layers: int | None
    layer_types: tuple[str, ...]
    attention_heads: int | None
    kv_heads: int | None
    head_size: int | None
    value_head_size: int | None
    sliding_window: int | None
    chunk_size: int | None  # of chunked local attention
    kv_lora_rank: int | None
    qk_rope_head_size: int | None
    experts: int | None
    experts_per_token: int | None
    expert_intermediate_size: int | None
    quantization: Quantization | None
    rope: tuple[Rope, ...]
    max_position_embeddings: int | None
    model_max_length: int | None
    mtp_layers: int | None
    is_mla: bool | None
    is_moe: bool | None
    is_multimodal: bool | None
    is_hybrid: bool | None  # attention and state layers together
    is_attention_free: bool
    raw: Config = dataclasses.field(default_factory=dict, repr=False, compare=False)

    @property
    def derived_max_length(self) -> int | None:
        """The longest context vLLM takes without being told to: the trained length, stretched by rope scaling."""
        if self.max_position_embeddings is None:
            return None
        length = float(self.max_position_embeddings)
        for rope in self.rope:
            if rope.kind in _ROPE_WITHOUT_FACTOR or "gemma3" in (self.model_type or ""):
                continue
            stretched = (rope.original_length or self.max_position_embeddings) * rope.factor
            # Some checkpoints state the trained length, some the stretched one, and vLLM has read both ways.
            length = max(length, stretched) if "yarn" in rope.kind else length * rope.factor
        return int(length)


def parse_model(config: Config) -> Model:
    """The model that a ``config.json`` describes; the language model's part of it where it is nested."""
    inner = text_config(config)
    heads = first_number(inner, "num_attention_heads", "n_head", "n_heads")
    experts = _experts(inner)
    layer_types = _layer_types(inner)
    return Model(
        architectures=tuple(str(name) for name in config.get("architectures") or ()),
        model_type=text(config, "model_type"),
        text_model_type=text(inner, "model_type"),
        dtype=_dtype(inner) or _dtype(config),
        vocab_size=number(inner, "vocab_size"),
        hidden_size=first_number(inner, "hidden_size", "n_embd", "d_model"),
        intermediate_size=number(inner, "intermediate_size"),
        layers=_layer_count(inner),
        layer_types=layer_types,
        attention_heads=heads,
        kv_heads=first_number(inner, *_KV_HEAD_KEYS) or heads,
        head_size=_head_size(inner, heads),
        value_head_size=number(inner, "v_head_dim"),
        sliding_window=None if inner.get("use_sliding_window") is False else number(inner, "sliding_window"),
        chunk_size=number(inner, "attention_chunk_size"),
        kv_lora_rank=number(inner, "kv_lora_rank"),
        qk_rope_head_size=number(inner, "qk_rope_head_dim"),
        experts=experts,
        experts_per_token=first_number(inner, "num_experts_per_tok", "experts_per_token", "moe_topk"),
        expert_intermediate_size=number(inner, "moe_intermediate_size"),
        quantization=read_quantization(config, inner),
        rope=read_ropes(inner),
        max_position_embeddings=_trained_length(inner),
        model_max_length=number(inner, "model_max_length"),
        mtp_layers=first_number(inner, *_MTP_KEYS),
        is_mla=_is_mla(inner),
        is_moe=_is_moe(inner, experts),
        is_multimodal=_is_multimodal(config, inner),
        is_hybrid=_is_hybrid(inner, layer_types),
        is_attention_free=text(inner, "model_type") in STATE_ONLY_FAMILIES,
        raw=config,
    )


def _dtype(config: Config) -> str | None:
    name = text(config, "dtype") or text(config, "torch_dtype")
    return name.removeprefix("torch.") if name else None


def _head_size(config: Config, heads: int | None) -> int | None:
    stated = number(config, "head_dim")
    hidden = first_number(config, "hidden_size", "n_embd", "d_model")
    if stated or not heads or not hidden:
        return stated
    return hidden // heads


def _layer_count(config: Config) -> int | None:
    """The number of layers; None for one that no model has: what is reckoned per layer would never end."""
    layers = first_number(config, "num_hidden_layers", "n_layer", "n_layers")
    return layers if layers is None or layers <= _MOST_LAYERS else None


def _layer_types(config: Config) -> tuple[str, ...]:
    """One word per layer: as stated, or from ``full_attention_interval`` (every n-th attends, the others keep state)."""
    stated = config.get("layer_types") or config.get("layers_block_type")
    if isinstance(stated, (list, tuple)):
        return tuple(str(kind) for kind in stated)
    interval, layers = number(config, "full_attention_interval"), _layer_count(config)
    if not interval or not layers:
        return ()
    return tuple(
        "linear_attention" if (index + 1) % interval else "full_attention" for index in range(layers)
    )


def _experts(config: Config) -> int | None:
    for key in _EXPERT_KEYS:
        value = config.get(key)
        if isinstance(value, (list, tuple)):
            value = max((count for count in value if whole(count)), default=None)
        if whole(value):
            return t.cast("int", value)
    return None


def _is_moe(config: Config, experts: int | None) -> bool | None:
    """Unknown where a key names experts in a way we do not know."""
    if experts is not None:
        return experts > 0
    return None if "expert" in " ".join(config) or "block_configs" in config else False


def _is_mla(config: Config) -> bool | None:
    if config.get("kv_lora_rank") is None:
        return False
    return True if text(config, "model_type") in MLA_FAMILIES else None


def _is_multimodal(config: Config, inner: Config) -> bool | None:
    if inner is not config or any(key in config for key in _PICTURE_KEYS):
        return True
    return False if text(config, "model_type") in TEXT_FAMILIES else None


def _is_hybrid(config: Config, layer_types: tuple[str, ...]) -> bool | None:
    kept = [kind for kind in layer_types if kind in _STATE_LAYERS]
    if kept:
        return len(kept) < len(layer_types)
    if text(config, "model_type") in STATE_ONLY_FAMILIES or layer_types:
        return False
    marks = ("mamba", "linear_", "ssm_", "hybrid", "attn_layer_period", "conv_kernel")
    return None if any(mark in key for key in config for mark in marks) else False


def _trained_length(config: Config) -> int | None:
    lengths = [length for key in _LENGTH_KEYS if (length := number(config, key)) is not None]
    if "cohere" in (text(config, "model_type") or "") and number(config, "model_max_length"):
        lengths.append(t.cast("int", number(config, "model_max_length")))
    return min(lengths, default=None)
