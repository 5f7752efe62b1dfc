"""Habits that pay on this class of GPU, told only where the setting is absent; never more than three."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.case import Case
from .._settings.finding import Finding
from .demand import Demand, read_demand
from .families import Family, family

AT_MOST = 3
_LONG_CONTEXT = 131_072


@dataclasses.dataclass(frozen=True)
class _Situation:
    case: Case
    demand: Demand
    families: frozenset[Family]

    def absent(self, *names: str) -> bool:
        return not any(name in self.case.given for name in names)

    @property
    def name(self) -> str:
        return next((gpu.name for gpu in self.case.gpus or () if gpu.name), "this GPU")


@dataclasses.dataclass(frozen=True)
class _Habit:
    code: str
    setting: str
    pays: t.Callable[[_Situation], bool]
    says: t.Callable[[_Situation], str]
    fix: str


def _small_defaults(here: _Situation) -> bool:
    return "a100" in here.name.lower() and here.absent("max_num_seqs", "max_num_batched_tokens")


def _many_states(here: _Situation) -> bool:
    model = here.case.model_facts
    return bool(model and model.is_hybrid) and here.absent("max_num_seqs") and here.demand.sequences >= 1024


def _whole_context(here: _Situation) -> bool:
    return here.absent("max_model_len") and (here.demand.length or 0) >= _LONG_CONTEXT


def _pair_over_pcie(here: _Situation) -> bool:
    consumer = any(word in here.name for word in ("GeForce", "RTX 30", "RTX 40", "RTX 50", "L4", "A10"))
    return consumer and here.demand.tensor_parallel > 1 and here.absent("disable_custom_all_reduce")


def _few_users(here: _Situation) -> bool:
    small = [gpu.memory_total_mib or 0 for gpu in here.case.gpus or ()]
    return bool(small) and 0 < max(small) <= 33_000 and here.absent("max_num_seqs")


def _shares_with_system(here: _Situation) -> bool:
    unified = "GB10" in here.name or "Thor" in here.name
    return unified and here.absent("gpu_memory_utilization", "kv_cache_memory_bytes")


def _uncounted_drafts(here: _Situation) -> bool:
    return bool(
        here.demand.speculation and here.demand.speculation.method == "mtp" and not here.demand.draft_tokens
    )


_HABITS = (
    _Habit(
        "advice_context_length",
        "max_model_len",
        _whole_context,
        lambda here: (
            f"max_model_len is absent: the model's whole context of {here.demand.length} tokens must fit."
        ),
        "max_model_len: what your requests need",
    ),
    _Habit(
        "advice_unified_memory",
        "gpu_memory_utilization",
        _shares_with_system,
        lambda here: (
            f"{here.name} shares its memory with the system, and vLLM takes {here.demand.utilization:g} of it."
        ),
        "gpu_memory_utilization: 0.8 (usual on such hosts)",
    ),
    _Habit(
        "advice_hybrid_sequences",
        "max_num_seqs",
        _many_states,
        lambda here: (
            f"The default of {here.demand.sequences} sequences reserves a state for each of them on a hybrid model."
        ),
        "max_num_seqs: 256, or what your load needs",
    ),
    _Habit(
        "advice_draft_tokens",
        "speculative_config.num_speculative_tokens",
        _uncounted_drafts,
        lambda here: (
            "The number of drafted tokens is not said, and cannot be inferred from every MTP checkpoint."
        ),
        "num_speculative_tokens: 2",
    ),
    _Habit(
        "advice_pcie_pair",
        "disable_custom_all_reduce",
        _pair_over_pcie,
        lambda here: f"{here.name}s without NVLink gain nothing from custom all-reduce, and some hang in it.",
        'disable_custom_all_reduce: true, and env: {NCCL_P2P_DISABLE: "1"} unless peer access is proven',
    ),
    _Habit(
        "advice_default_limits",
        "max_num_seqs",
        _small_defaults,
        lambda here: "On an A100 vLLM's defaults are those of small GPUs: 256 sequences, 2048 tokens a step.",
        "max_num_seqs and max_num_batched_tokens: 8192, where throughput counts",
    ),
    _Habit(
        "advice_few_users",
        "max_num_seqs",
        _few_users,
        lambda here: (
            f"{here.demand.sequences} sequences is the default; on a card of this size few fit at once."
        ),
        "max_num_seqs: 4 for a few users, with more cache for each",
    ),
)


def advice_findings(case: Case) -> list[Finding]:
    """The first habits that pay here; nothing where the GPUs are not known."""
    if not case.gpus:
        return []
    known = frozenset(found for gpu in case.gpus if (found := family(gpu)) is not None)
    here = _Situation(case, read_demand(case, case.model_facts), known)
    return [_finding(habit, here) for habit in _HABITS if habit.pays(here)][:AT_MOST]


def _finding(habit: _Habit, here: _Situation) -> Finding:
    return Finding("info", "advice", habit.code, habit.says(here), fix=habit.fix, setting=habit.setting)
