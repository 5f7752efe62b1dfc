"""What is free on a GPU now, against what the server will ask for at its start."""

from __future__ import annotations

import typing as t

from .._settings.case import Gpu
from .._settings.finding import Finding
from .memory import Memory
from .units import MIB, gib

_SOURCE = "v1/worker/utils.py request_memory (0.26.0)"
_PLACES = 1000  # a utilization is told with three digits


def free_memory_findings(gpus: t.Sequence[Gpu], memory: Memory) -> t.Iterator[Finding]:
    """vLLM wants utilization x total to be free, whatever it needs of it in the end."""
    demand = memory.demand
    if demand.kv_bytes:
        return
    for gpu in gpus:
        total, free = gpu.memory_total_mib, gpu.memory_free_mib
        if not total or free is None or free >= total * demand.utilization:
            continue
        share = int(free / total * _PLACES) / _PLACES
        by = f" It is held by {', '.join(gpu.used_by)}." if gpu.used_by else ""
        yield Finding(
            "warning",
            "fit",
            "free_memory_below_utilization",
            f"{gpu.name or 'The GPU'} has {gib(free * MIB)} of {gib(total * MIB)} free, and gpu_memory_utilization"
            f" {demand.utilization:g} wants {gib(total * MIB * demand.utilization)} at the start: it would end with"
            f' "Free memory on device is less than desired GPU memory utilization".{by}',
            fix=f"free the GPU before the start, or gpu_memory_utilization: {share:g} at most",
            setting="gpu_memory_utilization",
            value=demand.utilization,
            source=_SOURCE,
        )
