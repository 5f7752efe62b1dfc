"""A load balancer is told of every server that stops, and sends requests only to those that serve."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.service import (
    about_to_stop,
    back_in_service,
)


@pytest.mark.parametrize(
    ("action", "release", "stops"),
    [
        ("release", 3, True),
        ("remove", 3, True),
        ("release", None, False),
        ("start", 3, False),
        ("none", 3, False),
    ],
    ids=["replaced", "removed", "never served", "started again", "as planned"],
)
def test_only_what_has_served_and_goes_is_about_to_stop(
    action: str, release: int | None, stops: bool
) -> None:
    decisions = [{"name": "qwen", "action": action, "release": release}]
    assert about_to_stop(decisions) == (["qwen"] if stops else [])


def noted(**more: t.Any) -> dict[str, t.Any]:
    return {"action": "release", "problem": "", "actions": ["stopped"], "undone": None, **more}


@pytest.mark.parametrize(
    ("outcome", "back"),
    [
        (noted(), True),
        (noted(action="start"), True),
        (noted(action="none"), False),
        (noted(action="remove"), False),
        (noted(problem="the gate stays shut", undone={"serving": True}), True),
        (noted(problem="the gate stays shut", undone={"serving": False}), False),
        (noted(problem="the gate stays shut", undone={}), False),
        (noted(problem="its port is taken", actions=[]), True),
        (noted(problem="the host was lost", actions=["stopped"]), False),
    ],
    ids=[
        "accepted", "started again", "let alone", "removed", "undone, serves", "undone, does not serve", "undone, not known",
        "refused before anything was begun", "lost on the way",
    ],
)  # fmt: skip
def test_a_server_that_was_drained_comes_back_only_where_it_serves(
    outcome: dict[str, t.Any], back: bool
) -> None:
    assert back_in_service({"qwen": outcome}, ["qwen"]) == (["qwen"] if back else [])


def test_what_was_not_drained_and_was_refused_is_no_news() -> None:
    assert back_in_service({"qwen": noted(problem="its port is taken", actions=[])}, []) == []


def test_a_drained_server_of_which_nothing_came_back_stays_out() -> None:
    assert back_in_service({}, ["qwen"]) == []
