"""Which single change would make a server fit."""

from __future__ import annotations

import dataclasses
import math
import typing as t

from .._settings.case import Case
from .memory import Memory, reckon
from .tensors import Tensors
from .units import GIB, ceil_div
from .verdict import Verdict, judge

_SHORTEST = 1024
_HIGHEST_UTILIZATION = 0.95
_OFFLOAD_SINCE = (0, 17, 0)
_LENGTH_STEP = 256


@dataclasses.dataclass(frozen=True)
class Change:
    """A setting with the value that would do."""

    setting: str
    value: t.Any
    words: str = ""

    def text(self) -> str:
        """As it is written in the inventory."""
        return f"{self.setting}: {self.value}{self.words}"


def changes_that_fit(
    case: Case, tensors: Tensors | None, host_memory_mib: int | None, memory: Memory, verdict: Verdict
) -> tuple[Change, ...]:
    """Every single change that would do, the least painful first."""

    def does(setting: str, value: t.Any) -> bool:
        changed = _with(case, setting, value)
        found = reckon(changed, tensors, host_memory_mib)
        return found is not None and judge(found).shortage is None

    found = (maker(case, memory, verdict, does) for maker in _MAKERS)
    return tuple(change for change in found if change is not None)


Does = t.Callable[[str, t.Any], bool]


def _with(case: Case, setting: str, value: t.Any) -> Case:
    return dataclasses.replace(case, values={**case.values, setting: value}, given=case.given | {setting})


def _fewer_sequences(case: Case, memory: Memory, verdict: Verdict, does: Does) -> Change | None:
    sequences = memory.demand.sequences
    if verdict.shortage != "hybrid_mamba_blocks" or not verdict.blocks:
        return None
    wanted = 1 << max(0, int(math.log2(max(1, verdict.blocks * 0.8))))
    return Change("max_num_seqs", wanted) if wanted < sequences and does("max_num_seqs", wanted) else None


def _shorter(case: Case, memory: Memory, verdict: Verdict, does: Does) -> Change | None:
    length = verdict.longest or 0
    if verdict.shortage != "kv_cache_too_small_for_max_model_len" or length < _SHORTEST:
        return None
    length -= length % _LENGTH_STEP
    return Change("max_model_len", length) if does("max_model_len", length) else None


def _smaller_cache(case: Case, memory: Memory, verdict: Verdict, does: Does) -> Change | None:
    """fp8 needs 8.9, where every backend that is chosen by itself takes it."""
    capabilities = [_capability(gpu.compute_capability) for gpu in case.gpus or ()]
    plain = memory.demand.kv_dtype in ("auto", "bfloat16", "float16", "half")
    if not plain or not capabilities or min(capabilities) < (8, 9):
        return None
    return Change("kv_cache_dtype", "fp8") if does("kv_cache_dtype", "fp8") else None


def _more_of_the_gpu(case: Case, memory: Memory, verdict: Verdict, does: Does) -> Change | None:
    if memory.shared_with_host or memory.demand.kv_bytes:
        return None
    for value in (0.9, 0.92, _HIGHEST_UTILIZATION):
        if value > memory.demand.utilization and does("gpu_memory_utilization", value):
            return Change("gpu_memory_utilization", value)
    return None


def _more_gpus(case: Case, memory: Memory, verdict: Verdict, does: Does) -> Change | None:
    heads, size = getattr(case.model_facts, "attention_heads", None), memory.demand.tensor_parallel
    for value in (2, 4, 8):
        if value > size and heads and heads % value == 0 and does("tensor_parallel_size", value):
            return Change(
                "tensor_parallel_size", value, f" ({value * memory.demand.pipeline_parallel} such GPUs)"
            )
    return None


def _offloaded(case: Case, memory: Memory, verdict: Verdict, does: Does) -> Change | None:
    rank = memory.ranks[verdict.rank]
    missing = (verdict.needed or 0) - rank.available.likely
    amount = ceil_div(int(max(missing, 0) * 1.1), GIB) + memory.demand.offload.bytes // GIB
    if (
        case.release < _OFFLOAD_SINCE
        or not memory.weights_known
        or not 0 < amount < rank.parts["weights"].likely / GIB
    ):
        return None
    return Change("cpu_offload_gb", amount, " (slow)") if does("cpu_offload_gb", amount) else None


def _capability(text: str | None) -> tuple[int, int]:
    major, _dot, minor = (text or "0.0").partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)


_MAKERS = (_fewer_sequences, _shorter, _smaller_cache, _more_of_the_gpu, _more_gpus, _offloaded)
