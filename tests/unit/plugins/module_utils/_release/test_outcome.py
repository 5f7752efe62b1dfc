"""What a run noted of its hosts becomes the brake of the rollout."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.outcome import HostOutcome, brake

GOOD = HostOutcome("gpu-01", "", {"qwen": {"problem": ""}})
BAD = HostOutcome("gpu-02", "", {"qwen": {"problem": "gpu-02 qwen: the gate stays shut"}})
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
