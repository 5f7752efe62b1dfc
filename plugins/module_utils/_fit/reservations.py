"""What is taken beside the budget: graphs that nobody charged, a cache of fixed size, memory of the host."""

from __future__ import annotations

import typing as t

from .._settings.case import Case
from .._settings.finding import Finding
from .memory import Memory
from .units import GIB, MIB, gib

_CONTEXT_BYTES = 450 * MIB  # of CUDA itself, on every GPU


def reservation_findings(case: Case, memory: Memory, host_memory_mib: int | None) -> t.Iterator[Finding]:
    """What does not fit although the budget does."""
    yield from _graphs_without_room(memory)
    yield from _too_much_reserved(memory)
    yield from _offload_beyond_host(case, memory, host_memory_mib)


def _graphs_without_room(memory: Memory) -> t.Iterator[Finding]:
    """Graphs that are not charged to the budget are captured in what utilization leaves free."""
    demand, rank = memory.demand, memory.ranks[0]
    room = rank.total.likely * (1 - demand.utilization) - _CONTEXT_BYTES
    if (
        demand.graphs.charged
        or demand.kv_bytes
        or memory.shared_with_host
        or rank.graphs.likely <= max(room, 0)
    ):
        return
    yield Finding(
        "warning",
        "fit",
        "oom_warmup_or_graph_capture",
        f"gpu_memory_utilization {demand.utilization:g} leaves about {gib(max(room, 0))} of {rank.gpu.name or 'the GPU'}"
        f" free, and CUDA graphs of {demand.graphs.sizes} sizes take about {gib(rank.graphs.likely)} of it, which this"
        " release does not count (an estimate): running out of memory while capturing them.",
        fix=f"gpu_memory_utilization: {demand.utilization - 0.05:.2f}, or max_cudagraph_capture_size: 64",
        setting="gpu_memory_utilization",
        value=demand.utilization,
        source="v1/worker/gpu_worker.py: graphs are charged since 0.20",
    )


def _too_much_reserved(memory: Memory) -> t.Iterator[Finding]:
    """A cache of fixed size is taken without asking what is left."""
    demand, rank = memory.demand, memory.ranks[0]
    wanted = (demand.kv_bytes or 0) + rank.parts["weights"].low
    if demand.kv_bytes and memory.weights_known and memory.is_sure and wanted > rank.total.high:
        yield Finding(
            "error",
            "fit",
            "oom_generic",
            f"kv_cache_memory_bytes {gib(demand.kv_bytes)} and {gib(rank.parts['weights'].likely)} of weights are more"
            f" than the {gib(rank.total.high)} of {rank.gpu.name or 'the GPU'}.",
            fix=f"kv_cache_memory_bytes: at most {int(max(0.0, rank.total.likely - wanted + demand.kv_bytes))}",
            setting="kv_cache_memory_bytes",
            value=demand.kv_bytes,
        )


def _offload_beyond_host(case: Case, memory: Memory, host_memory_mib: int | None) -> t.Iterator[Finding]:
    """Offloaded weights are pinned in the host's memory, for every GPU."""
    per_gpu = memory.demand.offload.bytes
    wanted = per_gpu * memory.demand.ranks
    if host_memory_mib and per_gpu and wanted > host_memory_mib * MIB:
        yield Finding(
            "warning",
            "fit",
            "host_memory",
            f"cpu_offload_gb {per_gpu / GIB:g} for each of {memory.demand.ranks} GPUs may pin {gib(wanted)}, and the"
            f" host has {gib(host_memory_mib * MIB)}.",
            fix=f"cpu_offload_gb: {int(host_memory_mib * MIB * 0.8 / GIB / memory.demand.ranks)} at most",
            setting="cpu_offload_gb",
            value=case.values.get("cpu_offload_gb"),
        )
