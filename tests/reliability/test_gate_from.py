"""The control node has its word, and the host does not wait for it for ever."""

from __future__ import annotations

import typing as t

from test_faults import next_run_is_good, told
from test_interruptions import SLOW

if t.TYPE_CHECKING:
    from conftest import Fleet
    from table import Row


def from_here(fleet: Fleet, address: str | None = None, seconds: int = 60) -> dict[str, t.Any]:
    """The servers of the first host are asked from here, at its own address in the network of the hosts.

    The host waits for the word for ``seconds``; a server that does not answer from here is asked for half of them.
    """
    own = fleet.first.run("hostname -I").split()[0]
    return {"vllm_gate_from": "both", "vllm_gate_address": address or own, "vllm_controller_seconds": seconds}


def test_a_server_that_the_control_node_reaches_is_accepted(fleet: Fleet, row: Row) -> None:
    done = fleet.release(fleet.something_new(), **from_here(fleet))
    assert done.rc == 0, done.output[-6000:]
    assert "controller" in [step for step, _moment in fleet.first.states()[-1]["steps"]]
    row.fault, row.told, row.after = (
        "none: the gate is also seen from the control node",
        "-",
        "the new release serves",
    )


def test_a_server_that_the_control_node_does_not_reach_is_undone(fleet: Fleet, row: Row) -> None:
    done = fleet.release(fleet.something_new(), **from_here(fleet, "127.0.0.1", 40))
    assert done.rc != 0
    row.told = told(done.output, "the gate stays shut, seen from the control node")
    assert fleet.first.answer() == "token"
    row.fault, row.after = "the control node does not reach the server", "the old release serves again"
    next_run_is_good(fleet)


def test_a_control_node_that_says_nothing_is_a_no(fleet: Fleet, row: Row) -> None:
    known = fleet.known()
    run = fleet.begin({**fleet.something_new(), **SLOW}, **from_here(fleet, seconds=6))
    fleet.first.wait_for_step("gate", known)
    run.kill()
    ended = fleet.first.wait_for_end(known)
    row.told = ended["problem"]
    assert "the control node said nothing for 6 s" in row.told
    assert fleet.first.answer() == "token"
    row.fault, row.after = "the control node is lost before its word", "the old release serves again"
    next_run_is_good(fleet)


def test_a_server_that_only_its_host_reaches_is_refused_before_the_stop(fleet: Fleet, row: Row) -> None:
    before = fleet.first.started("tiny")
    done = fleet.release({**fleet.something_new(), "listen": "127.0.0.1"}, **from_here(fleet))
    assert done.rc != 0
    row.told = told(done.output, "listens on this host alone")
    assert fleet.first.started("tiny") == before
    row.fault, row.after = "vllm_gate_from: both, and the server listens on loopback", "nothing was stopped"
