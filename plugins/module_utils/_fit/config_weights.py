"""A rough size of a model's weights from its config.json, for when no weight is on disk yet."""

from __future__ import annotations

import typing as t

from .config_fields import Config, first_number, number, text, text_config
from .tensors import TensorGroup, Tensors

if t.TYPE_CHECKING:
    from .model import Model

_PLAIN = 2.0
# Bytes per parameter of what a method quantizes, scales included.
_BYTES_BY_METHOD = {
    "fp8": 1.0, "modelopt": 1.0, "fbgemm_fp8": 1.0, "modelopt_fp4": 0.57, "nvfp4": 0.57, "mxfp4": 0.54,
    "awq": 0.56, "gptq": 0.56, "auto-round": 0.56, "bitsandbytes": 0.56, "modelopt_mixed": 0.8,
}  # fmt: skip
NO_GATE = ("nemotron_h",)  # two matrices for each expert, where others have three


def weights_from_config(model: Model) -> Tensors | None:
    """Groups of about the right size; None for a model whose shape we do not understand."""
    config = text_config(model.raw)
    hidden, layers, vocabulary = model.hidden_size, model.layers, model.vocab_size
    if not hidden or not layers or not vocabulary or not model.attention_heads:
        return None
    size = _linear_bytes(model)
    experts = _expert_parameters(config, model)
    attention = sum(_mixer(kind, config, model) for kind in _mixers(config, model))
    dense = _dense_parameters(config, model)
    tied = model.raw.get("tie_word_embeddings") is True or config.get("tie_word_embeddings") is True
    groups = [
        _made("model.embed_tokens.weight", vocabulary * hidden * _PLAIN, "embedding"),
        _made(
            "model.layers.*.linear.weight",
            (attention * _attention_share(model, size)) + dense * size,
            "layer",
        ),
    ]
    if experts:
        groups.append(_made("model.layers.*.mlp.experts.*.weight", experts * size, "expert"))
    if not tied:
        groups.append(_made("lm_head.weight", vocabulary * hidden * _PLAIN, "head"))
    return Tensors(tuple(groups))


def _made(name: str, size: float, part: t.Any) -> TensorGroup:
    return TensorGroup(name, "", int(size), 1, part)


def _linear_bytes(model: Model) -> float:
    stored = model.quantization
    if stored is None:
        return _PLAIN * 2 if model.dtype == "float32" else _PLAIN
    method = stored.method
    if method in ("awq", "gptq", "auto-round") and stored.bits:
        return stored.bits / 8 * 1.1
    if method == "compressed-tensors":
        return _compressed_bytes(stored.algorithm or "")
    return _BYTES_BY_METHOD.get(method, _PLAIN)


def _compressed_bytes(layout: str) -> float:
    if "nvfp4" in layout or "pack" in layout:
        return 0.57
    return 1.0 if layout in ("float-quantized", "int-quantized", "naive-quantized") else _PLAIN


def _attention_share(model: Model, size: float) -> float:
    """gpt-oss keeps everything but its experts in 16 bits."""
    return _PLAIN if model.quantization and model.quantization.method == "mxfp4" else size


def _pattern(config: Config) -> str:
    """One letter for each layer, where a config says it so: M keeps a state, * attends, E has experts, - is dense."""
    return text(config, "hybrid_override_pattern") or ""


def _mixers(config: Config, model: Model) -> tuple[str, ...]:
    """What mixes tokens, layer by layer."""
    if not _pattern(config):
        return model.layer_types or ("full_attention",) * (model.layers or 0)
    kinds = {"M": "mamba", "*": "full_attention"}
    return tuple(kinds[each] for each in _pattern(config) if each in kinds)


def _mamba(config: Config, hidden: int) -> float:
    heads, size = number(config, "mamba_num_heads") or 0, number(config, "mamba_head_dim") or 0
    states = 2 * (number(config, "n_groups") or 1) * (number(config, "ssm_state_size") or 0)
    return hidden * (3 * heads * size + states + heads)


def _matrices(config: Config) -> float:
    """How many matrices a feed-forward layer has."""
    return 2.0 if str(config.get("model_type")) in NO_GATE else 3.0


def _mixer(kind: str, config: Config, model: Model) -> float:
    """Parameters of what mixes tokens in one layer."""
    hidden, heads = model.hidden_size or 0, model.attention_heads or 0
    if kind == "mamba" and number(config, "mamba_num_heads"):
        return _mamba(config, hidden)
    if kind == "linear_attention" and number(config, "linear_num_value_heads"):
        keys = (number(config, "linear_num_key_heads") or 0) * (number(config, "linear_key_head_dim") or 0)
        values = (number(config, "linear_num_value_heads") or 0) * (
            number(config, "linear_value_head_dim") or 0
        )
        return hidden * (2 * keys + 3 * values)
    if model.is_mla:
        return _latent_mixer(config, model)
    size = model.head_size or 0
    queries = heads * size * (2 if config.get("attn_output_gate") else 1)
    return hidden * (queries + 2 * (model.kv_heads or heads) * size + heads * size)


def _latent_mixer(config: Config, model: Model) -> float:
    hidden, heads = model.hidden_size or 0, model.attention_heads or 0
    latent, turned = model.kv_lora_rank or 0, model.qk_rope_head_size or 0
    plain, value = number(config, "qk_nope_head_dim") or 0, number(config, "v_head_dim") or 0
    low = number(config, "q_lora_rank")
    queries = (hidden * low + low * heads * (plain + turned)) if low else hidden * heads * (plain + turned)
    return queries + hidden * (latent + turned) + latent * heads * (plain + value) + heads * value * hidden


def _expert_layers(config: Config, model: Model) -> int:
    layers = model.layers or 0
    if not model.experts:
        return 0
    if _pattern(config):
        return _pattern(config).count("E")
    first = number(config, "first_k_dense_replace") or 0
    every = number(config, "decoder_sparse_step") or number(config, "interleave_moe_layer_step") or 1
    return max(0, layers - first) // max(1, every)


def _expert_parameters(config: Config, model: Model) -> float:
    inner = model.expert_intermediate_size or model.intermediate_size or 0
    each = _matrices(config) * (model.hidden_size or 0) * inner
    return each * (model.experts or 0) * _expert_layers(config, model)


def _dense_parameters(config: Config, model: Model) -> float:
    """Feed-forward parameters that every token uses: dense layers and shared experts."""
    hidden, sparse = model.hidden_size or 0, _expert_layers(config, model)
    shared = first_number(
        config, "shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"
    ) or ((number(config, "n_shared_experts") or 0) * (model.expert_intermediate_size or 0))
    layers = _pattern(config).count("-") if _pattern(config) else (model.layers or 0) - sparse
    return _matrices(config) * hidden * (layers * (model.intermediate_size or 0) + sparse * shared)
