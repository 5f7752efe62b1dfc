"""A server that once ended and serves since is not one that loops; one that ends while it is watched is."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.gate import Watcher, probe_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_watch import watch
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._host.test_http import (
    COMPLETION,
    serving,
)

SERVES = {
    "/health": (200, {}),
    "/v1/models": (200, {"data": [{"id": "tiny"}]}),
    "/v1/completions": (200, COMPLETION),
    "/version": (200, {"version": "0.26.0"}),
}


def systemd(*restarts: int) -> t.Callable[..., Completed]:
    """A unit that runs, with its counter of restarts at each look; the last stays."""
    left = list(restarts)

    def run(*command: str, **_further: object) -> Completed:
        if command[:2] != ("systemctl", "show"):
            return Completed(command, 1, "", "")
        count = left.pop(0) if len(left) > 1 else left[0]
        state = f"LoadState=loaded\nActiveState=active\nSubState=running\nNRestarts={count}\n"
        return Completed(command, 0, state, "")

    return run


@pytest.fixture
def url() -> t.Iterator[str]:
    with serving(SERVES) as (url, _asked):
        yield url


def asked(url: str) -> dict[str, t.Any]:
    return {"url": url, "served_names": ["tiny"], "kind": "completion", "timeout": 30, "hold": 0}


def test_what_was_restarted_before_it_was_looked_at_serves(url: str) -> None:
    _look, verdict = probe_of(systemd(1), "tiny", asked(url)).look()
    assert verdict.state == "serving"


def test_what_is_restarted_while_it_is_watched_loops(url: str) -> None:
    probe, _look, verdict = probe_of(systemd(1, 2), "tiny", asked(url)).watch("serving", 0)
    assert (verdict.state, probe.restarts) == ("serving", 1)
    _probe, _look, verdict = probe.watch("serving", 0)
    assert verdict.state == "looping"


def test_what_holds_its_gate_open_must_not_be_restarted_meanwhile(url: str) -> None:
    watcher = Watcher(probe_of(systemd(1, 2), "tiny", asked(url)), timeout=30, hold=60)
    watcher.step()
    watcher.step()
    assert "looping" in (watcher.shut or "")


@pytest.mark.parametrize(("restarts", "opened"), [(0, False), (None, True)])
def test_of_a_new_start_every_restart_counts_and_of_one_that_went_on_only_later_ones(
    url: str, restarts: int | None, opened: bool
) -> None:
    ((_name, watcher),) = watch(systemd(1), [("tiny", asked(url))], lambda _text: None, restarts)
    assert watcher.opened is opened


def test_how_far_the_load_is_stays_told_between_two_looks_at_the_log() -> None:
    """The log is read every two seconds, and whoever follows looks at any time."""

    def run(*command: str, **_further: object) -> Completed:
        if command[0] == "journalctl":
            return Completed(
                command, 0, "Loading safetensors checkpoint shards:  67% Completed | 2/3 [00:01<00:01]\n", ""
            )
        state = "LoadState=loaded\nActiveState=active\nSubState=running\nNRestarts=0\n"
        return Completed(command, 0, f"{state}InactiveExitTimestampMonotonic=1000000\n", "")

    watcher = Watcher(probe_of(run, "tiny", asked("http://127.0.0.1:1")), timeout=30, hold=60)
    for _look in range(3):
        watcher.step()
        assert watcher.verdict.state == "loading"
        assert watcher.message.endswith("; weights 2 of 3")
