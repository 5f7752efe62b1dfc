"""How long nothing serves in an update that goes well, alone and in a batch; and how a fleet is released."""

from __future__ import annotations

import re
import typing as t

import pytest
from fleet import Load
from test_faults import told

if t.TYPE_CHECKING:
    from conftest import Fleet
    from table import Row

START = {"env": {"REHEARSAL": "load_seconds=10"}}
LONG = {"env": {"REHEARSAL": "load_seconds=60"}}


def own_start(output: str, host: str) -> float:
    """Seconds from the start job to the first token, as the report says it."""
    found = re.search(rf"^{host}\s+tiny\s.*?\s([\d.]+) s\s+([\d.]+) s\s", output, re.MULTILINE)
    assert found, output[-6000:]
    return float(found.group(1))


def told_of_load(output: str) -> list[str]:
    """The lines that say how far the weights are, or what came after them, with numbers."""
    return re.findall(r"^gpu-01: gate: tiny: loading: .*; .*\d.*$", output, re.MULTILINE)


@pytest.mark.quick
def test_an_update_takes_little_more_than_the_server_needs_to_start(fleet: Fleet, row: Row) -> None:
    with Load(fleet.first.url()) as load:
        done = fleet.release({**fleet.something_new(), **LONG})
    assert done.rc == 0, done.output[-6000:]
    row.fault, row.told, row.after = "none: an update that goes well", "-", "the new release serves"
    row.gap, row.own = load.gap, own_start(done.output, "gpu-01")
    assert len(told_of_load(done.output)) >= 3, done.output[-6000:]
    again = fleet.release({**LONG, "settings": {"max_num_seqs": _value(done.output)}})
    assert again.rc == 0, again.output[-6000:]
    assert again.changed == {"gpu-01": 0}


def _value(output: str) -> int:
    found = re.search(r"settings\.max_num_seqs\s+\S+\s+(\d+)", output)
    assert found, output[-6000:]
    return int(found.group(1))


def test_slow_neighbours_do_not_lengthen_the_gap(fleet: Fleet, row: Row) -> None:
    variables = {
        host.name: {"vllm_overrides": {"tiny": {**fleet.something_new(), **START}}} for host in fleet.hosts
    }
    loads = [Load(host.url()) for host in fleet.hosts]
    for load in loads:
        load.__enter__()
    done = fleet.begin_on(variables, "--forks", "2", "-e", '{"vllm_canaries": ["gpu-01"]}').wait()
    for load in loads:
        load.__exit__()
    assert done.rc == 0, done.output[-6000:]
    worst = max(loads, key=lambda load: load.gap)
    host = fleet.hosts[loads.index(worst)].name
    row.fault, row.told, row.after = "none: four hosts, forks=2, three of them in one batch", "-", "all serve"
    row.gap, row.own = worst.gap, own_start(done.output, host)


def batches_of(output: str) -> list[list[str]]:
    """The hosts that asked the brake together, in order."""
    parts = re.split(r"^PLAY \[Release the planned servers\].*$", output, flags=re.MULTILINE)[1:]
    found = [re.findall(r"included: gpuops\.vllm_fleet\.vllm_server for (.*)", part) for part in parts]
    return [sorted(name.strip() for line in each for name in line.split(",")) for each in found]


def test_batches_and_budget_are_read_from_group_variables(fleet: Fleet, row: Row, tmp_path: t.Any) -> None:
    group = {"vllm_canaries": ["gpu-02"], "vllm_batches": [1, "50%"], "vllm_failure_budget": 1}
    variables = {
        host.name: {**group, "vllm_overrides": {"tiny": fleet.something_new()}} for host in fleet.hosts
    }
    done = fleet.begin_on(variables).wait()
    assert done.rc == 0, done.output[-6000:]
    assert batches_of(done.output) == [["gpu-02"], ["gpu-01"], ["gpu-03", "gpu-04"]]


def test_a_lost_canary_holds_the_fleet_and_the_next_run_goes_on(fleet: Fleet, row: Row) -> None:
    canary, *others = fleet.hosts
    started = {host.name: host.started("tiny") for host in others}
    variables = {host.name: {"vllm_overrides": {"tiny": fleet.something_new()}} for host in fleet.hosts}
    canary.run("systemctl stop ssh.socket ssh.service; pkill -9 -x sshd; pkill -9 sshd-session; true")
    try:
        done = fleet.begin_on(variables, playbook="playbooks/site.yml").wait()
    finally:
        canary.run("systemctl start ssh.service")
    assert done.rc != 0
    row.told = told(done.output, "the rollout stops: 1 of a failure budget of 0 spent")
    assert {host.name: host.started("tiny") for host in others} == started
    row.fault, row.after = "the canary is lost in prepare", "no other host was touched"
    again = fleet.begin_on(variables).wait()
    assert again.rc == 0, again.output[-6000:]
    assert again.changed == {host.name: 1 for host in fleet.hosts}


@pytest.mark.quick
def test_a_bad_release_stops_at_the_canary(fleet: Fleet, row: Row) -> None:
    _canary, *others = fleet.hosts
    started = {host.name: host.started("tiny") for host in others}
    bad = {"settings": fleet.something_new()["settings"], "env": {"REHEARSAL": "fail=oom_generic"}}
    variables = {host.name: {"vllm_overrides": {"tiny": bad}} for host in fleet.hosts}
    done = fleet.begin_on(variables).wait()
    assert done.rc != 0
    row.told = told(done.output, "the rollout stops: 1 of a failure budget of 0 spent")
    assert {host.name: host.answer() for host in fleet.hosts} == dict.fromkeys(
        (host.name for host in fleet.hosts), "token"
    )
    assert {host.name: host.started("tiny") for host in others} == started
    row.fault, row.after = (
        "a release that fails everywhere",
        "undone at the canary; no other host was touched",
    )
