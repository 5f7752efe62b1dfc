"""Bytes of weights on each GPU: from the bytes in the files, by how they are split."""

from __future__ import annotations

import typing as t

from .config_weights import weights_from_config
from .demand import Demand, element_bytes
from .tensors import TensorGroup, Tensors
from .units import GIB, Span, exactly

if t.TYPE_CHECKING:
    from .model import Model

# Every GPU holds these whole: down projections of latent attention, routers, indexers, norms.
_WHOLE = (
    "q_a_proj",
    "kv_a_proj_with_mqa",
    "fused_qkv_a_proj_with_mqa",
    "gate",
    "router",
    "indexer",
    "shared_expert_gate",
)
_SLACK = 0.98  # of what we think is loaded: single tensors that a model class leaves out
_ONLINE_FACTOR = {"experts_int8": 0.5, "bitsandbytes": 0.25, "fp8": 0.5, "torchao": 0.25}
# Layouts that kernels pad when they take the weights: gpt-oss-120b, 60.7 GiB in its files, was printed as 64.4 to 66.0.
_PADDED = {"mxfp4": 1.07}
_REPLICATED_HIGH = 0.3 * GIB
# How vLLM names what it puts together from several tensors of the files.
_FUSED = """
    qkv_proj gate_up_proj w13_weight w2_weight w13_weight_scale w2_weight_scale w13_weight_packed w2_weight_packed
    w13_weight_scale_inv w2_weight_scale_inv in_proj_qkvz in_proj_ba experts mlp self_attn layers model language_model
    weight weight_scale weight_packed embed_tokens lm_head linear_attn
"""
FUSED_SEGMENTS = frozenset(_FUSED.split())


def weights_per_rank(
    model: Model | None, tensors: Tensors | None, demand: Demand, quantization: str | None = None
) -> tuple[Span, ...] | None:
    """What each rank of the pipeline loads, by GPU; None where neither files nor config tell."""
    known = tensors is not None
    held = tensors or (weights_from_config(model) if model else None)
    if held is None:
        return None
    loaded = [group for group in held.groups if _is_loaded(group, model, demand)]
    spans = [_rank_bytes(loaded, rank, model, demand) for rank in range(demand.pipeline_parallel)]
    online, padding = _online_factor(model, quantization), _padding(model)
    spans = [
        Span(span.low * online, span.likely * padding * (1 + online) / 2, span.high * padding)
        for span in spans
    ]
    return tuple(
        _less_offloaded(span, loaded, demand) if known else _rough(span, loaded, demand) for span in spans
    )


def _padding(model: Model | None) -> float:
    return _PADDED.get(model.quantization.method, 1.0) if model and model.quantization else 1.0


def _is_loaded(group: TensorGroup, model: Model | None, demand: Demand) -> bool:
    if group.part == "mtp":
        return bool(demand.speculation and demand.speculation.method == "mtp")
    if group.part == "vision":
        return not demand.language_model_only
    return not (group.part == "head" and _is_tied(model))


def _is_tied(model: Model | None) -> bool:
    if model is None:
        return False
    inner = model.raw.get("text_config")
    return model.raw.get("tie_word_embeddings") is True or (
        isinstance(inner, t.Mapping) and inner.get("tie_word_embeddings") is True
    )


def _rank_bytes(groups: t.Sequence[TensorGroup], rank: int, model: Model | None, demand: Demand) -> Span:
    total = exactly(0)
    for group in groups:
        total = total + _group_bytes(group, model, demand) * _share_of_rank(group, rank, model, demand)
    return Span(
        total.low * _SLACK, total.likely, total.high + _REPLICATED_HIGH * (demand.tensor_parallel > 1)
    )


