"""The way back of a transaction: the old release serves again, and shows it, or nothing of the new one is left."""

from __future__ import annotations

import dataclasses
import time
import typing as t
from functools import partial

from .._release.records import Record
from .._release.transaction import LOST, POINT_OF_NO_RETURN
from . import release_store, systemd
from .command import HostError
from .release_files import read, write
from .release_steps import memory_problem, stop
from .release_watch import seen, watch
from .trial_unit import on_trial, take_away

if t.TYPE_CHECKING:
    from .._release.transaction import Member
    from .release_run import Transaction

BEFORE_THE_STOP = ("check", "prepare", "drain")
_UNPROVEN: dict[str, t.Any] = {
    "message": (
        "the server that ran before was started again. This host has no record of it, so nothing tells what it has to"
        " serve, and it was not asked: look at it"
    ),
    "seconds_without_service": None,
    "diagnosis": None,
    "log": [],
}


class ShutGateError(Exception):
    """The new release is not to be; the message says why, ``name`` whose gate it was."""

    def __init__(self, name: str, message: str, gate: dict[str, t.Any] | None = None) -> None:
        """Keep what was seen of the server."""
        super().__init__(message)
        self.name, self.gate = name, gate or {}


def starting(members: t.Iterable[Member]) -> list[Member]:
    """Those of which something is to run."""
    return [member for member in members if member.record is not None]


def record_of(member: Member) -> Record:
    """What is to run of it."""
    data = dict(member.record or {})
    return Record(**{**data, "devices": tuple(data["devices"])})


def undo(work: Transaction, members: t.Sequence[Member], shut: ShutGateError, ran: bool = True) -> None:
    """Go back. ``ran`` is false where nothing of the new release can be running any more, as after a reboot."""
    _note(work, members, shut)
    work.tell("undo", f"{shut.name}: {shut}")
    begun = [
        member
        for member in starting(members)
        if on_trial(work.files(member.name)) or (ran and member.action == "start")
    ]
    # What is thrown away needs no time to end: in the middle of loading vLLM does not heed a SIGTERM.
    for member in begun:
        work.run("podman", "kill", "--signal", "KILL", work.files(member.name).container)
    _try(work, lambda: stop(work.run, [f"vllm-{member.name}.service" for member in begun]))
    work.did(begun, "stop {}")
    for member in members:
        if take_away(work.files(member.name)):
            work.did([member], "take the trial away")
        _try(work, partial(_put_back, work, member))
    _try(work, lambda: systemd.daemon_reload(work.run))
    for member in begun:
        if (
            member.before is None
        ):  # else systemd lists it as failed until the next boot, though nothing of it is left
            work.run("systemctl", "reset-failed", "--", f"vllm-{member.name}.service")
    _go_back(work, [member for member in members if member.name in work.state.serving])
    for member in members:
        back = member.before or member.name in work.state.serving
        _conclude(work, [member], "undone" if back else "failed", str(shut))


def _put_back(work: Transaction, member: Member) -> None:
    """The unit of the accepted release, where it is gone or already that of the new one, and the link to it."""
    files = work.files(member.name)
    if member.before is None or not files.release(member.before["release"]).is_dir():
        return
    number = int(member.before["release"])
    text, there = release_store.unit_text(files, number), read(files.unit)
    if text and there != text and there in (None, member.unit_text):
        write(files.unit, text)
        work.did([member], f"write the unit of release {number}")
    now = release_store.current(files)
    if now is None or now.release != number:
        release_store.make_current(files, number)


def _conclude(work: Transaction, members: t.Sequence[Member], state: str, why: str) -> None:
    """Note how new releases ended."""
    for member in starting(members):
        files = work.files(member.name)
        if member.action == "release" and files.release(record_of(member).release).exists():
            number, ended = record_of(member).release, work.outcome(member, state, why)
            _try(work, partial(release_store.conclude, files, number, ended))


def _try(work: Transaction, act: t.Callable[[], None]) -> None:
    """On the way back nothing that fails keeps the rest from being tried."""
    try:
        act()
    except (HostError, OSError) as error:
        work.state.problem += f"; and on the way back: {error}"


