"""What becomes of a transaction whose program died, or that finds another host than it was asked for."""

from __future__ import annotations

import dataclasses
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import release_program as program
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import release_store
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_plan import (
    Site,
    back_to,
    of_this_fleet,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.trial_unit import put
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.records import Record
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.transaction import Job, Member, State
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._release.a_record import (
    RECORD as A_RECORD,
)

from .here import Here

TEXT = "[Container]\nImage=localhost/i\nLabel=io.gpuops.vllm-fleet.managed=true\n"
RECORD = dataclasses.replace(
    A_RECORD,
    instance="new",
    intent={"mounts": [], "secrets": {}, "devices": [], "limits": {}},
    image="localhost/i",
    service="vllm-new.service",
).as_dict()


def removal(name: str) -> Member:
    return Member(name, "remove", None, None, None, was_active=False)


RELEASE = Member("new", "release", RECORD, TEXT, None, was_active=False)


def run(*command: str, **_further: object) -> Completed:
    """A host on which nothing runs, and that has no Podman."""
    return Completed(command, 127 if command[0] == "podman" else 0, "", "")


def begun(tmp_path: Path, *transitions: tuple[Member, ...], run: t.Any = run, **state: t.Any) -> Here:
    job = Job("20261130T120000-aaaaaa", "default", str(tmp_path), transitions)
    folder = program.folder_of(str(tmp_path), job.id)
    folder.mkdir(parents=True)
    (folder / "job.json").write_text(job.text())
    work = Here(run, job, folder, State(job.id, **state))
    (folder / "state.json").write_text(work.state.text())
    return work


def test_one_that_died_while_it_accepted_does_the_rest_of_its_job(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name / "releases").mkdir(parents=True)
    work = begun(tmp_path, (removal("first"),), (removal("second"),), step="accept", transition=0)
    work.work()
    assert work.state.ended
    assert work.state.problem == ""
    assert not (tmp_path / "first").exists()
    assert not (tmp_path / "second").exists()


def test_an_error_on_the_way_back_that_nobody_thought_of_ends_it(tmp_path: Path) -> None:
    """Else systemd and the control node would start it again for ever."""
    work = begun(tmp_path, (dataclasses.replace(RELEASE, record={"release": 1}),), step="gate", transition=0)
    work.work()
    assert work.state.ended
    assert "on the way back: KeyError" in work.state.problem


def test_the_same_error_at_first_is_left_to_the_restart_that_goes_back(tmp_path: Path) -> None:
    def broken(*_command: str, **_further: object) -> Completed:
        raise KeyError("a mistake of ours")

    work = begun(tmp_path, (RELEASE,), run=broken)
    with pytest.raises(KeyError):
        work.work()
    assert not work.state.ended


def test_a_removal_that_fails_does_not_keep_a_release_from_being_accepted(tmp_path: Path) -> None:
    reloaded = []

    def no_list(*command: str, **_further: object) -> Completed:
        reloaded.extend(command if "daemon-reload" in command else ())
        return Completed(command, 125 if command[:2] == ("podman", "ps") else 0, "", "no")

    work = begun(tmp_path, (removal("old"), RELEASE), run=no_list)
    release_store.put(work.files("new"), Record(**{**RECORD, "devices": ()}), TEXT)
    work.note([removal("old"), RELEASE])
    with pytest.raises(HostError, match="does not list its containers"):
        work.accept([removal("old"), RELEASE])
    now = release_store.current(work.files("new"))
    assert now is not None
    assert work.files("new").unit.read_text() == TEXT
    assert reloaded


def test_a_server_of_another_fleet_is_not_removed(tmp_path: Path) -> None:
    work = begun(tmp_path, (removal("old"),))
    unit = work.files("old").unit
    unit.parent.mkdir()
    unit.write_text(f"{TEXT}Label=io.gpuops.vllm-fleet.fleet=theirs\n")
    work.work()
    assert unit.exists()
    assert "it belongs to the fleet theirs (vllm_fleet_name), and this is default" in work.state.problem


def test_an_accepted_removal_asks_for_the_fleet_again(tmp_path: Path) -> None:
    work = begun(tmp_path, (removal("old"),))
    unit = work.files("old").unit
    unit.parent.mkdir()
    unit.write_text(f"{TEXT}Label=io.gpuops.vllm-fleet.fleet=theirs\n")
    with pytest.raises(HostError, match="it belongs to the fleet theirs"):
        work.accept([removal("old")])
    assert unit.exists()


def test_rolling_back_all_takes_those_of_this_fleet_alone(tmp_path: Path) -> None:
    site = Site(run, "default", str(tmp_path))
    for name, fleet in (("mine", "default"), ("theirs", "theirs")):
        release_store.put(
            site.files(name), Record(**{**RECORD, "devices": (), "instance": name, "fleet": fleet}), TEXT
        )
        release_store.make_current(site.files(name), 1)
    assert of_this_fleet(site) == ["mine"]
    with pytest.raises(HostError, match="theirs is left alone: it belongs to the fleet theirs"):
        back_to(site, "theirs", None)


def test_the_number_of_a_release_is_never_used_twice(tmp_path: Path) -> None:
    """Two runs that looked at the same moment want the same number; the first may have been undone meanwhile."""
    work = begun(tmp_path, (RELEASE,))
    release_store.put(work.files("new"), Record(**{**RECORD, "devices": ()}), "of the other run")
    work.work()
    assert work.state.ended
    assert "another run tried its release 1 meanwhile: run again. Nothing was stopped" in work.state.problem
    assert release_store.unit_text(work.files("new"), 1) == "of the other run"


def test_a_release_that_was_interrupted_before_the_stop_says_so(tmp_path: Path) -> None:
    work = begun(tmp_path, (RELEASE,), step="drain", transition=0)
    release_store.put(work.files("new"), Record(**{**RECORD, "devices": ()}), TEXT)
    work.work()
    ended = release_store.outcome(work.files("new"), 1)
    assert ended is not None
    assert ended.state == "interrupted"


def test_a_second_program_leaves_what_has_ended_as_it_is(tmp_path: Path) -> None:
    work = begun(tmp_path, (RELEASE,), step="end", ended=True, serial=7)
    before = (work.folder / "state.json").read_text()
    program.bring_to_its_end(run, work.folder)
    assert (work.folder / "state.json").read_text() == before


def test_one_that_died_comes_before_one_that_waited_for_the_lock(tmp_path: Path) -> None:
    died = program.folder_of(str(tmp_path), "20261130T120009-bbbbbb")
    died.mkdir(parents=True)
    (died / "state.json").write_text(State(died.name, step="gate").text())
    work = begun(tmp_path, (removal("first"),))
    program.bring_to_its_end(run, work.folder)
    state = program.state_of(str(tmp_path), work.job.id)
    assert state is not None
    assert state.ended
    assert "20261130T120009-bbbbbb died in the middle" in state.problem


def test_a_first_release_that_is_undone_leaves_no_failed_unit(tmp_path: Path) -> None:
    commands: list[str] = []

    def listen(*command: str, **further: object) -> Completed:
        commands.append(" ".join(command))
        return run(*command, **further)

    work = begun(tmp_path, (RELEASE,), run=listen, step="gate", transition=0)
    release_store.put(work.files("new"), Record(**{**RECORD, "devices": ()}), TEXT)
    put(work.files("new"), "[Service]\n")
    work.work()
    ended = release_store.outcome(work.files("new"), 1)
    assert ended is not None
    assert ended.state == "failed"
    assert not work.files("new").trial.exists()
    assert commands.index("systemctl daemon-reload") < commands.index(
        "systemctl reset-failed -- vllm-new.service"
    )
