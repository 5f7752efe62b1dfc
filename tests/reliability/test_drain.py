"""Requests that run may end before their server does."""

from __future__ import annotations

import json
import threading
import time
import typing as t
import urllib.request

import pytest
from fleet import CHECKOUT

if t.TYPE_CHECKING:
    from conftest import Fleet
    from table import Row

SLOW = {"env": {"REHEARSAL": "load_seconds=1,tokens_per_second=4"}, "limits": {"drain": 300}}
TOKENS = 160  # forty seconds: it runs still when the update begins, also on a slow machine


HOOKS = {f"vllm_{name}_tasks": f"{CHECKOUT}/tests/reliability/{name}.yml" for name in ("drain", "undrain")}


def long_request(url: str, answers: list[t.Any]) -> None:
    """One request that takes its time."""
    body = json.dumps({"model": "tiny", "prompt": "Hello", "max_tokens": TOKENS}).encode()
    request = urllib.request.Request(f"{url}/v1/completions", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            answers.append(json.loads(answer.read()))
    except OSError as error:
        answers.append(error)


def test_a_request_that_runs_ends_and_the_hooks_are_called_around_it(fleet: Fleet, row: Row) -> None:
    first = fleet.release({**fleet.something_new(), **SLOW})
    assert first.rc == 0, first.output[-6000:]
    answers: list[t.Any] = []
    known = fleet.known()
    fleet.first.run("rm -f /run/drained /run/undrained")
    run = fleet.begin({**fleet.something_new(), **SLOW}, "-e", json.dumps(HOOKS))
    until = time.monotonic() + 300
    while not fleet.first.run("cat /run/drained 2>/dev/null", check=False) and time.monotonic() < until:
        time.sleep(0.1)
    asking = threading.Thread(target=long_request, args=(fleet.first.url(), answers))
    asking.start()
    done = run.wait()
    asking.join()
    assert done.rc == 0, done.output[-6000:]
    assert answers[0]["usage"]["completion_tokens"] == TOKENS, answers
    assert answers[0]["choices"][0]["finish_reason"] == "length"
    steps = [step for step, _moment in fleet.first.states(known)[0]["steps"]]
    assert "drain" in steps
    assert fleet.first.run("cat /run/drained /run/undrained") == "tiny\ntiny"
    row.fault, row.told = "none: a request of forty seconds runs when the update begins", "-"
    row.after = "it ended with all its tokens"


@pytest.mark.parametrize("begun", [True, False])
def test_a_server_that_was_drained_for_nothing_is_taken_back(fleet: Fleet, begun: bool) -> None:
    """A host that refuses before anything is stopped, and a run that ends before the host is asked for anything."""
    assert fleet.release(fleet.something_new()).rc == 0
    started = fleet.first.run("systemctl show -p ActiveEnterTimestamp vllm-tiny")
    fleet.first.run("rm -f /run/drained /run/undrained")
    pid = fleet.first.run("python3 -m http.server 8006 >/dev/null 2>&1 & echo $!")
    hooks = HOOKS if begun else {**HOOKS, "vllm_drain_tasks": f"{CHECKOUT}/tests/reliability/drain_fails.yml"}
    try:
        done = fleet.release({**fleet.something_new(), "port": 8006}, "-e", json.dumps(hooks))
    finally:
        fleet.first.run(f"kill {pid}", check=False)
    assert done.rc != 0
    assert ("is taken by process" if begun else "the load balancer says no") in done.output, done.output[
        -6000:
    ]
    assert fleet.first.run("cat /run/undrained", check=False) == "tiny", done.output[-6000:]
    assert fleet.first.run("systemctl show -p ActiveEnterTimestamp vllm-tiny") == started
