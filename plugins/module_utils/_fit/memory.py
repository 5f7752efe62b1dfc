"""What of each GPU's memory goes where, and what is left for the cache."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.case import Case, Gpu
from .demand import Demand, read_demand, smallest_gpu
from .draft_layers import with_draft
from .kv_cache import Cache, lay_out
from .layers import KNOWN_FAMILIES, Layer, layers_of
from .overhead import activations, drafter, graphs
from .tensors import Tensors
from .units import MIB, NOTHING, Span, exactly
from .weights import weights_per_rank

if t.TYPE_CHECKING:
    from .model import Model

# What a process sees of the memory that nvidia-smi prints: the driver keeps some. 3090 0.97, B200 0.996.
_VISIBLE = Span(0.965, 0.985, 1.0)
_WIDE_BLOCK_HEAD = 256


@dataclasses.dataclass(frozen=True)
class RankMemory:
    """One stage of the pipeline on its smallest GPU."""

    gpu: Gpu
    total: Span
    budget: Span
    parts: t.Mapping[str, Span]
    available: Span  # for the cache
    cache: Cache | None
    graphs: Span  # whether charged to the budget or not


@dataclasses.dataclass(frozen=True)
class Memory:
    """The memory of one server, rank by rank; what could not be reckoned is None or empty."""

    demand: Demand
    ranks: tuple[RankMemory, ...]
    layers: tuple[Layer, ...] | None
    weights_known: bool  # from files, not from the config alone
    shared_with_host: bool
    is_sure: bool  # the layers are those of a family that we know, and nothing overrides its config
    has_all_layers: bool = True  # a draft model's own cache is left out where it is not known


def reckon(case: Case, tensors: Tensors | None, host_memory_mib: int | None = None) -> Memory | None:
    """The memory of a case; None where GPUs or model are not known."""
    model: Model | None = case.model_facts
    gpus, shared = _with_memory(case.gpus, host_memory_mib)
    if model is None or not gpus:
        return None
    case = dataclasses.replace(case, gpus=gpus)
    demand = read_demand(case, model)
    layers, whole = with_draft(layers_of(model, demand), demand, model, case.draft_facts)
    quantization = case.values.get("quantization")
    weights = weights_per_rank(
        model, tensors, demand, quantization if isinstance(quantization, str) else None
    )
    if weights is None and layers is None:
        return None
    caches = lay_out(layers, demand, _has_wide_blocks(gpus, model)) if layers else ()
    ranks = tuple(
        _rank(
            _gpu_of(gpus, rank, demand),
            model,
            case,
            demand,
            weights[rank] if weights else None,
            _of(caches, rank),
        )
        for rank in range(demand.pipeline_parallel)
    )
    sure = model.text_model_type in KNOWN_FAMILIES and not demand.is_overridden
    known = tensors is not None and weights is not None
    return Memory(demand, ranks, layers, known, shared, sure, whole)


def _with_memory(gpus: tuple[Gpu, ...] | None, host_memory_mib: int | None) -> tuple[tuple[Gpu, ...], bool]:
    """GPUs that share the host's memory take its size; without a size nothing can be reckoned."""
    if not gpus:
        return (), False
    if all(gpu.memory_total_mib for gpu in gpus):
        return gpus, False
    if host_memory_mib is None or any(gpu.memory_total_mib for gpu in gpus):
        return (), False
    return tuple(dataclasses.replace(gpu, memory_total_mib=host_memory_mib) for gpu in gpus), True


def _has_wide_blocks(gpus: t.Sequence[Gpu], model: Model) -> bool:
    """FlashInfer on data-centre Blackwell takes blocks of 32 tokens for heads of 256."""
    return model.head_size == _WIDE_BLOCK_HEAD and any(
        (gpu.compute_capability or "").startswith("10.") for gpu in gpus
    )


def _gpu_of(gpus: t.Sequence[Gpu], rank: int, demand: Demand) -> Gpu:
    """The smallest GPU that works on this stage, over all replicas."""
    width, ranks = demand.tensor_parallel, demand.ranks
    mine = [gpu for at, gpu in enumerate(gpus[: ranks * demand.data_parallel]) if at % ranks // width == rank]
    return smallest_gpu(mine or gpus) or gpus[0]


def _of(caches: tuple[Cache, ...], rank: int) -> Cache | None:
    return caches[min(rank, len(caches) - 1)] if caches else None


def _rank(
    gpu: Gpu, model: Model, case: Case, demand: Demand, weights: Span | None, cache: Cache | None
) -> RankMemory:
    total = _VISIBLE * float((gpu.memory_total_mib or 0) * MIB)
    parts = {
        "weights": weights or Span(0, 0, total.high),
        "draft model": drafter(model, demand, case.draft_facts),
        "activations and workspaces": activations(model, demand),
    }
    if demand.graphs.charged:
        parts["CUDA graphs"] = graphs(model, demand)
    budget = total * demand.utilization
    available = _left(budget, parts)
    if demand.kv_bytes:
        budget, available = total, exactly(demand.kv_bytes)
    if demand.blocks_override and cache:
        available = exactly(demand.blocks_override * cache.stack)
    return RankMemory(gpu, total, budget, parts, available, cache, graphs(model, demand))


def _left(budget: Span, parts: t.Mapping[str, Span]) -> Span:
    taken = NOTHING
    for part in parts.values():
        taken = taken + part
    return Span(budget.low - taken.high, budget.likely - taken.likely, budget.high - taken.low)
