"""Parts of a ``config.json`` with a shape of their own: how weights are stored, how positions are stretched."""

from __future__ import annotations

import dataclasses
import typing as t

from .config_fields import first_number, number, text

Config = t.Mapping[str, t.Any]

_ABSURD = 1 << 20  # no context is stretched that far


@dataclasses.dataclass(frozen=True)
class Quantization:
    """How the weights are stored, where the checkpoint says it."""

    method: str
    bits: int | None = None
    group_size: int | None = None
    algorithm: str | None = None  # modelopt's quant_algo, compressed-tensors' format
    block_shape: tuple[int, int] | None = None
    kv_cache_scheme: bool = False


@dataclasses.dataclass(frozen=True)
class Rope:
    """How positions are stretched beyond the trained length."""

    kind: str
    factor: float = 1.0
    original_length: int | None = None


def read_ropes(config: Config) -> tuple[Rope, ...]:
    """Every rope scaling: one, or one per kind of layer (how newer Transformers writes it)."""
    stated = config.get("rope_scaling") or config.get("rope_parameters")
    if not isinstance(stated, t.Mapping):
        return ()
    nested = [value for value in stated.values() if isinstance(value, t.Mapping)]
    return tuple(rope for entry in nested or [stated] if (rope := _rope(entry)) is not None)


def _rope(entry: Config) -> Rope | None:
    kind = text(entry, "rope_type") or text(entry, "type")
    if kind is None or kind == "default":
        return None
    factor = entry.get("factor")
    known = isinstance(factor, (int, float)) and not isinstance(factor, bool) and abs(factor) < _ABSURD
    return Rope(
        kind,
        float(t.cast("float", factor)) if known else 1.0,
        number(entry, "original_max_position_embeddings"),
    )


def read_quantization(config: Config, inner: Config) -> Quantization | None:
    """``quantization_config`` of the model or of its language model, or ``compression_config`` of older checkpoints."""
    for holder in (config, inner):
        stated = holder.get("quantization_config") or holder.get("compression_config")
        if isinstance(stated, t.Mapping):
            return _stated_quantization(stated)
    return None


def _stated_quantization(stated: Config) -> Quantization:
    algorithm = text(stated, "quant_algo") or text(stated, "format")
    return Quantization(
        method=_method(stated, algorithm),
        bits=first_number(stated, "bits", "w_bit"),
        group_size=first_number(stated, "group_size", "q_group_size"),
        algorithm=algorithm,
        block_shape=_block_shape(stated),
        kv_cache_scheme=bool(stated.get("kv_cache_scheme") or stated.get("kv_cache_quant_algo")),
    )


def _block_shape(stated: Config) -> tuple[int, int] | None:
    """The blocks that share a scale: stated for all layers, or by the groups of compressed-tensors."""
    groups = stated.get("config_groups")
    weights = [_weights(group) for group in groups.values()] if isinstance(groups, t.Mapping) else []
    for block in (
        stated.get("weight_block_size"),
        *(each.get("block_structure") for each in weights if each.get("strategy") == "block"),
    ):
        if isinstance(block, (list, tuple)) and len(block) == 2:
            return t.cast("tuple[int, int]", tuple(block))
    return None


def _weights(group: object) -> Config:
    weights = group.get("weights") if isinstance(group, t.Mapping) else None
    return weights if isinstance(weights, t.Mapping) else {}


def _method(stated: Config, algorithm: str | None) -> str:
    """The method's name as vLLM reads it: lower case, and ``modelopt_fp4`` for modelopt's 4-bit floats."""
    method = (text(stated, "quant_method") or "").lower()
    producer = stated.get("producer")
    if not method and isinstance(producer, t.Mapping):
        method = (text(producer, "name") or "").lower()
    if method == "modelopt" and "FP4" in (algorithm or "").upper():
        return "modelopt_fp4"
    return method
