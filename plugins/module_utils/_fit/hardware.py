"""Which of a host's GPUs a server gets, as its settings name them, and what of them others hold."""

from __future__ import annotations

import typing as t

from .._settings.case import Gpu

Facts = t.Mapping[str, t.Any]
Ours = t.Optional[t.Collection[str]]

_UNEXPLAINED = 0.05  # of a GPU: more than the driver keeps for itself


def select_gpus(
    wanted: t.Sequence[str], facts: t.Sequence[Facts] | None, ours: Ours = None
) -> tuple[Gpu, ...] | None:
    """The GPUs of an instance, in the order in which it names them; None where one of them is not known.

    Names are indices, UUIDs, MIG devices (``0:1`` or their UUID) or ``all``; ``facts`` is what nvidia_gpu_info returns.
    Memory that the systemd units ``ours`` hold counts as free: they are stopped before the server starts. Without
    ``ours`` the facts are taken as they stand.
    """
    if facts is None:
        return None
    found: list[Gpu] = []
    for name in wanted:
        here = [gpu for each in facts for gpu in _named(name, each, ours)]
        if not here:
            return None
        found += here
    return tuple(found) or None


def _named(name: str, facts: Facts, ours: Ours) -> t.Iterator[Gpu]:
    slices = [each for each in _list(facts.get("mig_devices")) if isinstance(each, t.Mapping)]
    if name == "all" and slices:
        yield from (_slice(facts, each) for each in slices)
    elif name in ("all", str(facts.get("index")), facts.get("uuid")):
        yield _gpu(facts, ours)
    else:
        yield from (_slice(facts, each) for each in slices if name in (each.get("name"), each.get("uuid")))


def _gpu(facts: Facts, ours: Ours) -> Gpu:
    free, used_by = _held_by_others(facts, ours)
    return Gpu(
        name=_text(facts.get("name")),
        compute_capability=_text(facts.get("compute_capability")),
        memory_total_mib=_number(facts.get("memory_total_mib")),
        memory_free_mib=free,
        used_by=used_by,
    )


def _held_by_others(facts: Facts, ours: Ours) -> tuple[int | None, tuple[str, ...]]:
    """What is free once ``ours`` are stopped, and who holds the rest; None where that cannot be told."""
    free, total = _number(facts.get("memory_free_mib")), _number(facts.get("memory_total_mib")) or 0
    holders = [each for each in _list(facts.get("processes")) if isinstance(each, t.Mapping)]
    if ours is None:
        return free, tuple(map(_holder, holders)) or tuple(str(each) for each in _list(facts.get("used_by")))
    others = tuple(_holder(each) for each in holders if _text(each.get("unit")) not in ours)
    sizes = [_number(each.get("used_memory_mib")) for each in holders]
    if free is None or not total or None in sizes:
        return None, others
    if total - free - sum(each or 0 for each in sizes) > _UNEXPLAINED * total:
        return None, others  # what no listed process holds may be ours
    mine = [size or 0 for size, each in zip(sizes, holders) if _text(each.get("unit")) in ours]
    return min(free + sum(mine), total), others


def _holder(facts: Facts) -> str:
    """``python3 (pid 4711, llama.service, 8000 MiB)``."""
    size = _number(facts.get("used_memory_mib"))
    marks = (f"pid {facts.get('pid')}", _text(facts.get("unit")), f"{size} MiB" if size else None)
    return f"{_text(facts.get('name')) or 'a process'} ({', '.join(each for each in marks if each)})"


def _slice(facts: Facts, part: Facts) -> Gpu:
    name = f"{facts.get('name')} MIG {part.get('profile') or part.get('name')}"
    return Gpu(name, _text(facts.get("compute_capability")), _number(part.get("memory_total_mib")))


def _list(value: t.Any) -> t.Sequence[t.Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _text(value: t.Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: t.Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
