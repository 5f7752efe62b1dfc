"""In which order the hosts of a fleet are released, and how many at once."""

from __future__ import annotations

import dataclasses
import math
import re
import typing as t

Size = t.Union[int, str]  # a number of hosts, or a share of all: 25%
DEFAULT_SIZES: tuple[Size, ...] = ("100%",)
_SHARE = re.compile(r"(\d+(?:\.\d+)?)%")


@dataclasses.dataclass(frozen=True)
class Serving:
    """What a host is to serve: a key for what a canary stands for, and the names that clients ask for."""

    host: str
    kinds: frozenset[tuple[str, ...]] = frozenset()  # (image, model, GPU) of each instance
    names: frozenset[str] = frozenset()


class BatchesError(ValueError):
    """``vllm_canaries`` or ``vllm_batches`` say what cannot be done; the message says what to write."""


def batches(
    hosts: t.Sequence[Serving],
    canaries: t.Sequence[str] | None = None,
    sizes: t.Sequence[Size] = DEFAULT_SIZES,
) -> list[list[str]]:
    """The hosts in batches, canaries first.

    Without ``canaries`` one host stands for each distinct (image, model, GPU). No batch holds every host that serves a
    name which several serve, unless the fleet has but that many hosts in all.
    """
    chosen = _chosen(hosts, canaries)
    rest = [host for host in hosts if host.host not in chosen]
    first = [host for host in hosts if host.host in chosen]
    rough = ([first] if first else []) + _cut(rest, sizes, len(hosts))
    everywhere = _hosts_of_names(hosts)
    return [[host.host for host in each] for batch in rough for each in _spread(batch, everywhere)]


def _chosen(hosts: t.Sequence[Serving], canaries: t.Sequence[str] | None) -> set[str]:
    known = {host.host for host in hosts}
    if canaries is not None:  # one that --limit leaves out is no canary of this run
        return {name for name in canaries if name in known}
    chosen: set[str] = set()
    seen: set[tuple[str, ...]] = set()
    for host in hosts:
        if host.kinds - seen:
            chosen.add(host.host)
            seen |= host.kinds
    return chosen


def _cut(hosts: t.Sequence[Serving], sizes: t.Sequence[Size], total: int) -> list[list[Serving]]:
    """As ``serial`` cuts: each size once, the last one again and again."""
    counts = count_of(sizes, total)
    cut: list[list[Serving]] = []
    left = list(hosts)
    while left:
        count = counts[min(len(cut), len(counts) - 1)]
        cut.append(left[:count])
        left = left[count:]
    return cut


def count_of(sizes: t.Sequence[Size], total: int) -> list[int]:
    """How many hosts of ``total`` each size means; BatchesError for one that means nothing, and for none at all."""
    if not sizes:
        raise BatchesError('vllm_batches is empty: write [1, "25%", "100%"], or leave it out')
    return [_count(size, total) for size in sizes]


def _count(size: Size, total: int) -> int:
    text = str(size).strip()
    share = _SHARE.fullmatch(text)
    if share and 0 < float(share.group(1)) <= 100:
        return max(1, math.floor(total * float(share.group(1)) / 100))
    if not isinstance(size, bool) and text.isdecimal() and int(text) > 0:
        return int(text)
    raise BatchesError(
        f'vllm_batches: {size!r} is no number of hosts and no share of them: write 2, or "25%"'
    )


def _hosts_of_names(hosts: t.Sequence[Serving]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for host in hosts:
        for name in host.names:
            found.setdefault(name, set()).add(host.host)
    return {name: each for name, each in found.items() if len(each) > 1}


def _spread(batch: t.Sequence[Serving], everywhere: t.Mapping[str, set[str]]) -> list[list[Serving]]:
    """The batch, in as many parts as it takes to leave each name a host that serves."""
    parts: list[list[Serving]] = []
    for host in batch:
        part = next((each for each in parts if not _takes_all([*each, host], everywhere)), None)
        if part is None:
            parts.append([host])
        else:
            part.append(host)
    return parts


def _takes_all(part: t.Sequence[Serving], everywhere: t.Mapping[str, set[str]]) -> bool:
    hosts = {host.host for host in part}
    return any(all_of_it <= hosts for all_of_it in everywhere.values())
