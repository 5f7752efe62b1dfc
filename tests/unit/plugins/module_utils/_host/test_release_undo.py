"""The way back of a transaction: whatever the disk, the records or the unit files are, what served is started again."""

from __future__ import annotations

import dataclasses
import errno
import os
import pathlib
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import release_program as program
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import release_store
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.trial_unit import put
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.records import Record
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.transaction import (
    Job,
    Member,
    State,
    parse_state,
)
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._release.a_record import (
    RECORD as A_RECORD,
)

from .here import Here

TEXT = "[Container]\nImage=localhost/new\nLabel=io.gpuops.vllm-fleet.managed=true\n"
OLD_TEXT = TEXT.replace("localhost/new", "localhost/old")
NEW = dataclasses.replace(
    A_RECORD,
    release=2,
    intent={"mounts": [], "secrets": {}, "devices": [], "limits": {}},
    gate={"url": "http://127.0.0.1:9", "served_names": ["q"], "timeout": 1, "hold": 0},
    port=9,
    memory_share=None,
)
OLD = dataclasses.replace(NEW, release=1)


class Host:
    """A server runs; whatever is started after it was stopped fails at once."""

    def __init__(self) -> None:
        self.did: list[str] = []

    def __call__(self, *command: str, **_further: object) -> Completed:
        line = " ".join(command)
        if line.startswith("systemctl show"):
            began = "systemctl start --no-block -- vllm-q.service" in self.did
            state = "failed\nResult=exit-code" if began else "active"
            return Completed(command, 0, f"LoadState=loaded\nActiveState={state}\n", "")
        self.did.append(line)
        answers = {
            "--dryrun": (0, "---vllm-q.service---\n[Service]\n"),
            "container inspect": (1, ""),
            "podman --version": (0, "podman version 5.4.2"),
            "image inspect": (0, '[{"Id": "sha256:aa", "RepoDigests": []}]'),
        }
        rc, out = next((answer for begin, answer in answers.items() if begin in line), (0, ""))
        return Completed(command, rc, out, "")

    @property
    def steps(self) -> list[str]:
        """What was done with servers."""
        kept = ("systemctl start", "systemctl stop", "podman kill")
        return [line for line in self.did if line.startswith(kept)]


THERE_AND_BACK = [
    "systemctl stop -- vllm-q.service",
    "systemctl start --no-block -- vllm-q.service",
    "podman kill --signal KILL vllm-q",
    "systemctl stop -- vllm-q.service",
    "systemctl start --no-block -- vllm-q.service",
]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    module = "ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.quadlet_generator"
    monkeypatch.setattr(f"{module}.generator", lambda: "generator")
    return tmp_path


def begun(root: Path, before: Record | None = OLD, **state: t.Any) -> Here:
    """A release of ``q`` that is about to begin; release 1 is the accepted one, where there is one."""
    member = Member(
        "q", "release", NEW.as_dict(), TEXT, before.as_dict() if before else None, was_active=True
    )
    job = Job("20261130T120000-aaaaaa", "default", str(root), ((member,),))
    folder = program.folder_of(str(root), job.id)
    folder.mkdir(parents=True)
    work = Here(Host(), job, folder, State(job.id, **state))
    (folder / "job.json").write_text(job.text())
    (folder / "state.json").write_text(work.state.text())
    files = work.files("q")
    files.unit.parent.mkdir()
    files.unit.write_text(OLD_TEXT)
    if before:
        release_store.put(files, before, OLD_TEXT)
        release_store.make_current(files, before.release)
    return work


def steps(work: Here) -> list[str]:
    return t.cast("Host", work.run).steps


def fill_disk(monkeypatch: pytest.MonkeyPatch, name: str, once: t.Callable[[], bool]) -> None:
    """From a moment on no file of this name can be written."""
    real = pathlib.Path.open

    def full(path: Path, *mode: t.Any, **further: t.Any) -> t.Any:
        if name in path.name and mode[:1] == ("wb",) and once():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return real(path, *mode, **further)

    monkeypatch.setattr(pathlib.Path, "open", full)


def test_what_does_not_come_up_is_undone(root: Path) -> None:
    work = begun(root)
    work.work()
    assert steps(work) == THERE_AND_BACK


@pytest.mark.parametrize("name", ["state.json", "outcome.json", ".json"])
def test_a_disk_that_is_full_after_the_stop_keeps_no_server_from_being_started_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    work = begun(root)
    fill_disk(monkeypatch, name, lambda: THERE_AND_BACK[0] in steps(work))
    work.work()
    assert steps(work) == THERE_AND_BACK
    assert work.state.ended
    assert "the gate stays shut" in work.state.problem
    if name == "state.json":
        assert "No space left on device" in capsys.readouterr().err


def test_a_disk_that_is_full_before_the_stop_stops_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begun(root)
    fill_disk(monkeypatch, "state.json", lambda: work.state.step == "stop")
    work.work()
    assert steps(work) == []
    assert "No space left on device" in work.state.problem
    assert work.state.problem.endswith("Nothing was stopped")


def test_the_last_word_is_written_when_there_is_room_for_it_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begun(root)
    packed = work.folder / "program.zip"
    packed.write_text("code")
    fill_disk(monkeypatch, "state.json", lambda: THERE_AND_BACK[0] in steps(work) and packed.exists())
    work.work()
    assert parse_state((work.folder / "state.json").read_text()).ended


