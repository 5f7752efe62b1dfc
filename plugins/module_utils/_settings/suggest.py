"""Nearest valid names: by spelling, and by what people from elsewhere mean with theirs."""

from __future__ import annotations

import difflib
import functools
import re
import typing as t

from .confusions import OPTIONS, VALUES, Meaning

_NEAR = 0.72  # below this a suggestion is noise
_SEPARATORS = re.compile(r"[-_.\s]+")


def nearest_names(name: str, valid: t.Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The valid names that are spelled most like ``name``, best first; none where nothing is near."""
    wanted = _plain(name)
    matcher = difflib.SequenceMatcher(None, b=wanted)
    scored = sorted(
        ((_likeness(matcher, wanted, _plain(candidate)), candidate) for candidate in dict.fromkeys(valid)),
        key=lambda pair: (-pair[0], pair[1]),
    )
    best = scored[0][0] if scored else 0.0
    # A far second beside a near first is no help.
    return tuple(candidate for score, candidate in scored[:limit] if score >= max(_NEAR, best - 0.12))


def meant_option(name: str) -> Meaning | None:
    """What an option of another server or of an old vLLM is called today; None where it is no known confusion."""
    return OPTIONS.get(_plain(name.removeprefix("--no-")))


def meant_value(setting: str, value: object) -> Meaning | None:
    """What a value of another server means for this setting."""
    return VALUES.get(setting, {}).get(str(value).strip().lower())


@functools.lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    return _SEPARATORS.sub("_", name.strip().lower()).strip("_")


def _likeness(matcher: difflib.SequenceMatcher[str], wanted: str, candidate: str) -> float:
    """1 for the same, 0 for nothing in common: edits, runs of letters, the same words in another order."""
    if wanted == candidate:
        return 1.0
    words, others = set(wanted.split("_")), set(candidate.split("_"))
    shared = 0.95 * len(words & others) / len(words | others)
    started = 0.9 if len(wanted) >= 4 and candidate.startswith(wanted) else 0.0
    return max(shared, started, _spelling(matcher, wanted, candidate))


def _spelling(matcher: difflib.SequenceMatcher[str], wanted: str, candidate: str) -> float:
    """Likeness by letters; counted only where the letters in common allow it to be near."""
    longest = max(len(wanted), len(candidate))
    if min(len(wanted), len(candidate)) / longest < _NEAR or _in_common(wanted, candidate) / longest < _NEAR:
        return 0.0
    matcher.set_seq1(candidate)
    edits = 1 - _edit_distance(wanted, candidate) / longest
    return max(edits, matcher.ratio() - 0.1)


def _in_common(wanted: str, candidate: str) -> int:
    """How many letters both have, in any order."""
    left = list(wanted)
    for letter in candidate:
        if letter in left:
            left.remove(letter)
    return len(wanted) - len(left)


@functools.lru_cache(maxsize=4096)
def _edit_distance(left: str, right: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours that turn one into the other."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
