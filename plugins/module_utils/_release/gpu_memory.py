"""Whether a GPU has the memory free that a server wants to find, and who holds it where it has not."""

from __future__ import annotations

import dataclasses
import typing as t


@dataclasses.dataclass(frozen=True)
class Holder:
    """A process with memory on a GPU."""

    pid: int
    name: str | None = None
    used_mib: int | None = None
    unit: str | None = None

    def text(self) -> str:
        """For people."""
        used = "" if self.used_mib is None else f", {self.used_mib} MiB"
        where = f" of {self.unit}" if self.unit else ""
        return f"process {self.pid} ({self.name or 'no name'}{where}{used})"


@dataclasses.dataclass(frozen=True)
class GpuMemory:
    """One GPU as the driver tells it; None where it does not."""

    index: int
    uuid: str | None
    total_mib: int | None
    free_mib: int | None
    holders: tuple[Holder, ...] = ()


def lacking(
    gpus: t.Iterable[GpuMemory],
    names: t.Collection[str],
    share: float | None,
    leaving: t.Collection[str] = (),
) -> str | None:
    """Why the server cannot start on these GPUs now; None where it can, or where that cannot be told.

    ``names`` are indices or UUIDs, or ``all``. ``share`` is the part of each GPU's memory that the server asks for: vLLM
    refuses to start when less is free (v1/worker/utils.py, request_memory). ``leaving`` names the units whose processes
    are about to be stopped: what they hold counts as free.
    """
    if share is None:
        return None
    for gpu in gpus:
        chosen = "all" in names or str(gpu.index) in names or gpu.uuid in names
        why = _short(gpu, share, leaving) if chosen else None
        if why:
            return why
    return None


def _short(gpu: GpuMemory, share: float, leaving: t.Collection[str]) -> str | None:
    if gpu.total_mib is None or gpu.free_mib is None:
        return None
    going = sum(holder.used_mib or 0 for holder in gpu.holders if holder.unit in leaving)
    wanted, free = gpu.total_mib * share, gpu.free_mib + going
    if free >= wanted:
        return None
    staying = [holder.text() for holder in gpu.holders if holder.unit not in leaving]
    held = f"held by {', '.join(staying)}" if staying else "nvidia-smi names no process that holds it"
    return (
        f"GPU {gpu.index} ({gpu.uuid or 'no UUID'}) has {free} MiB free of {gpu.total_mib} MiB, and the server asks for"
        f" {wanted:.0f} MiB (gpu_memory_utilization {share:g}): {held}"
    )
