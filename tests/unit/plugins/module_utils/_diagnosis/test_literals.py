from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.literals import words_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signature import compiled
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signatures import SIGNATURES

from .logs import MORE, PUBLIC, TRACKER, WORDINGS

LINES = sorted(
    {line for _class, line in WORDINGS}
    | {line for case in [*PUBLIC, *MORE] for line in t.cast("list[str]", case["lines"])}
    | {line for case in TRACKER for line in case["lines"]}
)
PATTERNS = sorted({pattern for signature in SIGNATURES for pattern in signature.patterns})


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"No space left", ("No space left",)),
        (r"one thing|another", ("one thing", "another")),
        (r"\[Errno 28\] full", ("[Errno 28] full",)),
        (r"port (?P<port>\d+) is taken", (" is taken",)),
        (r"(?:driver|runtime)-\d+", ("driver", "runtime")),
        (r"(?:CUDA|HIP)(?: driver)? error: bad", (" error: bad",)),
        (r"colou?r", ("colo",)),
        (r"(?i:shout)", ()),
        (r"(?!nothing)x|longer", ()),
        (r"abc", ()),
    ],
)
def test_the_words_that_a_pattern_can_not_do_without(pattern: str, words: tuple[str, ...]) -> None:
    assert words_of(pattern) == words


def test_no_line_is_lost_by_looking_for_the_words_first() -> None:
    lost = [
        (pattern, line)
        for pattern in PATTERNS
        for line in LINES
        if words_of(pattern)
        and not any(word in line for word in words_of(pattern))
        and compiled(pattern).search(line)
    ]
    assert lost == []
    assert len(PATTERNS) > 300


def test_nearly_every_pattern_has_words() -> None:
    assert len([pattern for pattern in PATTERNS if not words_of(pattern)]) <= 3
