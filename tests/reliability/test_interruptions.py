"""Whoever is lost in the middle of a release, the host brings it to an end by itself."""

from __future__ import annotations

import time
import typing as t

import pytest
from fleet import GROUP, Load, sandbox
from test_faults import broken, next_run_is_good, told

if t.TYPE_CHECKING:
    from conftest import Fleet
    from fleet import Host
    from table import Row

# Long enough to be met in the middle, also where it takes seconds to look.
LOADS = "load_seconds=12"
SLOW = {"env": {"REHEARSAL": LOADS}}
SLOW_AND_BAD = f"{LOADS},fail=oom_generic,fail_at=capture"
UP_AGAIN_SECONDS = 300


def lose_ssh(host: Host) -> None:
    """As a cable that is pulled: nobody can log in, and who is logged in is cut off."""
    host.run("systemctl stop ssh.socket ssh.service; pkill -9 -x sshd; pkill -9 sshd-session; true")


def find_ssh(host: Host) -> None:
    """Plug the cable in again."""
    host.run("systemctl start ssh.service")


@pytest.mark.parametrize(
    "step", ["check", "prepare", "stop", "start", "gate", pytest.param("accept", marks=pytest.mark.quick)]
)
def test_a_controller_that_is_killed_is_not_missed(fleet: Fleet, row: Row, step: str) -> None:
    known = fleet.known()
    with Load(fleet.first.url()) as load:
        run = fleet.begin({**fleet.something_new(), **SLOW})
        fleet.first.wait_for_step(step, known)
        run.kill()
        ended = fleet.first.wait_for_end(known)
    assert ended["problem"] == ""
    assert fleet.first.answer() == "token"
    row.fault, row.told, row.after = (
        f"the controller is killed (-9) in the step {step}",
        "-",
        "the new release serves",
    )
    row.gap = load.gap
    next_run_is_good(fleet)


def test_a_controller_that_is_killed_does_not_keep_a_bad_release(fleet: Fleet, row: Row) -> None:
    known = fleet.known()
    with Load(fleet.first.url()) as load:
        run = fleet.begin(broken(fleet, SLOW_AND_BAD))
        fleet.first.wait_for_step("gate", known)
        run.kill()
        fleet.first.wait_for_end(known)
    assert fleet.first.answer() == "token"
    row.fault, row.told = "the controller is killed, and the release is bad", "-"
    row.after, row.gap = "the old release serves again", load.gap
    next_run_is_good(fleet)


@pytest.mark.parametrize(
    ("step", "how", "after"),
    [
        ("start", SLOW_AND_BAD, "the old release serves again"),
        ("gate", LOADS, "the new release serves"),
    ],
)
def test_a_lost_host_goes_on_by_itself(fleet: Fleet, row: Row, step: str, how: str, after: str) -> None:
    known = fleet.known()
    with Load(fleet.first.url()) as load:
        run = fleet.begin(broken(fleet, how), "-e", "vllm_lost_seconds=5")
        fleet.first.wait_for_step(step, known)
        lose_ssh(fleet.first)
        try:
            done = run.wait()
            ended = fleet.first.wait_for_end(known)
        finally:
            find_ssh(fleet.first)
    assert done.rc != 0
    row.told = told(done.output, "the host was lost during its release")
    assert bool(ended["problem"]) is ("old" in after)
    assert fleet.first.answer() == "token"
    row.fault, row.after, row.gap = f"SSH is lost in the step {step}", after, load.gap
    next_run_is_good(fleet)


def restart_host(host: Host) -> None:
    """The host as after a power cut."""
    sandbox("podman", "--group", GROUP, "--", "restart", "--time", "0", host.container)
    until = time.monotonic() + UP_AGAIN_SECONDS
    while time.monotonic() < until:
        if host.run("systemctl is-system-running", check=False) in ("running", "degraded"):
            return
        time.sleep(0.5)
    raise AssertionError(f"{host.name} does not come up again")


def serves_after_a_restart(host: Host, otherwise: str) -> None:
    restart_host(host)
    began = time.monotonic()
    while not host.serves() and time.monotonic() - began < UP_AGAIN_SECONDS:
        time.sleep(0.2)
    assert host.answer() == "token", otherwise


