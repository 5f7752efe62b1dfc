"""Numbers within their bounds: vLLM's configuration classes refuse others when the engine starts."""

from __future__ import annotations

import typing as t

from .rule import Breach, Rule, row, rule, rules_of
from .view import View

_SIGNS: dict[str, tuple[str, t.Callable[[float, float], bool]]] = {
    "ge": ("at least", lambda value, limit: value >= limit),
    "gt": ("more than", lambda value, limit: value > limit),
    "le": ("at most", lambda value, limit: value <= limit),
    "lt": ("less than", lambda value, limit: value < limit),
}


def check_bounds(value: t.Any, bounds: t.Mapping[str, float]) -> str | None:
    """What the value must be ("at least 1 and …") where it is outside; None where it is inside or no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    broken = [name for name, limit in bounds.items() if name in _SIGNS and not _SIGNS[name][1](value, limit)]
    return limits_text(bounds) if broken else None


def limits_text(bounds: t.Mapping[str, float]) -> str:
    """Bounds in words: "more than 0 and at most 1"."""
    words = [f"{_SIGNS[name][0]} {limit:g}" for name, limit in bounds.items() if name in _SIGNS]
    return " and ".join(words)


def _is_read(view: View, field: str) -> bool:
    """Whether vLLM makes the class that checks the field: not LoRAConfig without LoRA, nor the multimodal one."""
    if field.startswith("LoRAConfig."):
        return view.flag("enable_lora")
    if field.startswith("MultiModalConfig."):
        return bool(view.model and view.model.is_multimodal)
    return True


@rule("out_of_bounds", "", "bounds of vLLM's configuration classes")
def within_bounds(view: View) -> t.Iterator[Breach]:
    """Every number that has bounds lies within them."""
    for setting in sorted(view.case.given):
        option = view.table.options.get(setting)
        if option is None or not option.bounds or not _is_read(view, option.field or ""):
            continue
        wanted = check_bounds(view.value(setting), option.bounds)
        if wanted:
            yield Breach(setting, f"{setting} must be {wanted}.", f"{setting}: a number that is {wanted}")


@rule("context_length_not_positive", "max_model_len", "config/model.py:1071 (0.33.0)")
def context_length_is_positive(view: View) -> t.Iterator[Breach]:
    """A context has at least one token; -1 asks vLLM to choose, since 0.14.0."""
    length = view.value("max_model_len")
    if not isinstance(length, int) or length >= 1 or (length == -1 and view.since(0, 14, 0)):
        return
    automatic = (
        "-1 (choose by the memory) exists since 0.14.0" if length == -1 else "it is a number of tokens"
    )
    yield Breach(
        "max_model_len", f"max_model_len is {length}: {automatic}.", "leave it out, or say how many tokens"
    )


@rule("parallel_size_zero", "tensor_parallel_size", "config/parallel.py (0.22.1)", until="0.22.1")
def tensor_parallel_size_is_positive(view: View) -> t.Iterator[Breach]:
    """Before there were bounds, zero ended in a division by zero."""
    if "tensor_parallel_size" in view.case.given and view.tp < 1:
        yield Breach(
            "tensor_parallel_size", "tensor_parallel_size must be at least 1.", "tensor_parallel_size: 1"
        )


_EARLY = (
    row(
        "memory_share_too_large",
        "gpu_memory_utilization",
        "config/cache.py:169 (0.11.0)",
        lambda view: view.amount("gpu_memory_utilization") > 1,
        lambda view: "gpu_memory_utilization is a share of the GPU's memory: at most 1.",
        "gpu_memory_utilization: 0.9",
        until="0.11.0",
    ),
    row(
        "offload_negative",
        "cpu_offload_gb",
        "config/cache.py:165 (0.11.0)",
        lambda view: view.amount("cpu_offload_gb") < 0,
        lambda view: "cpu_offload_gb is a number of GiB: at least 0.",
        "cpu_offload_gb: 0",
        until="0.11.0",
    ),
    row(
        "optimization_level_unknown",
        "optimization_level",
        "config/vllm.py: VllmConfig.optimization_level",
        lambda view: str(view.value("optimization_level")) not in ("0", "1", "2", "3"),
        lambda view: f"optimization_level (-O) is 0, 1, 2 or 3, not {view.value('optimization_level')}.",
        "optimization_level: 2",
        since="0.12.0",
    ),
)


def _limited(setting: str, bounds: t.Mapping[str, float], since: str, source: str) -> Rule:
    """Bounds of a field that vLLM fills from an option without telling the option of them."""
    return row(
        "out_of_bounds",
        setting,
        source,
        lambda view: check_bounds(view.value(setting), bounds) is not None,
        lambda view: f"{setting} must be {limits_text(bounds)}.",
        f"{setting}: a number that is {limits_text(bounds)}",
        since,
    )


_PORT = {"ge": 1, "le": 65535}
_UNTOLD = (
    _limited("shutdown_timeout", {"ge": 0}, "0.18.0", "config/vllm.py: VllmConfig.shutdown_timeout"),
    _limited("data_parallel_size_local", {"ge": 0}, "0.23.0", "config/parallel.py: ParallelConfig"),
    _limited("data_parallel_rank", {"ge": 0}, "0.23.0", "config/parallel.py: ParallelConfig"),
    _limited("data_parallel_rpc_port", _PORT, "0.28.0", "config/parallel.py: ParallelConfig"),
)

RULES = rules_of(globals())
