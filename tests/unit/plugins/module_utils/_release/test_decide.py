"""What is to be done with an instance."""

from __future__ import annotations

import dataclasses

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.decide import Found, Wanted, decide

from .a_record import RECORD as A_RECORD

INTENT = {"argv": ["m", "--max-num-seqs", "4"]}
RECORD = dataclasses.replace(A_RECORD, release=3, intent_hash="same", intent=INTENT)
WANTED = Wanted("q", "present", INTENT, "same", "text")
RUNS = Found("q", RECORD, "text", "text", has_state=True, is_active=True)
GONE = Wanted("q", "absent")


@pytest.mark.parametrize(
    ("wanted", "found", "action", "reason"),
    [
        (WANTED, RUNS, "none", "it runs as planned"),
        (WANTED, Found("q"), "release", "it is new here"),
        (WANTED, Found("q", unit_text="text"), "release", "its unit has no record of its release"),
        (
            dataclasses.replace(WANTED, intent=None, intent_hash=None),
            RUNS,
            "release",
            "only known after fetching",
        ),
        (
            dataclasses.replace(WANTED, intent={"argv": ["m", "--max-num-seqs", "8"]}, intent_hash="other"),
            RUNS,
            "release",
            "changed: settings.max_num_seqs",
        ),
        (WANTED, dataclasses.replace(RUNS, unit_text=None), "release", "its unit file is gone"),
        (WANTED, dataclasses.replace(RUNS, unit_text="edited"), "release", "changed by hand"),
        (WANTED, dataclasses.replace(RUNS, is_active=False), "start", "does not run"),
        (GONE, Found("q"), "none", "it is absent"),
        (GONE, RUNS, "remove", "the plan says absent"),
        (GONE, Found("q", unit_text="text"), "remove", "the plan says absent"),
        (GONE, Found("q", has_state=True), "remove", "the plan says absent"),
    ],
)
def test_plan_and_host_decide(wanted: Wanted, found: Found, action: str, reason: str) -> None:
    decision = decide(wanted, found)
    assert decision.action == action
    assert reason in decision.reason


def test_a_text_that_a_newer_renderer_wrote_otherwise_waits() -> None:
    """Upgrading this collection restarts nobody."""
    decision = decide(dataclasses.replace(WANTED, unit_text="# one more comment\ntext"), RUNS)
    assert (decision.action, decision.pending) == ("none", True)


def test_a_waiting_text_is_released_when_asked_for() -> None:
    decision = decide(dataclasses.replace(WANTED, unit_text="# more\ntext"), RUNS, apply_pending=True)
    assert decision.action == "release"
    assert "vllm_apply_pending" in decision.reason


def test_a_text_that_waits_does_not_keep_a_stopped_server_down() -> None:
    stopped = dataclasses.replace(RUNS, is_active=False)
    decision = decide(dataclasses.replace(WANTED, unit_text="# more\ntext"), stopped)
    assert (decision.action, decision.pending) == ("start", True)
