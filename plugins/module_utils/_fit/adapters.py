"""LoRA adapters that a server loads at its start, and what their files say."""

from __future__ import annotations

import typing as t

from .config_fields import number

# Before 0.11.1 a check of its own, since then choices of the parser; the 1 that came then is below every other.
_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
LARGEST_RANK = _RANKS[-1]


def named_adapters(modules: t.Any) -> dict[str, str]:
    """The names of the adapters of ``lora_modules`` by their paths; what is no adapter is another check's matter."""
    each_one = modules if isinstance(modules, (list, tuple)) else ()
    return {
        each["path"]: str(each.get("name"))
        for each in each_one
        if isinstance(each, dict) and isinstance(each.get("path"), str)
    }


def rank_of(facts: t.Any) -> int | None:
    """The rank of an adapter, as ``vllm_model_info`` returns it."""
    return number(facts, "adapter_rank") if isinstance(facts, t.Mapping) else None


def rank_to_allow(rank: int) -> int | None:
    """The least ``max_lora_rank`` that every release takes and that lets this rank in; None where none does."""
    return next((allowed for allowed in _RANKS if allowed >= rank), None)