@pytest.mark.parametrize("step", ["stop", "start", "gate", "undo"])
def test_a_host_that_restarts_brings_back_the_accepted_release(fleet: Fleet, row: Row, step: str) -> None:
    known = fleet.known()
    how = SLOW_AND_BAD if step == "undo" else LOADS
    run = fleet.begin(broken(fleet, how))
    fleet.first.wait_for_step(step, known)
    run.kill()
    serves_after_a_restart(fleet.first, "the accepted release does not serve after the restart")
    text = fleet.first.run("cat /etc/containers/systemd/vllm-tiny.container")
    assert how not in text
    row.fault, row.told = f"the host is restarted in the step {step}", "-"
    row.after = "the accepted release serves again, started by the host's own boot"
    next_run_is_good(fleet)


def test_a_host_that_restarts_while_it_accepts_serves_what_boots(fleet: Fleet, row: Row) -> None:
    """Old or new, by how far it came; what serves is what stands where systemd looks for it."""
    known = fleet.known()
    new = {**fleet.something_new(), "env": {"REHEARSAL": "load_seconds=2"}}
    run = fleet.begin(new)
    fleet.first.wait_for_step("accept", known)
    run.kill()
    serves_after_a_restart(fleet.first, "nothing serves after the restart")
    words = fleet.first.run("podman inspect --format '{{join .Args \" \"}}' vllm-tiny")
    text = fleet.first.run("cat /etc/containers/systemd/vllm-tiny.container")
    seqs = words.split("--max-num-seqs ")[1].split()[0]
    assert f"--max-num-seqs {seqs} " in text
    row.fault, row.told = "the host is restarted in the step accept", "-"
    row.after = "the release that boots serves"
    next_run_is_good(fleet)


@pytest.mark.parametrize("step", ["start", "gate"])
def test_a_program_that_is_killed_goes_back(fleet: Fleet, row: Row, step: str) -> None:
    known = fleet.known()
    with Load(fleet.first.url()) as load:
        run = fleet.begin({**fleet.something_new(), **SLOW})
        state = fleet.first.wait_for_step(step, known)
        fleet.first.run(f"systemctl kill --signal=KILL vllm-fleet-transaction-{state['id']}.service")
        done = run.wait()
    assert done.rc != 0
    row.told = told(done.output, f"it was interrupted in the step ({step}|gate)")
    assert fleet.first.answer() == "token"
    row.fault, row.after = (
        f"the transaction itself is killed (-9) in the step {step}",
        "the old release serves again",
    )
    row.gap = load.gap
    next_run_is_good(fleet)


def test_what_a_dead_run_left_is_brought_to_its_end_first(fleet: Fleet, row: Row) -> None:
    known = fleet.known()
    run = fleet.begin({**fleet.something_new(), **SLOW})
    state = fleet.first.wait_for_step("gate", known)
    unit = f"vllm-fleet-transaction-{state['id']}.service"
    fleet.first.run(f"systemctl stop {unit}; systemctl reset-failed {unit}", check=False)
    run.kill()
    assert fleet.first.run("cat /run/vllm-fleet/lock"), "the dead run wrote into the lock"
    assert not fleet.first.states()[-1]["ended"]
    next_run_is_good(fleet)
    assert all(each["ended"] for each in fleet.first.states())
    row.fault, row.told = "a dead run left its lock and a server on trial", "-"
    row.after = "the next run puts the old release back, and then releases"


def test_two_controllers_at_once_release_one_after_the_other(fleet: Fleet, row: Row) -> None:
    known = fleet.known()
    one = fleet.begin({**fleet.something_new(), "env": {"REHEARSAL": "load_seconds=60"}})
    fleet.first.wait_for_step("check", known)
    other = fleet.begin(fleet.something_new())
    first, second = one.wait(), other.wait()
    assert first.rc == 0, first.output[-6000:]
    assert second.rc == 0, second.output[-6000:]
    row.told = told(second.output, "waits: another run is at work on this host")
    assert fleet.first.answer() == "token"
    assert len(fleet.first.states(known)) == 2
    row.fault, row.after = "two controllers at once", "the second waits, looks again, and releases"
