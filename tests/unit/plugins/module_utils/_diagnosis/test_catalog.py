from __future__ import annotations

import pathlib
import re

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.catalog import as_markdown
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signature import (
    Signature,
    in_general,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signatures import SIGNATURES

from .logs import PUBLIC, WORDINGS

DOCUMENT = pathlib.Path(__file__).parents[5] / "docs" / "diagnosis.md"


def test_the_document_lists_the_classes_as_they_are() -> None:
    assert as_markdown() in DOCUMENT.read_text(encoding="utf-8"), (
        "put the output of catalog.as_markdown() there"
    )


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda one: one.failure_class)
def test_every_signature_says_cause_and_remedy_in_words(signature: Signature) -> None:
    for text in (signature.cause, signature.remedy):
        assert len(in_general(text)) > 5
        assert in_general(text).endswith(".")


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda one: one.failure_class)
def test_every_part_that_a_text_names_is_told_by_a_pattern(signature: Signature) -> None:
    told = set().union(*(re.compile(pattern).groupindex for pattern in signature.patterns))
    for text in (signature.cause, signature.remedy):
        named = set() if callable(text) else set(re.findall(r"(?<!\{)\{(\w+)\}", text))
        assert named <= told


def test_every_class_is_tried_by_a_line() -> None:
    tried = {name for name, _line in WORDINGS} | {case["failure_class"] for case in PUBLIC}
    in_phases = {"kv_connector_failed"}  # needs lines above it: test_diagnose.py
    assert {signature.failure_class for signature in SIGNATURES} <= tried | in_phases
