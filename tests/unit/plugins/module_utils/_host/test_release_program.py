"""A transaction is a program of its own: its code travels in one file, and needs nothing but Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import release_program as program
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_files import TRANSACTIONS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.transaction import Job, Member

MEMBER = Member("q", "remove", None, None, None, was_active=False)


def begun(tmp_path: Path, id_: str = "20261130T120000-abcdef") -> list[tuple[str, ...]]:
    commands: list[tuple[str, ...]] = []

    def run(*command: str, **_further: object) -> Completed:
        commands.append(command)
        return Completed(command, 0, "", "")

    program.begin(run, Job(id_, "default", str(tmp_path), ((MEMBER,),)))
    return commands


def test_systemd_is_asked_to_run_the_packed_program(tmp_path: Path) -> None:
    (command,) = begun(tmp_path)
    assert command[0] == "systemd-run"
    assert "--unit=vllm-fleet-transaction-20261130T120000-abcdef.service" in command
    packed, folder = command[-2:]
    assert Path(packed).parent == Path(folder)


def test_the_packed_program_is_whole(tmp_path: Path) -> None:
    """Python alone, without Ansible and without this checkout, can import it."""
    (command,) = begun(tmp_path)
    code = command[-3].replace("sys.exit(main(sys.argv[2]))", "print(main.__module__)")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *command[-2:]], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.strip() == program.__name__


def test_one_that_is_not_at_its_end_is_found(tmp_path: Path) -> None:
    assert program.unfinished(str(tmp_path)) is None
    begun(tmp_path)
    assert program.unfinished(str(tmp_path)) == "20261130T120000-abcdef"
    state = program.state_of(str(tmp_path), "20261130T120000-abcdef")
    assert state is not None
    state.ended = True
    (tmp_path / TRANSACTIONS / state.id / "state.json").write_text(state.text())
    assert program.unfinished(str(tmp_path)) is None


def test_watching_comes_back_with_news(tmp_path: Path) -> None:
    begun(tmp_path)
    state = program.watch(str(tmp_path), "20261130T120000-abcdef", known=-1, seconds=60)
    assert state is not None
    assert state.serial == 0
    assert program.watch(str(tmp_path), "other", known=-1, seconds=60) is None


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    for second in range(25):
        begun(tmp_path, f"20261130T1200{second:02}-abcdef")
    kept = sorted(path.name for path in (tmp_path / TRANSACTIONS).iterdir())
    assert len(kept) == 21
    assert kept[0] == "20261130T120004-abcdef"


@pytest.mark.parametrize(
    ("seen", "commands"),
    [
        ("active", ["systemctl"]),
        ("activating", ["systemctl"]),  # dead for the second until systemd starts it again
        ("inactive", ["systemctl", "systemd-run"]),
        ("failed", ["systemctl", "systemd-run"]),
    ],
)
def test_only_what_is_dead_is_started_again(tmp_path: Path, seen: str, commands: list[str]) -> None:
    asked: list[str] = []

    def run(*command: str, **_further: object) -> Completed:
        asked.append(command[0])
        return Completed(command, 0, f"ActiveState={seen}\n", "")

    program.resume(run, str(tmp_path), "20261130T120000-abcdef")
    assert asked == commands


def test_two_that_start_it_at_once_are_no_error(tmp_path: Path) -> None:
    answers = iter(("inactive", "", "active"))

    def run(*command: str, **_further: object) -> Completed:
        return Completed(
            command, int(command[0] == "systemd-run"), f"ActiveState={next(answers)}\n", "exists"
        )

    program.resume(run, str(tmp_path), "20261130T120000-abcdef")


def test_what_was_never_begun_is_not_begun_later(tmp_path: Path) -> None:
    """Its plan may be of yesterday."""
    begun(tmp_path)
    commands: list[str] = []

    def run(*command: str, **_further: object) -> Completed:
        commands.append(command[0])
        return Completed(command, 0, "ActiveState=inactive\n", "")

    program.resume(run, str(tmp_path), "20261130T120000-abcdef")
    assert "systemd-run" not in commands
    state = program.state_of(str(tmp_path), "20261130T120000-abcdef")
    assert state is not None
    assert state.ended
    assert "never begun" in state.problem
