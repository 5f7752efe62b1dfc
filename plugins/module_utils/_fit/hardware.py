"""Which of a host's GPUs a server gets, as its settings name them."""

from __future__ import annotations

import typing as t

from .._settings.case import Gpu

Facts = t.Mapping[str, t.Any]


def select_gpus(wanted: t.Sequence[str], facts: t.Sequence[Facts] | None) -> tuple[Gpu, ...] | None:
    """The GPUs of an instance, in the order in which it names them; None where one of them is not known.

    Names are indices, UUIDs, MIG devices (``0:1`` or their UUID) or ``all``; ``facts`` is what nvidia_gpu_info returns.
    """
    if facts is None:
        return None
    found: list[Gpu] = []
    for name in wanted:
        here = [gpu for each in facts for gpu in _named(name, each)]
        if not here:
            return None
        found += here
    return tuple(found) or None


def _named(name: str, facts: Facts) -> t.Iterator[Gpu]:
    slices = [each for each in facts.get("mig_devices") or () if isinstance(each, t.Mapping)]
    if name == "all" and slices:
        yield from (_slice(facts, each) for each in slices)
    elif name in ("all", str(facts.get("index")), facts.get("uuid")):
        yield _gpu(facts)
    else:
        yield from (_slice(facts, each) for each in slices if name in (each.get("name"), each.get("uuid")))


def _gpu(facts: Facts) -> Gpu:
    return Gpu(
        name=_text(facts.get("name")),
        compute_capability=_text(facts.get("compute_capability")),
        memory_total_mib=_number(facts.get("memory_total_mib")),
        memory_free_mib=_number(facts.get("memory_free_mib")),
        used_by=tuple(str(each) for each in facts.get("used_by") or ()),
    )


def _slice(facts: Facts, part: Facts) -> Gpu:
    name = f"{facts.get('name')} MIG {part.get('profile') or part.get('name')}"
    return Gpu(name, _text(facts.get("compute_capability")), _number(part.get("memory_total_mib")))


def _text(value: t.Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: t.Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
