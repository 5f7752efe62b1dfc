"""Following a transaction of a host: whatever is lost on the way, the run ends, and says how."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleConnectionFailure

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils import transaction
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.progress import Progress

STATE: dict[str, t.Any] = {
    "found": True, "running": True, "ended": False, "serial": 1, "step": "gate", "message": "loads", "members": {},
    "problem": "", "awaits_controller": False, "transition": 0, "watched": {},
}  # fmt: skip


class Clock:
    """Time that passes only where something waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(transaction, "time", made)
    return made


class Host:
    """A host that answers by what it is asked; an exception among its answers is raised."""

    def __init__(self, answer: t.Callable[[dict[str, t.Any]], t.Any]) -> None:
        self.answer, self.asked = answer, []  # type: ignore[var-annotated]

    def __call__(self, name: str, arguments: dict[str, t.Any]) -> dict[str, t.Any]:
        assert name == "vllm_transaction"
        self.asked.append(arguments)
        answer = self.answer(arguments)
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)


def follow(host: Host, look: transaction.LookFromHere | None = None) -> dict[str, t.Any]:
    place = {"id": "1", "state_dir": "/s"}
    return transaction.Follower(host, place, Progress("gpu-01"), 300, look).to_its_end()


def test_a_program_that_dies_whenever_it_is_started_is_given_up() -> None:
    host = Host(lambda _asked: {**STATE, "running": False})
    ended = follow(host)
    assert not ended["ended"]
    assert "journalctl -u vllm-fleet-transaction-1" in ended["lost"]
    assert len([each for each in host.asked if each.get("resume")]) == transaction._MOST_WAKES


def test_a_connection_that_is_lost_while_a_dead_program_is_woken_ends_nothing(clock: Clock) -> None:
    def answer(asked: dict[str, t.Any]) -> t.Any:
        if asked.get("resume") and clock.now < 30:
            return AnsibleConnectionFailure("no route to host")
        return {**STATE, "running": clock.now > 20, "ended": clock.now > 40}

    host = Host(lambda asked: (clock.sleep(1), answer(asked))[1])
    assert follow(host)["ended"]


def test_the_word_of_the_control_node_is_said_again_where_the_connection_was_lost(clock: Clock) -> None:
    heard: list[bool] = []

    def answer(asked: dict[str, t.Any]) -> t.Any:
        if "serving" in asked:
            if clock.now < 30:
                return AnsibleConnectionFailure("no route to host")
            heard.append(asked["serving"])
        return {**STATE, "awaits_controller": not heard, "ended": bool(heard)}

    host = Host(lambda asked: (clock.sleep(5), answer(asked))[1])
    assert follow(host, lambda _gates: (True, "", "it serves"))["ended"]
    assert heard == [True]


def test_a_host_that_stays_away_is_given_up_after_its_time(clock: Clock) -> None:
    ended = follow(Host(lambda _asked: AnsibleConnectionFailure("no route to host")))
    assert not ended["ended"]
    assert "no route to host" in ended["lost"]
    assert clock.now >= 300