def _share_of_rank(group: TensorGroup, rank: int, model: Model | None, demand: Demand) -> float:
    """The part of a group that one stage of the pipeline holds."""
    stages = demand.pipeline_parallel
    if stages == 1:
        return 1.0
    if group.part in ("embedding", "vision"):
        return (
            1.0
            if rank == 0 or (rank == stages - 1 and _is_tied(model) and group.part == "embedding")
            else 0.0
        )
    if group.part in ("head", "mtp"):
        return 1.0 if rank == stages - 1 else 0.0
    layers = sum(demand.pipeline_partition)
    if len(demand.pipeline_partition) == stages and layers:
        return demand.pipeline_partition[rank] / layers
    return 1.0 / stages


def _group_bytes(group: TensorGroup, model: Model | None, demand: Demand) -> Span:
    """What of a group one GPU of a stage holds."""
    stored = float(group.bytes)
    shards = demand.tensor_parallel * (demand.data_parallel if group.part == "expert" else 1)
    narrowed = stored
    if group.dtype == "F32" and model and element_bytes(model.dtype) == 2:
        narrowed = stored / 2  # weights are stored in the model's own format, however the file holds them
    if any(word in group.name.split(".") for word in _WHOLE):
        return Span(narrowed / shards, narrowed, stored)
    if group.name == "*" and demand.data_parallel > 1 and model and model.is_moe is not False:
        return _unsorted_bytes(stored, model, demand)
    high = stored if group.part == "vision" else stored / shards * 1.03
    low = narrowed / shards / (demand.context_parallel if group.part == "expert" else 1)
    return Span(0 if group.part == "vision" else low, narrowed / shards, high)  # encoders may be left out


def _unsorted_bytes(stored: float, model: Model, demand: Demand) -> Span:
    """Of a mixture of experts whose sum alone is known: between all of it experts, and none."""
    known = weights_from_config(model)
    share = known.bytes_of("expert") / known.bytes_of() if known and known.bytes_of() else 0.5
    per_replica = stored / demand.tensor_parallel
    spread = per_replica / demand.data_parallel
    return Span(
        spread / demand.context_parallel, share * spread + (1 - share) * per_replica, per_replica * 1.03
    )


def _online_factor(model: Model | None, quantization: str | None) -> float:
    """Weights that are quantized while they are loaded shrink; at best by this factor."""
    if not quantization or (model and model.quantization):
        return 1.0
    known = next((factor for name, factor in _ONLINE_FACTOR.items() if quantization.startswith(name)), None)
    return 0.25 if known is None else known


def _rough(span: Span, groups: t.Sequence[TensorGroup], demand: Demand) -> Span:
    """Reckoned from the config alone: a fifth more or less."""
    less = _less_offloaded(span, groups, demand)
    return Span(less.low * 0.8, less.likely, less.high * 1.25)


def offloadable(groups: t.Iterable[TensorGroup], demand: Demand) -> int:
    """Bytes, over all GPUs, of the tensors that the offloading settings may move."""
    if not demand.offload.segments:
        return sum(group.bytes for group in groups)
    return sum(
        group.bytes for group in groups if any(matches(each, group.name) for each in demand.offload.segments)
    )


def matches(segments: str, name: str) -> bool:
    """vLLM's way: whole dotted segments, no pattern; names that it fuses count as their parts."""
    inside = f".{name}.".replace("*", "0")  # a group's name stands for every number, and for no pattern
    words = ["0" if word.isdigit() else word for word in segments.split(".")]
    if f".{'.'.join(words)}." in inside:
        return True
    return words[0] == "experts" and len(words) > 1 and words[1] in FUSED_SEGMENTS and ".experts." in inside


def _less_offloaded(span: Span, groups: t.Sequence[TensorGroup], demand: Demand) -> Span:
    if demand.offload.prefetch:
        return Span(0, span.likely / 2, span.high)
    if not demand.offload.bytes:
        return span
    movable = offloadable(groups, demand) / demand.ranks
    moved = min(demand.offload.bytes, movable)
    return Span(span.low - moved * 1.1, span.likely - moved, span.high - moved * 0.9).at_least(0)
