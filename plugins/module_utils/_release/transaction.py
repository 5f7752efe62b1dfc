"""A transaction as data: the job that a host is given, and the state that it writes while it works on it."""

from __future__ import annotations

import dataclasses
import json
import typing as t

from .records import text_of

SCHEMA = 1
# Where a run that died must go forward, for the new release was accepted already; before that it goes back.
POINT_OF_NO_RETURN = "accept"
LOST = "lost"  # the step of a transaction whose state cannot be read: how far it was is told by what the host has


@dataclasses.dataclass(frozen=True)
class Member:
    """One instance of a transition. Without ``record`` nothing of it is started: it goes away."""

    name: str
    action: str  # release, start, remove
    record: t.Mapping[str, t.Any] | None  # what is to run
    unit_text: str | None
    before: t.Mapping[str, t.Any] | None  # the accepted release of today
    was_active: bool


@dataclasses.dataclass(frozen=True)
class Job:
    """What a host is asked to do: transitions in order; the first whose gate stays shut ends it."""

    id: str
    fleet: str
    state_dir: str
    transitions: tuple[tuple[Member, ...], ...]
    controller_seconds: float = (
        0  # to wait for the control node's word after the gate opened here; 0: not asked
    )
    memory_seconds: float = 60
    asked_by: str = ""
    schema: int = SCHEMA

    def text(self) -> str:
        """The file ``job.json``."""
        return text_of(dataclasses.asdict(self))


def parse_job(text: str) -> Job:
    """The job; ValueError where it is of a newer schema."""
    data = json.loads(text)
    if data["schema"] > SCHEMA:
        raise ValueError(f"the transaction has schema {data['schema']}; a newer gpuops.vllm_fleet wrote it")
    transitions = tuple(tuple(Member(**member) for member in each) for each in data.pop("transitions"))
    return Job(**{**data, "transitions": transitions})


@dataclasses.dataclass
class State:
    """How far a transaction is. ``serial`` grows with each change, so that who polls knows what is new."""

    id: str
    serial: int = 0
    # check, prepare, drain, stop, memory, switch, start, gate, controller, accept, undo, end
    step: str = "begin"
    transition: int = 0  # the one that is worked on
    message: str = ""
    ended: bool = False
    serving: list[str] = dataclasses.field(default_factory=list)  # members that served when it began
    stopped_at: float | None = None  # monotonic seconds of this boot
    awaits_controller: bool = False
    problem: str = ""
    steps: list[t.Any] = dataclasses.field(
        default_factory=list
    )  # each step and when it began, monotonic seconds
    members: dict[str, dict[str, t.Any]] = dataclasses.field(default_factory=dict)
    others: list[str] = dataclasses.field(default_factory=list)  # other instances that no longer serve
    schema: int = SCHEMA

    def text(self) -> str:
        """The file ``state.json``."""
        return text_of(dataclasses.asdict(self))


class TornError(ValueError):
    """The text is no whole file of a transaction, as a power cut or a full disk leaves it."""


def parse_state(text: str) -> State:
    """The state as it was written; TornError where it is not whole, ValueError where it is of a newer schema."""
    try:
        data = dict(json.loads(text))
        data["schema"] = int(data["schema"])
    except (ValueError, TypeError, KeyError) as error:
        raise TornError(f"it is empty or torn ({type(error).__name__}: {error})") from error
    if data["schema"] > SCHEMA:
        raise ValueError(f"the transaction has schema {data['schema']}; a newer gpuops.vllm_fleet wrote it")
    known = {field.name for field in dataclasses.fields(State)}
    return State(**{key: value for key, value in data.items() if key in known})
