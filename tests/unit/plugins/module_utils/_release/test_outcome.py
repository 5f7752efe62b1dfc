"""What a run noted of its hosts becomes the brake of the rollout and the report."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.outcome import (
    COLUMNS,
    HostOutcome,
    brake,
    report_rows,
    report_text,
)

SHOWN = {
    "endpoint": "http://127.0.0.1:8000",
    "model": "Qwen/Qwen3-0.6B",
    "image": "docker.io/vllm/vllm-openai:v0.26.0",
    "image_identity": "sha256:0123456789ab" + 52 * "0",
}
RAN = {
    "instance": SHOWN,
    "problem": "",
    "actions": ["write /etc/x", "daemon-reload", "restart vllm-qwen.service"],
    "gate": {"vllm_version": "0.26.0", "seconds_until_ready": 41.26, "seconds_without_service": 43.0},
}
SHUT = {**RAN, "problem": "gpu-02 qwen: the gate stays shut", "gate": {}}

GOOD = HostOutcome("gpu-01", "", {"qwen": RAN})
BAD = HostOutcome("gpu-02", "", {"qwen": SHUT})
LOST = HostOutcome("gpu-03", "cannot be reached: no route to host")


@pytest.mark.parametrize(
    ("outcomes", "budget", "holds", "spent"),
    [
        pytest.param([GOOD], 0, False, (), id="nothing went wrong"),
        pytest.param([GOOD, BAD], 0, True, ("gpu-02",), id="a shut gate spends it"),
        pytest.param([GOOD, LOST], 0, True, ("gpu-03",), id="a lost host spends it"),
        pytest.param([BAD, LOST], 2, False, ("gpu-02", "gpu-03"), id="the budget allows for both"),
        pytest.param([BAD, LOST], 1, True, ("gpu-02", "gpu-03"), id="one more than the budget allows"),
    ],
)
def test_the_brake_holds_when_more_hosts_failed_than_the_budget_allows(
    outcomes: list[HostOutcome], budget: int, holds: bool, spent: tuple[str, ...]
) -> None:
    found = brake(outcomes, budget)
    assert (found.holds, found.spent) == (holds, spent)


def test_the_brake_says_who_spent_the_budget() -> None:
    assert brake([BAD, LOST], 1).message == (
        "the rollout stops: 2 of a failure budget of 1 spent (gpu-02, gpu-03)"
    )


def test_the_report_shows_each_instance_with_its_figures() -> None:
    row = dict(zip(COLUMNS, report_rows([GOOD])[0]))
    assert row == {
        "host": "gpu-01",
        "instance": "qwen",
        "endpoint": "http://127.0.0.1:8000",
        "model": "Qwen/Qwen3-0.6B",
        "image": "0123456789ab",
        "vLLM": "0.26.0",
        "changed": "restarted",
        "until ready": "41.3 s",
        "without service": "43.0 s",
    }


def test_a_lost_host_has_a_row_too() -> None:
    assert report_rows([LOST])[0] == ("gpu-03", "-", "-", "-", "-", "-", "LEFT OUT", "-", "-")


def test_a_host_that_the_brake_kept_back_says_so() -> None:
    kept = HostOutcome("gpu-04", held="the rollout stops: 1 of a failure budget of 0 spent (gpu-03)")
    text = report_text([LOST, kept])
    assert report_rows([kept])[0][6] == "held back"
    assert text.endswith("the rollout stops: 1 of a failure budget of 0 spent (gpu-03)")


def test_a_shut_gate_is_not_shown_as_a_change() -> None:
    assert dict(zip(COLUMNS, report_rows([BAD])[0]))["changed"] == "GATE SHUT"


@pytest.mark.parametrize(
    ("actions", "word"),
    [
        ([], "nothing"),
        (["write /etc/x", "daemon-reload", "mark /run/x", "start vllm-x.service"], "started"),
        (["keep it from boot", "stop vllm-x.service", "remove /etc/x", "daemon-reload"], "removed"),
    ],
)
def test_what_was_done_is_one_word(actions: list[str], word: str) -> None:
    noted = {**RAN, "actions": actions}
    assert dict(zip(COLUMNS, report_rows([HostOutcome("gpu-01", "", {"qwen": noted})])[0]))["changed"] == word


def test_problems_stand_in_full_below_the_table() -> None:
    text = report_text([GOOD, BAD, LOST])
    assert text.count("gpu-02: gpu-02 qwen: the gate stays shut") == 1
    assert text.endswith("gpu-03: cannot be reached: no route to host")


def test_the_columns_of_the_table_stand_below_each_other() -> None:
    header, first, second = report_text([GOOD, LOST]).splitlines()[:3]
    at = header.index("instance")
    assert first[at:].startswith("qwen")
    assert second[at:].startswith("-")
