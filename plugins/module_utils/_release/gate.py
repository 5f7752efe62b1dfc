"""What a server must show before it is accepted, as a judgement over one look at it.

A look goes from cheap to dear: the unit, ``/health``, ``/v1/models``, one completion. Each is only asked for when the
one before it was good, so what was not asked for is None.
"""

from __future__ import annotations

import dataclasses
import typing as t

State = t.Literal[
    "absent",
    "failed",
    "looping",
    "stopped",
    "starting",
    "loading",
    "unhealthy",
    "wrong_model",
    "no_tokens",
    "serving",
]

# These do not get better by waiting.
LOST: tuple[State, ...] = ("absent", "failed", "looping", "stopped", "wrong_model")


@dataclasses.dataclass(frozen=True)
class UnitState:
    """What systemd says of a unit (``systemctl show``)."""

    load_state: str  # loaded, not-found, bad-setting, …
    active_state: str  # active, activating, inactive, failed, …
    sub_state: str  # running, auto-restart, dead, …
    result: str  # success, exit-code, timeout, oom-kill, …
    n_restarts: int  # automatic restarts since the unit was last started on purpose
    has_job: bool  # a start or stop job is still queued or running
    started_at: float | None  # seconds on the monotonic clock when it last left inactive


@dataclasses.dataclass(frozen=True)
class Answer:
    """What an HTTP request brought: a status, or why there is none."""

    status: int | None
    problem: str | None = None

    @property
    def good(self) -> bool:
        """Whether the server answered 200."""
        return self.status == 200


@dataclasses.dataclass(frozen=True)
class Completion:
    """One bounded request for tokens."""

    kind: str  # completion, chat, embedding, score
    tokens: int  # tokens (or vectors, or scores) that came back
    seconds: float
    problem: str | None = None


@dataclasses.dataclass(frozen=True)
class Look:
    """One look at a server; what was not asked for is None."""

    unit: UnitState
    health: Answer | None = None
    served: tuple[str, ...] | None = None
    served_problem: str | None = None
    completion: Completion | None = None


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What the look means."""

    state: State
    message: str

    @property
    def serving(self) -> bool:
        """Whether the gate opens."""
        return self.state == "serving"

    @property
    def final(self) -> bool:
        """Whether waiting longer is of no use."""
        return self.serving or self.state in LOST


def judge_unit(unit: UnitState, restarts_before: int) -> Verdict | None:
    """What the unit alone tells; None where it is up and its server has to be asked.

    With ``Restart=`` a unit that cannot start never reads ``failed``: it goes to auto-restart and back to activating.
    Only its counter of restarts, and the sub-state in between, tell.
    """
    if unit.load_state != "loaded":
        return Verdict("absent", f"systemd does not know the unit (LoadState={unit.load_state})")
    if unit.active_state == "failed" or (unit.active_state == "deactivating" and unit.result != "success"):
        return Verdict("failed", f"the server has ended (Result={unit.result})")
    if unit.sub_state.startswith("auto-restart") or unit.n_restarts > restarts_before:
        more = unit.n_restarts - restarts_before
        times = f", restarted {more} times since" if more > 0 else ""
        return Verdict("looping", f"the server ends and is started again (Result={unit.result}{times})")
    if unit.active_state == "activating" or (unit.has_job and unit.active_state != "active"):
        return Verdict("starting", "systemd is starting the container")
    if unit.active_state != "active":
        return Verdict("stopped", f"the unit is {unit.active_state} (Result={unit.result})")
    return None


def judge(look: Look, wanted: t.Collection[str], restarts_before: int = 0) -> Verdict:
    """What one look at a server means, for a server that is to serve exactly the names in ``wanted``."""
    return judge_unit(look.unit, restarts_before) or _judge_server(look, set(wanted))


def _judge_server(look: Look, wanted: set[str]) -> Verdict:
    if look.health is None or look.health.status is None:
        problem = look.health.problem if look.health else "not asked"
        return Verdict("loading", f"the server does not answer yet ({problem})")
    if not look.health.good:
        return Verdict("unhealthy", f"/health answers {look.health.status}")
    if look.served is None:
        return Verdict("unhealthy", f"/v1/models brings no list: {look.served_problem}")
    if set(look.served) != wanted:
        return Verdict("wrong_model", f"it serves {_names(look.served)}, planned is {_names(wanted)}")
    done = look.completion
    if done is None or done.problem or done.tokens < 1:
        problem = done.problem if done and done.problem else "an empty answer"
        return Verdict("no_tokens", f"/health is good, but a request for tokens brings {problem}")
    return Verdict("serving", f"{done.tokens} tokens by {done.kind} in {done.seconds:.1f} s")


def _names(names: t.Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
