"""Whether a server fits, and by which of vLLM's own errors it would end if it does not."""

from __future__ import annotations

import dataclasses
import typing as t

from .memory import Memory, RankMemory

Outcome = t.Literal["fits", "tight", "does not fit"]
Shortage = t.Literal["no_memory_for_kv_cache", "kv_cache_too_small_for_max_model_len", "hybrid_mamba_blocks"]

_STATE_CHECK_SINCE = (0, 20, 0)
_HOPE = 0.05  # how far from the likely case towards the best one a shortage must still hold to be told


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The outcome for the rank that is worst off, with what there is to say about it."""

    outcome: Outcome
    rank: int
    shortage: Shortage | None = None
    certain: bool = False
    before: Shortage | None = (
        None  # what an estimate says of a check that comes earlier than the certain shortage
    )
    needed: int | None = None  # bytes for one sequence of full length
    longest: int | None = None  # the longest sequence that likely fits
    tokens: int | None = None  # of context that likely fit at once
    concurrency: float | None = None  # sequences of full length at once
    blocks: int | None = None  # likely; a sequence with states needs one


def judge(memory: Memory) -> Verdict:
    """The verdict of the rank that is worst off."""
    verdicts = [_judge(memory, rank, at) for at, rank in enumerate(memory.ranks)]
    order: tuple[Outcome, ...] = ("does not fit", "tight", "fits")
    return min(verdicts, key=lambda each: (order.index(each.outcome), not each.certain, each.longest or 0))


def _judge(memory: Memory, rank: RankMemory, at: int) -> Verdict:
    length, cache = memory.demand.length, rank.cache
    needed = cache.needed(length) + cache.reserved if cache and length else None
    shortage, certain, before = _shortage(memory, rank, needed)
    verdict = Verdict("fits", at, shortage, certain, before, needed)
    if cache is not None:
        likely = max(rank.available.likely, 0)
        limit = length or 1 << 20
        verdict = dataclasses.replace(
            verdict,
            longest=cache.longest(likely, limit),
            concurrency=cache.concurrency(likely, limit),
            tokens=int(cache.concurrency(likely, limit) * limit),
            blocks=cache.blocks_in(likely),
        )
    if shortage:
        return dataclasses.replace(verdict, outcome="does not fit")
    return dataclasses.replace(verdict, outcome="fits" if _is_safe(memory, rank, needed) else "tight")


def _shortage(
    memory: Memory, rank: RankMemory, needed: int | None
) -> tuple[Shortage | None, bool, Shortage | None]:
    """The shortage to tell, whether it is certain, and what an estimate says of an earlier check."""
    found = [(certain, _first_check(memory, rank, needed, left)) for certain, left in _bounds(memory, rank)]
    told = next(((shortage, certain) for certain, shortage in found if shortage), None)
    if told is None:
        return None, False, None
    likely = found[-1][1]
    return (*told, likely if told[1] and likely != told[0] else None)


def _first_check(memory: Memory, rank: RankMemory, needed: int | None, available: float) -> Shortage | None:
    """vLLM's checks in their order: something left at all, one sequence, one state per sequence."""
    if available <= 0:
        return "no_memory_for_kv_cache"
    if not memory.demand.length_is_auto and (needed or 0) > available:
        return "kv_cache_too_small_for_max_model_len"
    return "hybrid_mamba_blocks" if _states_do_not_suffice(memory, rank, available) else None


def _bounds(memory: Memory, rank: RankMemory) -> tuple[tuple[bool, float], ...]:
    """What is surely not exceeded, then what is hardly exceeded: a shortage against that is an estimate."""
    available = rank.available
    surely = available.high if memory.weights_known or memory.demand.kv_bytes else rank.budget.high
    hardly = (False, available.likely + _HOPE * (available.high - available.likely))
    return ((True, surely), hardly) if memory.is_sure else (hardly,)


def _states_do_not_suffice(memory: Memory, rank: RankMemory, available: float) -> bool:
    demand, cache = memory.demand, rank.cache
    if cache is None or not cache.has_states or demand.graphs.eager or demand.release < _STATE_CHECK_SINCE:
        return False
    return demand.sequences > cache.blocks_in(available)


def _is_safe(memory: Memory, rank: RankMemory, needed: int | None) -> bool:
    low = rank.available.low
    return low > 0 and (needed or 0) <= low and not _states_do_not_suffice(memory, rank, low)
