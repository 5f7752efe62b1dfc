"""A release on its host, from stop to verdict: one transaction that ends by itself, whoever asked for it.

Order and reasons:

1. ``check``: everything that can be refused is refused while the old server serves.
2. ``drain``: requests that run may end.
3. ``stop``, ``memory``: the old servers end, and their GPUs' memory is really free.
4. ``switch``, ``start``, ``gate``: the new release runs on trial. What boots is still the accepted one.
5. ``controller``: where it was asked for, the control node has its word.
6. ``accept``, or ``undo``: the old release serves again, and is gated like any other.

A run that died goes back from wherever it was, except from ``accept``, which it brings to its end.
"""

from __future__ import annotations

import dataclasses
import json
import time
import typing as t
from datetime import datetime, timezone

from .._release.records import Outcome, Record
from .._release.transaction import POINT_OF_NO_RETURN, Job, Member, State
from . import release_store, systemd
from .accept import accept
from .command import HostError
from .gate import PAUSE_SECONDS, Watcher, diagnosis, probe_of
from .release_files import InstanceFiles, read, write
from .release_steps import is_active, make_caches, memory_problem, refusal, stop
from .trial_unit import on_trial, put, take_away

if t.TYPE_CHECKING:
    from pathlib import Path

    from .command import Run

VERDICT = "verdict.json"  # what the control node says
_POLL_SECONDS = 0.25
_DEFAULT_HOLD = 5.0


class Shut(Exception):
    """The new release is not to be; the message says why, ``name`` whose gate it was."""

    def __init__(self, name: str, message: str, gate: dict[str, t.Any] | None = None) -> None:
        """Keep what was seen of the server."""
        super().__init__(message)
        self.name, self.gate = name, gate or {}


