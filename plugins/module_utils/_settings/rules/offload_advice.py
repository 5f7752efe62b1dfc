"""Offloading to the host by name: names that match nothing, and experts that should go first."""

from __future__ import annotations

import typing as t

from .rule import Breach, row, rule, rules_of
from .view import View

_MUCH_SWAP_GIB = 32  # more than 70 % of a host with 46 GiB


def _patterns(view: View, setting: str) -> list[str]:
    value = view.value(setting)
    if isinstance(value, str):
        return value.split(",")
    return [str(each) for each in value] if isinstance(value, (list, tuple, set, frozenset)) else []


@rule(
    "offload_pattern_matches_nothing",
    "cpu_offload_params offload_params",
    "model_executor/offloader/uva.py:95 (0.17.0, 0.29.0)",
    "0.17.0",
    severity="warning",
    stage="advice",
)
def offload_patterns_are_names(view: View) -> t.Iterator[Breach]:
    """Parts of parameter names between dots, compared as text: no globs, no regular expressions."""
    for setting in ("cpu_offload_params", "offload_params"):
        for pattern in _patterns(view, setting):
            plain = pattern.strip("^$").replace(".*", "").replace("*", "").strip(".")
            if any(mark in pattern for mark in "*?[]()^$|\\+"):
                yield Breach(
                    setting,
                    f"{setting}: {pattern!r} matches nothing, so nothing is offloaded. vLLM compares whole parts of"
                    " parameter names between dots, without patterns.",
                    f"{setting}: [{plain or 'experts'}]",
                    pattern,
                )
            elif pattern in ("expert", "w13", "w2"):
                yield Breach(
                    setting,
                    f"{setting}: {pattern!r} matches nothing: a part must be whole, as experts or w13_weight.",
                    f"{setting}: [experts]",
                    pattern,
                )


@rule(
    "offload_without_experts",
    "cpu_offload_gb",
    "model_executor/offloader (0.17.0)",
    "0.17.0",
    severity="info",
    stage="advice",
    needs=("model",),
    also=lambda view: not view.given("cpu_offload_params"),
)
def experts_are_offloaded_first(view: View) -> t.Iterator[Breach]:
    """Without names the offloader takes parameters in the order of the file: dense ones, read in each step, first."""
    if view.model.is_moe and view.amount("cpu_offload_gb") > 0:
        yield Breach(
            "cpu_offload_params",
            "cpu_offload_gb without cpu_offload_params moves the dense layers first, which every token reads.",
            "cpu_offload_params: [experts]",
        )


SWAP_SPACE = row(
    "swap_space_on_small_host",
    "swap_space tensor_parallel_size",
    "config/cache.py:248 (0.17.1)",
    lambda view: view.amount("swap_space") * view.tp >= _MUCH_SWAP_GIB,
    lambda view: (
        f"swap_space takes {view.amount('swap_space'):g} GiB of host memory for each of {view.tp} GPUs;"
        " vLLM refuses more than 70 % of the host's memory."
    ),
    "swap_space: 0",
    until="0.17.1",
    severity="warning",
    stage="advice",
)

RULES = rules_of(globals())
