from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.index import Index
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signature import Signature
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signatures import SIGNATURES

from .logs import BENIGN, MORE, PUBLIC, TRACKER, WORDINGS

LINES = sorted(
    {line for _class, line in WORDINGS}
    | {line for case in [*PUBLIC, *MORE, *TRACKER] for line in t.cast("list[str]", case["lines"])}
)


def signature(*patterns: str) -> Signature:
    return Signature("x", patterns, "A cause.", "A remedy.")


@pytest.mark.parametrize(
    ("patterns", "text", "possible"),
    [
        pytest.param((r"No space left",), "No space left on device", True, id="its words"),
        pytest.param((r"No space left",), "No room", False, id="other words"),
        pytest.param((r"\d+ apples|pears",), "pears", True, id="one of the alternatives"),
        pytest.param((r"nothing", r"port \d+ is taken"), "port 8 is taken", True, id="one of the patterns"),
        pytest.param((r"(?i:shout)",), "SHOUT", True, id="a pattern without words is always possible"),
    ],
)
def test_a_signature_is_possible_where_words_of_its_patterns_are(
    patterns: tuple[str, ...], text: str, possible: bool
) -> None:
    one = signature(*patterns)
    assert (one in Index([one]).possible(text)) is possible


def test_the_signatures_keep_their_order() -> None:
    both = [signature("second thing"), signature("first thing")]
    assert Index(both).possible("the first thing and the second thing") == both


def test_no_signature_is_lost_and_most_are_never_tried() -> None:
    index = Index(SIGNATURES)
    lost = [
        (line, each.patterns)
        for line in LINES
        for each in SIGNATURES
        if each.values_in(line) is not None and each not in index.possible(line)
    ]
    assert lost == []
    tried = [len(index.possible(line)) for line in BENIGN]
    assert sum(tried) < len(tried) * len(SIGNATURES) / 10
