"""What a host keeps of a release can be read back, and by nobody who is too old for it."""

from __future__ import annotations

import json

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.records import (
    Outcome,
    RecordError,
    parse_outcome,
    parse_record,
)

from .test_decide import RECORD

OUTCOME = Outcome(
    "accepted", "2026-11-30T12:00:00+00:00", "", 1.5, 2.5, {"kind": "chat", "tokens": 8}, "0.32.0"
)


def test_a_record_is_read_as_it_was_written() -> None:
    assert parse_record(RECORD.text()) == RECORD


def test_an_outcome_is_read_as_it_was_written() -> None:
    assert parse_outcome(OUTCOME.text()) == OUTCOME


def test_a_field_that_a_later_version_adds_is_passed_over() -> None:
    data = {**RECORD.as_dict(), "brand_new": 1}
    assert parse_record(json.dumps(data)) == RECORD


def test_a_newer_schema_is_refused_with_the_version_that_wrote_it() -> None:
    data = {**RECORD.as_dict(), "schema": 2, "collection_version": "9.0.0"}
    with pytest.raises(RecordError, match=r"schema 2.*9\.0\.0"):
        parse_record(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema": "1"}', '{"schema": 1}'])
def test_what_is_no_record_is_told(text: str) -> None:
    with pytest.raises(RecordError):
        parse_record(text)
    with pytest.raises(RecordError):
        parse_outcome(text)
