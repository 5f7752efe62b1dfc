"""The memory of a server as data and as sentences: the table that the findings and the plan show."""

from __future__ import annotations

import typing as t

from .memory import Memory, RankMemory
from .units import GIB, Span, gib
from .verdict import Verdict


def as_data(memory: Memory, verdict: Verdict, changes: t.Sequence[str] = ()) -> dict[str, t.Any]:
    """For results: GiB with two digits, every estimate as low, likely, high."""
    return {
        "outcome": verdict.outcome,
        "shortage": verdict.shortage,
        "certain": verdict.certain,
        "weights_known": memory.weights_known,
        "draft_cache_known": memory.has_all_layers,
        "memory_shared_with_host": memory.shared_with_host,
        "max_model_len": memory.demand.length,
        "max_num_seqs": memory.demand.sequences,
        "max_num_batched_tokens": memory.demand.step_tokens,
        "kv_cache_needed_gib": None if verdict.needed is None else round(verdict.needed / GIB, 2),
        "kv_cache_tokens": verdict.tokens,
        "longest_sequence": verdict.longest,
        "sequences_of_full_length": None if verdict.concurrency is None else round(verdict.concurrency, 2),
        "cache_blocks": verdict.blocks,
        "cache_block_size": block_of(memory),
        "changes_that_fit": list(changes),
        "gpus": [_rank_data(rank) for rank in memory.ranks],
    }


def block_of(memory: Memory) -> int | None:
    """Tokens per block of the layers that attend."""
    cache = memory.ranks[0].cache
    return cache.block if cache else None


def _rank_data(rank: RankMemory) -> dict[str, t.Any]:
    return {
        "gpu": rank.gpu.name,
        "total_gib": _span(rank.total),
        "budget_gib": _span(rank.budget),
        "parts_gib": {name: _span(part) for name, part in rank.parts.items()},
        "kv_cache_gib": _span(rank.available),
    }


def _span(span: Span) -> dict[str, float]:
    return {
        "low": round(span.low / GIB, 2),
        "likely": round(span.likely / GIB, 2),
        "high": round(span.high / GIB, 2),
    }


def parts_in_words(rank: RankMemory) -> str:
    """``budget 21.6 GiB - weights 18.1 - activations and workspaces 1.0 (0.2 to 2.4) = 0.9 for the cache``."""
    parts = [_part_in_words(name, part) for name, part in rank.parts.items() if part.high > 0.05 * GIB]
    left = max(rank.available.likely, 0)
    return f"budget {gib(rank.budget.likely)} - {' - '.join(parts)} = {gib(left)} for the KV cache"


def _part_in_words(name: str, part: Span) -> str:
    wide = part.high - part.low > 0.1 * max(part.likely, GIB)
    bounds = f" ({part.low / GIB:.1f} to {part.high / GIB:.1f})" if wide else ""
    return f"{name} {part.likely / GIB:.1f}{bounds}"