def _note(work: Transaction, members: t.Sequence[Member], shut: ShutGateError) -> None:
    work.state.problem = f"{shut.name}: {shut}"
    for member in members:
        own = member.name == shut.name
        work.note([member], problem=str(shut) if own else f"undone together with {shut.name}")
        if own and shut.gate:
            work.note([member], gate=shut.gate)


def _go_back(work: Transaction, members: t.Sequence[Member]) -> None:
    """Start what served before, and gate it: an undo that is not proven is none."""
    began = time.monotonic()
    for member in members:
        _wait_for_memory(work, member)
        _start(work, member)
        work.did([member], "start {} as it was")
    for member in members:
        if member.before is None:
            work.state.members[member.name]["undone"] = {**_UNPROVEN, "serving": None, "release": None}
    before = {member.name: dict(member.before) for member in members if member.before}
    gates = [(name, record["gate"]) for name, record in before.items()]
    for name, watcher in watch(work.run, gates, lambda text: work.tell("undo", text), restarts=None):
        found = seen(work.run, watcher, began, work.state.stopped_at)
        work.state.members[name]["undone"] = {
            "serving": watcher.opened,
            "message": watcher.shut or watcher.verdict.message,
            "release": before[name]["release"],
            "seconds_without_service": found["seconds_without_service"],
            "diagnosis": found["diagnosis"],
            "log": found["log"],
        }


def _start(work: Transaction, member: Member) -> None:
    _try(work, lambda: systemd.start(work.run, f"vllm-{member.name}.service"))


def _wait_for_memory(work: Transaction, member: Member) -> None:
    """Give the GPU's memory the time to come free for the old release; it is started in any case."""
    until = time.monotonic() + work.job.memory_seconds
    old = dataclasses.replace(member, record=member.before)
    while time.monotonic() < until:
        why = memory_problem(work.run, old)
        if not why:
            return
        work.tell("undo", f"{member.name}: {why}")
        time.sleep(1)


def _is_new(work: Transaction, member: Member) -> bool:
    """Whether the new release is what runs: on trial, or in the place of what boots when the host was restarted."""
    files = work.files(member.name)
    return member.action != "release" or on_trial(files) or read(files.unit) == member.unit_text


def _is_accepted(work: Transaction, members: t.Sequence[Member]) -> bool:
    """Whether all new releases are the accepted ones already, which the state does not tell when the disk was full."""
    new = [member for member in starting(members) if member.action == "release"]
    now = [release_store.current(work.files(member.name)) for member in new]
    return bool(new) and [each and each.release for each in now] == [
        record_of(member).release for member in new
    ]


def _find_out(work: Transaction) -> None:
    """How far it was: to the last transition of which a release was prepared.

    Going back is safe wherever it was: what ran when this was asked for is started where it does not run.
    """
    transitions = work.job.transitions
    prepared = [
        number
        for number, members in enumerate(transitions)
        for member in starting(members)
        if member.action == "release" and work.files(member.name).release(record_of(member).release).is_dir()
    ]
    work.state.transition = max(prepared, default=0)
    work.state.serving = [member.name for member in transitions[work.state.transition] if member.was_active]


def recover(work: Transaction, died_in: str) -> None:
    """A run died: go on to accept, else go back. After a reboot the accepted release runs already."""
    if died_in == LOST:
        _find_out(work)
    members = list(work.job.transitions[work.state.transition])
    work.note(members)
    went_on = died_in == POINT_OF_NO_RETURN and all(_is_new(work, member) for member in starting(members))
    if went_on or _is_accepted(work, members):
        work.accept(members)
        return
    if died_in in (*BEFORE_THE_STOP, "end"):
        work.state.problem = f"the release was interrupted in the step {died_in}; nothing had been stopped"
        _conclude(work, members, "interrupted", work.state.problem)
        return
    if work.state.stopped_at is not None and work.state.stopped_at > time.monotonic():
        work.state.stopped_at = None  # of another boot
    rebooted = died_in not in ("stop", "memory", "switch") and not any(
        on_trial(work.files(member.name)) for member in starting(members) if member.action == "release"
    )
    why = f"{'the host was restarted' if rebooted else 'it was interrupted'} in the step {died_in}"
    if died_in == LOST:
        why = "it was interrupted, and its state was lost"
    undo(work, members, ShutGateError(members[0].name, why), ran=not rebooted)