@dataclasses.dataclass
class Transaction:
    """One job at work."""

    run: Run
    job: Job
    folder: Path
    state: State

    def work(self) -> None:
        """From the first step, or back from where a run died."""
        died_in = "" if self.state.step == "begin" else self.state.step
        try:
            if died_in:
                self._recover(died_in)
            else:
                self._all()
        except (HostError, OSError) as error:
            self.state.problem = self.state.problem or str(error)
        self.state.ended = True
        self.tell("end", self.state.problem or "done")

    def _all(self) -> None:
        for number, members in enumerate(self.job.transitions):
            self.state.transition = number
            if not self._transition([self._now(member) for member in members]):
                return

    def _now(self, member: Member) -> Member:
        """The member with what is true at this moment, for the job may have waited for another one."""
        active = is_active(self.run, f"vllm-{member.name}.service")
        return dataclasses.replace(member, was_active=active)

    def tell(self, step: str, message: str = "") -> None:
        """Write down how far it is."""
        if step != self.state.step:
            self.state.steps.append([step, round(time.monotonic(), 1)])
        self.state.step, self.state.message = step, message
        self.state.serial += 1
        write(self.folder / "state.json", self.state.text())

    def files(self, name: str) -> InstanceFiles:
        """The files of an instance."""
        return InstanceFiles(name, self.job.state_dir)

    def note(self, members: t.Iterable[Member], **what: t.Any) -> None:
        """Put into the result of each of them."""
        for member in members:
            self.state.members.setdefault(member.name, _empty(member)).update(what)

    def did(self, members: t.Iterable[Member], what: str) -> None:
        """Note a step that was taken; ``{}`` stands for the service."""
        for member in members:
            noted = self.state.members.setdefault(member.name, _empty(member))
            noted["actions"].append(what.format(f"vllm-{member.name}.service"))

    # --- one transition

    def _transition(self, members: list[Member]) -> bool:
        self.note(members)
        self.state.serving = [member.name for member in members if member.was_active]
        self.tell("check", "checks what is needed")
        why = self._stale(members) or refusal(self.run, members, self.job.state_dir)
        if why:
            self.state.problem = f"{why}. Nothing was stopped"
            self.note(members, problem=self.state.problem)
            return False
        others = self._serving_others()
        self._drain(members)
        try:
            self._switch(members)
            self._gate(members)
            self._ask_controller(members)
        except (Shut, HostError, OSError) as error:
            shut = error if isinstance(error, Shut) else Shut(members[0].name, str(error))
            self._undo(members, shut, self.state.step)
            self._look_after(others)
            return False
        self._accept(members)
        return self._look_after(others)

    def _stale(self, members: t.Sequence[Member]) -> str | None:
        """Whether somebody else released since this was asked for."""
        for member in members:
            now = release_store.current(self.files(member.name))
            asked = (member.before or {}).get("release")
            if (now.release if now else None) != asked:
                return (
                    f"{member.name}: another run released it meanwhile (release {now.release if now else 'none'}, and"
                    f" {asked or 'none'} when this run looked): run again"
                )
        return None

    def _drain(self, members: t.Sequence[Member]) -> None:
        """Wait until the old servers have nothing to do, or the time is over."""
        probes = [
            probe_of(self.run, member.name, member.before["gate"], 5)
            for member in members
            if member.was_active and member.before and member.before.get("gate")
        ]
        until = time.monotonic() + self.job.drain_seconds
        while probes and time.monotonic() < until:
            counts = [probe.server.running_requests() for probe in probes]
            running = sum(count or 0 for count in counts)
            if not running:
                return
            self.tell("drain", f"{running} requests still run")
            time.sleep(1)

    def _switch(self, members: t.Sequence[Member]) -> None:
        self.tell("stop", "stops what runs")
        leaving = [member for member in members if member.was_active]
        self.state.stopped_at = time.monotonic() if leaving else None
        self.did(leaving, "stop {}")
        self.tell("stop", "stops what runs")
        stop(self.run, [f"vllm-{member.name}.service" for member in leaving])
        self._wait_for_memory(members)
        self.tell("switch", "puts the new units on trial")
        for member in _starting(members):
            files, record = self.files(member.name), _record(member)
            make_caches(member, files)
            if member.action == "release":
                release_store.put(files, record, member.unit_text or "")
                put(self.run, files, member.unit_text or "", files.release(record.release) / release_store.UNIT)
                self.did([member], f"put release {record.release} on trial")
        systemd.daemon_reload(self.run)
        self.tell("start", "starts the servers")
        for member in _starting(members):
            self.did([member], "start {}")
            systemd.start(self.run, f"vllm-{member.name}.service")

    def _wait_for_memory(self, members: t.Sequence[Member]) -> None:
        """The memory of a GPU is not free at once when its process has ended."""
        until = time.monotonic() + self.job.memory_seconds
        for member in _starting(members):
            why = memory_problem(self.run, member)
            while why:
                self.tell("memory", why)
                if time.monotonic() > until:
                    raise Shut(member.name, f"the GPU's memory does not come free: {why}")
                time.sleep(1)
                why = memory_problem(self.run, member)

    def _gate(self, members: t.Sequence[Member]) -> None:
        """Until each has shown tokens; the first that cannot any more ends it."""
        began = time.monotonic()
        for member, watcher in self.watch([(each, _record(each).gate) for each in _starting(members)], "gate"):
            gate = self._seen(member, watcher, began)
            self.note([member], gate=gate)
            if watcher.shut:
                raise Shut(member.name, f"the gate stays shut: {watcher.shut}", gate)

    def watch(
        self, wanted: t.Sequence[tuple[Member, t.Mapping[str, t.Any]]], step: str
    ) -> t.Iterator[tuple[Member, Watcher]]:
        """Each member, as soon as its gate is open or stays shut."""
        waiting = [
            (member, Watcher(probe_of(self.run, member.name, gate), float(gate["timeout"]), float(gate.get("hold", _DEFAULT_HOLD))))
            for member, gate in wanted
        ]  # fmt: skip
        told = ""
        while waiting:
            for member, watcher in waiting:
                watcher.step()
            text = "; ".join(f"{member.name}: {_how_far(watcher)}" for member, watcher in waiting)
            if text != told:
                told = text
                self.tell(step, text)
            done = [(member, watcher) for member, watcher in waiting if watcher.opened or watcher.shut]
            waiting = [each for each in waiting if each not in done]
            yield from done
            if waiting:
                time.sleep(min(PAUSE_SECONDS, _POLL_SECONDS))

    def _seen(self, member: Member, watcher: Watcher, began: float) -> dict[str, t.Any]:
        """What the gate has seen of a server, for the report."""
        completion = watcher.look.completion if watcher.look else None
        ready = watcher.ready_at
        seen: dict[str, t.Any] = {
            "state": watcher.verdict.state,
            "message": watcher.verdict.message,
            "vllm_version": watcher.probe.server.version() if watcher.verdict.serving else None,
            "answer": dataclasses.asdict(completion) if completion else None,
            "seconds_until_ready": None if ready is None else round(ready - began, 1),
            "seconds_without_service": _since(self.state.stopped_at, ready),
            "diagnosis": None,
            "log": [],
        }
        if watcher.shut:
            found, log = diagnosis(self.run, watcher.probe.service)
            seen.update(diagnosis=found, log=log)
        return seen

    def _ask_controller(self, members: t.Sequence[Member]) -> None:
        """Wait for the control node's word; silence is no."""
        if not self.job.controller_seconds or not _starting(members):
            return
        self.state.awaits_controller = True
        self.tell("controller", "waits for the word of the control node")
        until = time.monotonic() + self.job.controller_seconds
        verdict = None
        while verdict is None and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
            verdict = read(self.folder / f"{self.state.transition}.{VERDICT}")
        self.state.awaits_controller = False
        name = _starting(members)[0].name
        if verdict is None:
            raise Shut(name, f"the control node said nothing for {self.job.controller_seconds:g} s")
        said = json.loads(verdict)
        if not said["serving"]:
            raise Shut(said.get("name") or name, f"the gate stays shut, seen from the control node: {said['message']}")

    # --- its two ends

    def _accept(self, members: t.Sequence[Member]) -> None:
        self.tell(POINT_OF_NO_RETURN, "accepts the release")
        for member in members:
            ended = self._outcome(member, "accepted", "")
            for what in accept(self.run, self.files(member.name), member, ended):
                self.did([member], what)
        systemd.daemon_reload(self.run)

    def _outcome(self, member: Member, state: str, message: str) -> Outcome:
        gate = self.state.members.get(member.name, {}).get("gate") or {}
        kept = ("seconds_until_ready", "seconds_without_service", "answer", "vllm_version")
        return Outcome(state, now(), message, **{key: gate.get(key) for key in kept})

    def _undo(self, members: t.Sequence[Member], shut: Shut, step: str) -> None:
        """The old release serves again, or, where there was none, nothing of the new one is left running."""
        self._note_shut(members, shut)
        self.tell("undo", f"{shut.name}: {shut}")
        begun = [member for member in _starting(members) if on_trial(self.files(member.name)) or member.action == "start"]
        stop(self.run, [f"vllm-{member.name}.service" for member in begun if step != "check"])
        self.did(begun, "stop {}")
        for member in members:
            if take_away(self.files(member.name)):
                self.did([member], "take the trial away")
        systemd.daemon_reload(self.run)
        self._go_back([member for member in members if member.before and member.name in self.state.serving])
        for member in _starting(members):
            if member.action == "release":
                state = "undone" if member.before else "failed"
                release_store.conclude(
                    self.files(member.name), _record(member).release, self._outcome(member, state, str(shut))
                )

    def _note_shut(self, members: t.Sequence[Member], shut: Shut) -> None:
        self.state.problem = f"{shut.name}: {shut}"
        for member in members:
            own = member.name == shut.name
            self.note([member], problem=str(shut) if own else f"undone together with {shut.name}")
            if own and shut.gate:
                self.note([member], gate=shut.gate)

    def _go_back(self, members: t.Sequence[Member]) -> None:
        """Start what served before, and gate it: an undo that is not proven is none."""
        began = time.monotonic()
        for member in members:
            self._free_for(member)
            systemd.start(self.run, f"vllm-{member.name}.service")
            self.did([member], "start {} as it was")
        gates = [(member, (member.before or {})["gate"]) for member in members]
        for member, watcher in self.watch(gates, "undo"):
            seen = self._seen(member, watcher, began)
            message = watcher.shut or watcher.verdict.message
            self.note(
                [member],
                undone={
                    "serving": watcher.opened,
                    "message": message,
                    "release": (member.before or {})["release"],
                    "seconds_without_service": seen["seconds_without_service"],
                    "diagnosis": seen["diagnosis"],
                },
            )

    def _free_for(self, member: Member) -> None:
        """Give the GPU's memory the time to come free for the old release; it is started in any case."""
        until = time.monotonic() + self.job.memory_seconds
        old = dataclasses.replace(member, record=member.before)
        while time.monotonic() < until and memory_problem(self.run, old):
            time.sleep(1)

    def _recover(self, died_in: str) -> None:
        """A run died: go on to accept, else go back. After a reboot the accepted release runs already."""
        members = list(self.job.transitions[self.state.transition])
        rebooted = not any(on_trial(self.files(member.name)) for member in members)
        if died_in == POINT_OF_NO_RETURN:
            self._accept(members)
            return
        if died_in in ("check", "drain", "end"):
            self.state.problem = f"it was interrupted in the step {died_in}; nothing had been stopped"
            return
        if self.state.stopped_at is not None and self.state.stopped_at > time.monotonic():
            self.state.stopped_at = None  # of another boot
        why = "the host was restarted" if rebooted and died_in not in ("stop", "memory") else "it was interrupted"
        self._undo(members, Shut(members[0].name, f"{why} in the step {died_in}"), "check" if rebooted else died_in)

    # --- the others of this host

    def _serving_others(self) -> list[str]:
        """Instances of ours that no transition of this job names, and that serve now."""
        named = {member.name for each in self.job.transitions for member in each}
        found = [name for name in release_store.instances(self.job.state_dir) if name not in named]
        return [name for name in found if self._serves(name)]

    def _serves(self, name: str) -> bool:
        record = release_store.current(self.files(name))
        if record is None or not is_active(self.run, record.service):
            return False
        return probe_of(self.run, name, record.gate).look()[1].serving

    def _look_after(self, others: t.Sequence[str]) -> bool:
        """What systemd reloaded for one must not have cost another its GPU."""
        lost = [name for name in others if not self._serves(name)]
        if lost:
            self.state.others += lost
            text = f"{', '.join(lost)} served before this release and does not any more"
            self.state.problem = f"{self.state.problem}; {text}" if self.state.problem else text
        return not lost


def now() -> str:
    """This moment, as records write it."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def _empty(member: Member) -> dict[str, t.Any]:
    before, record = member.before, member.record or {}
    kept = ("release", "image", "image_identity", "vllm_version")
    shown = {key: record.get(key) for key in ("model", "image", "image_identity", "release")}
    return {
        "action": "roll_back" if record.get("rolled_back_to") else member.action,
        "instance": {"endpoint": record.get("url"), **shown},
        "from": {key: before.get(key) for key in kept} if before else None,
        "problem": "",
        "gate": {},
        "undone": None,
        "actions": [],
    }


def _starting(members: t.Iterable[Member]) -> list[Member]:
    return [member for member in members if member.record is not None]


def _record(member: Member) -> Record:
    data = dict(member.record or {})
    return Record(**{**data, "devices": tuple(data["devices"])})


def _how_far(watcher: Watcher) -> str:
    if watcher.ready_at is not None and watcher.verdict.serving:
        return "serves, and has to go on"
    return f"{watcher.verdict.state}: {watcher.message}"


def _since(moment: float | None, ready: float | None) -> float | None:
    return None if moment is None or ready is None else round(ready - moment, 1)
