"""A release on its host, from stop to verdict: one transaction that ends by itself, whoever asked for it.

Order and reasons:

1. ``check``: everything that can be refused is refused while the old server serves.
2. ``prepare``, ``drain``: the new units are made, and requests that run may end.
3. ``stop``, ``memory``: the old servers end, and their GPUs' memory is really free.
4. ``switch``, ``start``, ``gate``: the new release runs on trial. What boots is still the accepted one.
5. ``controller``: where it was asked for, the control node has its word.
6. ``accept``, or ``undo``: the old release serves again, and is gated like any other.

A run that died goes back from wherever it was, except from ``accept``, which it brings to its end.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
import traceback
import typing as t
from datetime import datetime, timezone

from .._release.records import Outcome
from .._release.transaction import POINT_OF_NO_RETURN, Job, Member, State
from . import release_store, systemd
from .accept import accept
from .command import HostError
from .gate import probe_of
from .release_files import InstanceFiles, read, write
from .release_steps import is_active, make_caches, memory_problem, refusal, stop
from .release_undo import BEFORE_THE_STOP, ShutGateError, record_of, recover, starting, undo
from .release_watch import seen, watch
from .trial_unit import put, trial_of

if t.TYPE_CHECKING:
    from pathlib import Path

    from .command import Run

BEGIN = "begin"  # the step before the first
VERDICT = "verdict.json"  # what the control node says
PROGRAM = "program.zip"  # beside the state
_POLL_SECONDS = 0.25


@dataclasses.dataclass
class Transaction:
    """One job at work."""

    run: Run
    job: Job
    folder: Path
    state: State

    def work(self) -> None:
        """From the first step, or back from where a run died."""
        died_in = "" if self.state.step == BEGIN else self.state.step
        try:
            if died_in:
                recover(self, died_in)
            if not self.state.problem:
                self._all(self.state.transition + 1 if died_in else 0)
        except (HostError, OSError) as error:
            self.state.problem = self.state.problem or self._in_words(error, died_in)
        except Exception as error:
            if not died_in:
                raise  # systemd starts it again, and it goes back
            traceback.print_exc()  # again and again would help nobody
            self.state.problem += f"; and on the way back: {type(error).__name__}: {error}"
        self.end(self.state.problem)

    def _in_words(self, error: Exception, died_in: str) -> str:
        if not died_in and self.state.step in (*BEFORE_THE_STOP, "stop"):
            return f"{error}. Nothing was stopped"
        if self.state.step != POINT_OF_NO_RETURN:
            return str(error)
        return (
            f"the new release serves, and could not be written down as accepted: {error}. A restart of the host may bring"
            " back the old one. Mend that, and run again"
        )

    def end(self, problem: str) -> None:
        """Nothing more is done."""
        self.state.problem, self.state.ended = problem, True
        if not self.tell("end", problem or "done"):
            (self.folder / PROGRAM).unlink(missing_ok=True)  # makes room for the last word
            self.tell("end", problem or "done")

    def _all(self, first: int) -> None:
        for number, members in enumerate(self.job.transitions[first:], start=first):
            self.state.transition = number
            if not self._transition([self._now(member) for member in members]):
                return

    def _now(self, member: Member) -> Member:
        """The member with what is true at this moment, for the job may have waited for another one."""
        active = is_active(self.run, f"vllm-{member.name}.service")
        return dataclasses.replace(member, was_active=active)

    def tell(self, step: str, message: str = "") -> bool:
        """Write down how far it is; whether that could be done.

        As long as the old server serves, a state that cannot be written ends it. From then on a full disk must not keep
        anything from being done that brings a server back: it goes on, and the next step tries to write again.
        """
        if step != self.state.step:
            self.state.steps.append([step, round(time.monotonic(), 1)])
        self.state.step, self.state.message = step, message
        self.state.serial += 1
        try:
            write(self.folder / "state.json", self.state.text(), 0o600)
        except OSError as error:
            if step in (*BEFORE_THE_STOP, "stop"):
                raise
            sys.stderr.write(f"{step}: {message}; this cannot be written down: {error}\n")  # into the journal
            return False
        return True

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
        why = self._stale(members) or refusal(self.run, members, self.files, self.job.fleet)
        if why:
            self.state.problem = f"{why}. Nothing was stopped"
            self.note(members, problem=self.state.problem)
            return False
        others = self._serving_others()
        services = self._prepare(members)
        self._drain(members)
        leaving = [member for member in members if member.was_active]
        self._tell_stop(leaving)
        try:
            self._switch(members, services, leaving)
            self._gate(members)
            self._ask_controller(members)
        except (ShutGateError, HostError, OSError) as error:
            shut = error if isinstance(error, ShutGateError) else ShutGateError(members[0].name, str(error))
            undo(self, members, shut)
            self._look_after(others)
            return False
        self.accept(members)
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
            number = (member.record or {}).get("release")
            if member.action == "release" and self.files(member.name).release(int(number or 0)).exists():
                return f"{member.name}: another run tried its release {number} meanwhile: run again"
        return None

    def _drain(self, members: t.Sequence[Member]) -> None:
        """Wait until the old servers have nothing to do, or their time for it (``limits.drain``) is over."""
        leaving = [member for member in members if member.was_active and member.before]
        limits = {member.name: _drain_seconds(member) for member in leaving}
        began = time.monotonic()
        probes = {
            member.name: probe_of(self.run, member.name, (member.before or {})["gate"], 5)
            for member in leaving
            if limits[member.name]
        }
        while probes:
            running = {name: probe.server.running_requests() or 0 for name, probe in probes.items()}
            over = time.monotonic() - began
            probes = {name: each for name, each in probes.items() if running[name] and over < limits[name]}
            if probes:
                self.tell("drain", f"{sum(running.values())} requests still run")
                time.sleep(1)

    def _prepare(self, members: t.Sequence[Member]) -> dict[str, str]:
        """Keep the new releases, and make their services, while the old ones serve: none of it has to wait for the stop."""
        self.tell("prepare", "makes the new units")
        services = {}
        for member in starting(members):
            files, text = self.files(member.name), member.unit_text or ""
            make_caches(member, files)
            if member.action == "release":
                number = record_of(member).release
                release_store.put(files, record_of(member), text)
                source = files.release(number) / release_store.UNIT
                services[member.name] = trial_of(self.run, files, text, source)
        return services

    def _tell_stop(self, leaving: t.Sequence[Member]) -> None:
        """Who finds this step on disk knows that he has to go back: where it cannot stand there, nothing is stopped."""
        self.state.stopped_at = time.monotonic() if leaving else None
        try:
            self.tell("stop", "stops what runs")
        except OSError:
            self.state.stopped_at = None
            raise
        self.did(leaving, "stop {}")

    def _switch(
        self, members: t.Sequence[Member], services: t.Mapping[str, str], leaving: t.Sequence[Member]
    ) -> None:
        stop(self.run, [f"vllm-{member.name}.service" for member in leaving])
        self._wait_for_memory(members)
        self.tell("switch", "puts the new units on trial")
        for member in starting(members):
            if member.name in services:
                put(self.files(member.name), services[member.name])
                self.did([member], f"put release {record_of(member).release} on trial")
        systemd.daemon_reload(self.run)
        self.tell("start", "starts the servers")
        for member in starting(members):
            self.did([member], "start {}")
            systemd.start(self.run, f"vllm-{member.name}.service")

    def _wait_for_memory(self, members: t.Sequence[Member]) -> None:
        """The memory of a GPU is not free at once when its process has ended."""
        until = time.monotonic() + self.job.memory_seconds
        for member in starting(members):
            why = memory_problem(self.run, member)
            while why:
                self.tell("memory", why)
                if time.monotonic() > until:
                    raise ShutGateError(member.name, f"the GPU's memory does not come free: {why}")
                time.sleep(1)
                why = memory_problem(self.run, member)

    def _gate(self, members: t.Sequence[Member]) -> None:
        """Until each has shown tokens; the first that cannot any more ends it."""
        began = time.monotonic()
        gates = [(member.name, record_of(member).gate) for member in starting(members)]
        for name, watcher in watch(self.run, gates, lambda text: self.tell("gate", text)):
            gate = seen(self.run, watcher, began, self.state.stopped_at)
            self.state.members[name]["gate"] = gate
            if watcher.shut:
                raise ShutGateError(name, f"the gate stays shut: {watcher.shut}", gate)

    def _ask_controller(self, members: t.Sequence[Member]) -> None:
        """Wait for the control node's word; silence is no."""
        if not self.job.controller_seconds or not starting(members):
            return
        self.state.awaits_controller = True
        self.tell("controller", "waits for the word of the control node")
        until = time.monotonic() + self.job.controller_seconds
        verdict = None
        while verdict is None and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
            verdict = read(self.folder / f"{self.state.transition}.{VERDICT}")
        self.state.awaits_controller = False
        name = starting(members)[0].name
        if verdict is None:
            raise ShutGateError(name, f"the control node said nothing for {self.job.controller_seconds:g} s")
        said = json.loads(verdict)
        if not said["serving"]:
            raise ShutGateError(
                said.get("name") or name,
                f"the gate stays shut, seen from the control node: {said['message']}",
            )

    def accept(self, members: t.Sequence[Member]) -> None:
        """The new releases are what boots."""
        self.tell(POINT_OF_NO_RETURN, "accepts the release")
        try:
            # What was released first: nothing that goes away may keep it from being what boots.
            for member in sorted(members, key=lambda each: each.record is None):
                ended = self.outcome(member, "accepted", "")
                for what in accept(self.run, self.files(member.name), member, ended, self.job.fleet):
                    self.did([member], what)
        finally:
            systemd.daemon_reload(self.run)

    def outcome(self, member: Member, state: str, message: str) -> Outcome:
        """How a release ended, with what its gate has seen."""
        gate = self.state.members.get(member.name, {}).get("gate") or {}
        return Outcome(
            state,
            now(),
            message,
            gate.get("seconds_until_ready"),
            gate.get("seconds_without_service"),
            gate.get("answer"),
            gate.get("vllm_version"),
        )

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


def _drain_seconds(member: Member) -> float:
    """As the release that is about to stop has it."""
    return float((member.before or {})["intent"]["limits"].get("drain") or 0)


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
