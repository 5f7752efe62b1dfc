"""A job and its state go to a host and come back unchanged."""

from __future__ import annotations

import json

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.transaction import (
    Job,
    Member,
    State,
    parse_job,
    parse_state,
)

MEMBER = Member("q", "release", {"release": 2}, "text", {"release": 1}, was_active=True)
JOB = Job("20261130T120000-abcdef", "default", "/var/lib/vllm-fleet", ((MEMBER,), (MEMBER, MEMBER)), 120)


def test_a_job_is_read_as_it_was_written() -> None:
    assert parse_job(JOB.text()) == JOB


def test_a_state_is_read_as_it_was_written() -> None:
    state = State("x", 7, "gate", 1, "loads", serving=["q"], stopped_at=1.5, members={"q": {"problem": ""}})
    assert parse_state(state.text()) == state


@pytest.mark.parametrize(("parse", "text"), [(parse_job, JOB.text()), (parse_state, State("x").text())])
def test_a_newer_schema_is_refused(parse: object, text: str) -> None:
    newer = json.dumps({**json.loads(text), "schema": 2})
    with pytest.raises(ValueError, match="newer"):
        parse(newer)  # type: ignore[operator]
