"""What the arithmetic has to say about a server, as findings."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.case import Case
from .._settings.finding import Finding
from .changes import Change, changes_that_fit
from .free_memory import free_memory_findings
from .kv_cache import block_size
from .memory import Memory, reckon
from .report import parts_in_words
from .reservations import reservation_findings
from .tensors import Tensors
from .units import MIB, gib
from .verdict import Verdict, judge

_NAMED_CHANGES = 3
SHORTAGES = {  # the setting that each is about
    "no_memory_for_kv_cache": "gpu_memory_utilization",
    "kv_cache_too_small_for_max_model_len": "max_model_len",
    "hybrid_mamba_blocks": "max_num_seqs",
}
_ALIGN_SINCE, _ALIGN_UNTIL = (0, 17, 0), (0, 26, 0)


@dataclasses.dataclass(frozen=True)
class Reckoned:
    """The memory of a server, what it comes to, and the changes that would fit where it does not."""

    memory: Memory
    verdict: Verdict
    changes: tuple[Change, ...] = ()


def reckon_whole(case: Case, tensors: Tensors | None, host_memory_mib: int | None) -> Reckoned | None:
    """Everything that the arithmetic can say of a case, reckoned once; None where GPUs or model are not known."""
    memory = reckon(case, tensors, host_memory_mib)
    if memory is None:
        return None
    verdict = judge(memory)
    if not verdict.shortage:
        return Reckoned(memory, verdict)
    return Reckoned(memory, verdict, changes_that_fit(case, tensors, host_memory_mib, memory, verdict))


def fit_findings(
    case: Case, reckoned: Reckoned | None, host_memory_mib: int | None = None
) -> t.Iterator[Finding]:
    """Shortages as errors where they are certain and as warnings where they are estimates; odd hardware as infos."""
    if reckoned is None:
        yield from _not_reckoned(case)
        return
    memory, verdict = reckoned.memory, reckoned.verdict
    yield from free_memory_findings(case.gpus or (), memory)
    yield from _state_block(case, memory)
    if verdict.before:
        yield _estimated_before(memory, verdict)
    if verdict.shortage:
        yield _shortage(memory, verdict, reckoned.changes)
    elif verdict.outcome == "tight":
        yield _tight(memory, verdict)
    yield from reservation_findings(case, memory, host_memory_mib)
    yield from _odd_hardware(case, memory)


def _shortage(memory: Memory, verdict: Verdict, changes: t.Sequence[Change]) -> Finding:
    shortage = verdict.shortage or "no_memory_for_kv_cache"
    rank = memory.ranks[verdict.rank]
    basis = "" if memory.weights_known else " The weights are reckoned from config.json alone."
    estimate = "" if verdict.certain else f" An estimate: {parts_in_words(rank)}.{basis}"
    where = f" (the smallest GPU counts: {rank.gpu.name})" if _differ(memory) else ""
    setting = SHORTAGES[shortage]
    return Finding(
        "error" if verdict.certain else "warning",
        "fit",
        shortage,
        _SENTENCES[shortage](memory, verdict) + where + "." + estimate,
        fix=_fix(changes),
        setting=setting,
        value={"max_model_len": memory.demand.length, "max_num_seqs": memory.demand.sequences}.get(
            setting, memory.demand.utilization
        ),
        source="v1/core/kv_cache_utils.py, config/compilation.py (0.26.0)",
    )


def _estimated_before(memory: Memory, verdict: Verdict) -> Finding:
    """What an earlier check would probably say, beside a later one that fails for certain."""
    told = _shortage(memory, dataclasses.replace(verdict, shortage=verdict.before, certain=False), ())
    return dataclasses.replace(told, fix=f"max_model_len: {verdict.longest}") if verdict.longest else told


def _differ(memory: Memory) -> bool:
    return len({rank.gpu.memory_total_mib for rank in memory.ranks}) > 1


def _nothing_left(memory: Memory, verdict: Verdict) -> str:
    rank = memory.ranks[verdict.rank]
    ahead = "Nothing" if verdict.certain else "Hardly anything"
    return (
        f"{ahead} of the {gib(rank.budget.likely)} that the server may use on {rank.gpu.name or 'its GPU'} is left"
        f' for the KV cache beside {gib(rank.parts["weights"].likely)} of weights: vLLM ends with "No available memory'
        ' for the cache blocks" or runs out of memory before'
    )


def _sequence_too_long(memory: Memory, verdict: Verdict) -> str:
    rank = memory.ranks[verdict.rank]
    at_best = "at best" if verdict.certain else "about"
    left = rank.available.high if verdict.certain and memory.weights_known else rank.available.likely
    left = (
        rank.budget.high
        if verdict.certain and not memory.weights_known and not memory.demand.kv_bytes
        else left
    )
    longest = (
        f", enough for about {verdict.longest} tokens" if verdict.longest and not verdict.certain else ""
    )
    return (
        f"One sequence of max_model_len {memory.demand.length} needs {gib(verdict.needed or 0)} of KV cache per GPU,"
        f' and {at_best} {gib(max(left, 0))} is left{longest}: vLLM ends with "To serve at least one request"'
    )


def _states_too_many(memory: Memory, verdict: Verdict) -> str:
    default = "" if memory.demand.sequences_given else " (vLLM's default on this GPU)"
    return (
        f"max_num_seqs {memory.demand.sequences}{default} needs as many cache blocks for the states of this hybrid"
        f' model, and about {verdict.blocks} fit: vLLM ends with "max_num_seqs exceeds available Mamba cache blocks"'
    )


_SENTENCES: dict[str, t.Callable[[Memory, Verdict], str]] = {
    "no_memory_for_kv_cache": _nothing_left,
    "kv_cache_too_small_for_max_model_len": _sequence_too_long,
    "hybrid_mamba_blocks": _states_too_many,
}


def _fix(changes: t.Sequence[Change]) -> str:
    if not changes:
        return "no single change is enough: a smaller or more quantized model, or more GPU memory"
    return "one of: " + "; ".join(change.text() for change in changes[:_NAMED_CHANGES])


def _tight(memory: Memory, verdict: Verdict) -> Finding:
    rank = memory.ranks[verdict.rank]
    return Finding(
        "info",
        "fit",
        "memory_tight",
        f"It probably fits, within the bounds of the estimate: {parts_in_words(rank)}; about {verdict.tokens} tokens"
        f" of context, {verdict.concurrency or 0:.1f} sequences of full length.",
        setting="gpu_memory_utilization",
        value=memory.demand.utilization,
    )


def _state_block(case: Case, memory: Memory) -> t.Iterator[Finding]:
    """With prefix caching a step must hold one block, and the block must hold a state: plain arithmetic."""
    demand = memory.demand
    if demand.states.mode != "align" or not _ALIGN_SINCE <= case.release <= _ALIGN_UNTIL or not memory.layers:
        return
    block = block_size(memory.layers, demand)
    if block <= demand.step_tokens:
        return
    given = "max_num_batched_tokens" in case.given
    yield Finding(
        "error" if memory.is_sure else "warning",
        "fit",
        "step_smaller_than_mamba_block",
        f"With prefix caching the cache blocks of this hybrid model are {block} tokens long, to hold its states, and"
        f" a step of max_num_batched_tokens {demand.step_tokens}{'' if given else ' (the default on this GPU)'} cannot"
        ' take one: vLLM ends with "In Mamba cache align mode, block_size must be <= max_num_batched_tokens".',
        fix=f"max_num_batched_tokens: {block} or more",
        setting="max_num_batched_tokens",
        value=demand.step_tokens,
        source="config/vllm.py validate_block_size (0.17.1 to 0.26.0)",
        since="0.17.0",
        until="0.26.0",
    )


def _odd_hardware(case: Case, memory: Memory) -> t.Iterator[Finding]:
    gpus = case.gpus or ()
    sizes = sorted({gpu.memory_total_mib for gpu in gpus if gpu.memory_total_mib})
    if len(sizes) > 1 and sizes[0] < 0.95 * sizes[-1]:
        names = ", ".join(f"{gpu.name} with {gib((gpu.memory_total_mib or 0) * MIB)}" for gpu in gpus)
        yield Finding(
            "info",
            "fit",
            "gpus_differ",
            f"The server's GPUs differ ({names}): the smallest of them decides how much cache each holds.",
            fix="GPUs of one size for one server",
            setting="gpus",
        )
    if memory.shared_with_host:
        yield Finding(
            "info",
            "fit",
            "memory_shared_with_host",
            f"{gpus[0].name or 'The GPU'} has no memory of its own: reckoned with the host's"
            f" {gib(memory.ranks[0].total.high)}, of which the system and other programs take their part.",
            fix="leave the system some GiB: gpu_memory_utilization 0.8 is usual on such hosts",
            setting="gpu_memory_utilization",
            value=memory.demand.utilization,
        )


def _not_reckoned(case: Case) -> t.Iterator[Finding]:
    if case.gpus and case.model_facts is not None and not all(gpu.memory_total_mib for gpu in case.gpus):
        yield Finding(
            "info",
            "fit",
            "gpu_memory_unknown",
            "How much memory the GPU has is not known, so nothing was reckoned.",
            fix="plan with the facts of the host (ansible_memtotal_mb for a GPU that shares its memory)",
            setting="gpus",
        )
