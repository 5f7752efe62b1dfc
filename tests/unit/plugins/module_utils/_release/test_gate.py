"""The gate opens for real tokens only, and shuts at once for what does not get better by waiting."""

from __future__ import annotations

import dataclasses

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.gate import (
    LOST,
    Answer,
    Completion,
    Look,
    UnitState,
    judge,
)

RUNNING = UnitState("loaded", "active", "running", "success", 0, has_job=False, started_at=1.0)
TOKENS = Completion("completion", tokens=4, seconds=0.5)
SERVING = Look(RUNNING, Answer(200), ("tiny",), None, TOKENS)


def unit(**changes: object) -> Look:
    return dataclasses.replace(SERVING, unit=dataclasses.replace(RUNNING, **changes))


def test_a_server_that_gives_tokens_under_its_planned_name_is_serving() -> None:
    verdict = judge(SERVING, {"tiny"})
    assert (verdict.state, verdict.serving, verdict.final) == ("serving", True, True)
    assert verdict.message == "4 tokens by completion in 0.5 s"


@pytest.mark.parametrize(
    ("look", "state"),
    [
        pytest.param(unit(load_state="not-found"), "absent", id="quadlet dropped the unit"),
        pytest.param(
            unit(active_state="failed", sub_state="failed", result="exit-code"), "failed", id="failed"
        ),
        pytest.param(
            unit(active_state="deactivating", sub_state="stop-post", result="exit-code"),
            "failed",
            id="has ended and is cleared away",
        ),
        pytest.param(
            unit(active_state="activating", sub_state="auto-restart", result="exit-code"),
            "looping",
            id="ended once and waits for its restart",
        ),
        pytest.param(
            unit(active_state="activating", sub_state="auto-restart-queued", result="timeout"),
            "looping",
            id="restart is queued",
        ),
        pytest.param(unit(n_restarts=1), "looping", id="runs again after a restart, as healthy as it looks"),
        pytest.param(unit(active_state="inactive", sub_state="dead"), "stopped", id="ended with success"),
        pytest.param(dataclasses.replace(SERVING, served=("other",)), "wrong_model", id="another model"),
        pytest.param(
            dataclasses.replace(SERVING, served=("tiny", "other")), "wrong_model", id="one name too many"
        ),
        pytest.param(dataclasses.replace(SERVING, served=()), "wrong_model", id="no model"),
    ],
)
def test_what_waiting_does_not_mend_shuts_the_gate_at_once(look: Look, state: str) -> None:
    verdict = judge(look, {"tiny"})
    assert (verdict.state, verdict.final, verdict.serving) == (state, True, False)
    assert state in LOST


@pytest.mark.parametrize(
    ("look", "state"),
    [
        pytest.param(unit(active_state="activating", sub_state="start"), "starting", id="starts"),
        pytest.param(
            unit(active_state="inactive", sub_state="dead", has_job=True), "starting", id="start is queued"
        ),
        pytest.param(
            unit(active_state="deactivating", sub_state="stop", has_job=True), "starting", id="restarts"
        ),
        pytest.param(Look(RUNNING, Answer(None, "connection refused")), "loading", id="no port yet"),
        pytest.param(Look(RUNNING), "loading", id="not asked"),
        pytest.param(Look(RUNNING, Answer(503)), "unhealthy", id="health is bad"),
        pytest.param(Look(RUNNING, Answer(200), None, "HTTP 500"), "unhealthy", id="no list of models"),
        pytest.param(
            dataclasses.replace(SERVING, completion=Completion("completion", 0, 30.0, "no answer in 30 s")),
            "no_tokens",
            id="hangs",
        ),
        pytest.param(
            dataclasses.replace(SERVING, completion=Completion("chat", 0, 0.1)), "no_tokens", id="empty"
        ),
        pytest.param(dataclasses.replace(SERVING, completion=None), "no_tokens", id="tokens not asked for"),
    ],
)
def test_what_may_still_get_better_is_waited_for(look: Look, state: str) -> None:
    verdict = judge(look, {"tiny"})
    assert (verdict.state, verdict.final, verdict.serving) == (state, False, False)


def test_restarts_from_before_this_start_do_not_count() -> None:
    assert judge(unit(n_restarts=3), {"tiny"}, restarts_before=3).serving
    assert judge(unit(n_restarts=4), {"tiny"}, restarts_before=3).state == "looping"