def test_a_full_disk_does_not_keep_what_serves_from_being_what_boots(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begun(root)
    files, members = work.files("q"), work.job.transitions[0]
    release_store.put(files, NEW, TEXT)
    fill_disk(monkeypatch, ".json", lambda: True)
    work.note(members)
    work.accept(members)
    assert files.unit.read_text() == TEXT
    assert files.current.readlink().name == "2"
    assert any("No space left on device" in each for each in work.state.members["q"]["actions"])


def test_the_cache_of_what_runs_stays_whatever_slashes_its_mount_has(root: Path) -> None:
    work = begun(root)
    files = work.files("q")
    kept, old = files.caches / "aaaaaaaaaaaa", files.caches / "bbbbbbbbbbbb"
    for folder in (kept, old):
        folder.mkdir(parents=True)
    mounts = [f"{root}//q/cache/aaaaaaaaaaaa:/vllm-fleet/cache:Z,U"]
    release_store.put(files, dataclasses.replace(NEW, intent={**NEW.intent, "mounts": mounts}), TEXT)
    work.note(work.job.transitions[0])
    work.accept(work.job.transitions[0])
    assert (kept.exists(), old.exists()) == (True, False)


@pytest.mark.parametrize("step", ["stop", "gate"])
def test_what_was_accepted_while_nothing_could_be_written_down_stays_accepted(root: Path, step: str) -> None:
    work = begun(root, step=step, serving=["q"])
    files = work.files("q")
    release_store.put(files, NEW, TEXT)
    work.note(work.job.transitions[0])
    work.accept(work.job.transitions[0])
    work.state.step = step
    work.work()
    assert work.state.problem == ""
    assert files.unit.read_text() == TEXT
    assert steps(work) == []


def test_an_old_server_that_has_no_record_is_started_again_as_it_was(root: Path) -> None:
    work = begun(root, before=None)
    work.work()
    assert steps(work) == THERE_AND_BACK
    undone = work.state.members["q"]["undone"]
    assert (undone["release"], undone["serving"]) == (None, None)
    assert "has no record of it" in undone["message"]
    ended = release_store.outcome(work.files("q"), 2)
    assert ended is not None
    assert ended.state == "undone"


def test_a_unit_that_was_taken_away_by_hand_is_written_again(root: Path) -> None:
    work = begun(root)
    work.files("q").unit.unlink()
    work.work()
    assert work.files("q").unit.read_text() == OLD_TEXT
    assert "write the unit of release 1" in work.state.members["q"]["actions"]


def test_a_unit_that_somebody_changed_by_hand_stays_as_it_is(root: Path) -> None:
    work = begun(root)
    work.files("q").unit.write_text(OLD_TEXT + "# by hand\n")
    work.work()
    assert work.files("q").unit.read_text() == OLD_TEXT + "# by hand\n"


def test_what_was_half_accepted_is_put_back_whole(root: Path) -> None:
    """The disk kept the state from being written: the unit is the new one, and the link the old one."""
    work = begun(root, step="gate", serving=["q"])
    files = work.files("q")
    release_store.put(files, NEW, TEXT)
    put(files, "[Service]\n")
    files.unit.write_text(TEXT)
    work.work()
    assert files.unit.read_text() == OLD_TEXT
    assert files.current.readlink().name == "1"


@pytest.mark.parametrize("torn", ["", '{"id": "20261130T12', "null", "[]", "{}"])
def test_a_state_that_was_torn_is_gone_back_from(root: Path, torn: str) -> None:
    work = begun(root)
    files = work.files("q")
    release_store.put(files, NEW, TEXT)
    put(files, "[Service]\n")
    (work.folder / "state.json").write_text(torn)
    assert program.unfinished(str(root)) == work.job.id
    state = program.state_of(str(root), work.job.id)
    assert state is not None
    assert str(work.folder / "state.json") in state.message
    lost = Here(work.run, work.job, work.folder, state)
    lost.work()
    assert steps(lost) == [*THERE_AND_BACK[2:]]
    assert not files.trial.exists()
    assert "its state was lost" in lost.state.problem
    assert program.unfinished(str(root)) is None


def test_a_state_that_was_torn_while_it_accepted_takes_nothing_back(root: Path) -> None:
    work = begun(root)
    files = work.files("q")
    release_store.put(files, NEW, TEXT)
    work.note(work.job.transitions[0])
    work.accept(work.job.transitions[0])
    (work.folder / "state.json").write_text("")
    state = program.state_of(str(root), work.job.id)
    assert state is not None
    lost = Here(work.run, work.job, work.folder, state)
    lost.work()
    assert lost.state.problem == ""
    assert files.unit.read_text() == TEXT
    assert steps(lost) == []


def test_a_job_that_was_torn_is_named_with_what_to_do(root: Path) -> None:
    work = begun(root)
    (work.folder / "job.json").write_text("")
    with pytest.raises(ValueError, match=rf"{work.folder}/job.json cannot be used.* remove {work.folder}"):
        program.bring_to_its_end(work.run, work.folder)
    (work.folder / "state.json").write_text("")
    with pytest.raises(ValueError, match="cannot be used"):
        program.resume(lambda *command, **_further: Completed(command, 0, "", ""), str(root), work.job.id)


def test_a_state_of_a_newer_collection_is_refused_with_its_file(root: Path) -> None:
    work = begun(root)
    (work.folder / "state.json").write_text('{"schema": 99}')
    with pytest.raises(ValueError, match=r"state\.json: the transaction has schema 99"):
        program.unfinished(str(root))
