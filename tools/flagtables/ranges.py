"""Values that live for some releases, written as ``0.17.0-0.32.0`` or, when the newest has them too, ``0.17.0-``."""

from __future__ import annotations

import json
import typing as t

from releases import stretches

T = t.TypeVar("T")


def runs(per_release: t.Sequence[T | None], releases: t.Sequence[str]) -> dict[str, T]:
    """One entry per stretch of releases with one and the same value; None is absence."""
    return {span(first, last, releases): value for first, last, value in stretches(per_release, same)}


def same(one: t.Any, other: t.Any) -> bool:
    """Whether two values are the same data: true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def span(first: int, last: int, releases: t.Sequence[str]) -> str:
    """The text of one range."""
    return releases[first] + "-" + ("" if last == len(releases) - 1 else releases[last])


def histories(
    lists: t.Sequence[t.Sequence[t.Any] | None], releases: t.Sequence[str]
) -> dict[str, list[t.Any]]:
    """Lists of values per release, turned into the values that share a range."""
    values: list[t.Any] = []
    for each in lists:
        values += [value for value in each or [] if not any(same(value, known) for known in values)]
    grouped: dict[str, list[t.Any]] = {}
    for value in values:
        present = [True if any(same(value, x) for x in each or []) else None for each in lists]
        for where in runs(present, releases):
            grouped.setdefault(where, []).append(value)
    return grouped
