"""Following, from the control node, a transaction that a host works on by itself."""

from __future__ import annotations

import time
import typing as t

from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure
from ansible.module_utils.common.text.converters import to_text

from ..module_utils._host.release_program import unit_of
from .progress import Progress

_WATCH_SECONDS = 10
_PAUSE_AFTER_LOST_CONNECTION = 2
# systemd starts a program that died again within a second; after this it is started from here.
_SECONDS_FOR_DEAD = 5
_MOST_WAKES = 5

# Runs a module of this collection on the host of the task: name, arguments.
Execute = t.Callable[[str, dict[str, t.Any]], dict[str, t.Any]]
# Looks at servers from the control node: gates by instance, to (serves, name of who does not, message).
LookFromHere = t.Callable[[dict[str, t.Any]], tuple[bool, str, str]]


class Follower:
    """One transaction on one host. Losing the host does not end it: it goes on there."""

    def __init__(
        self,
        execute: Execute,
        place: dict[str, t.Any],
        progress: Progress,
        lost_seconds: float,
        look_from_here: LookFromHere | None = None,
    ) -> None:
        """``place`` holds ``id`` and ``state_dir``; a host that is out of reach for ``lost_seconds`` is given up."""
        self._execute, self._place, self._progress = execute, place, progress
        self._lost_seconds, self._look_from_here = lost_seconds, look_from_here
        self._seen_at = time.monotonic()
        self._dead_since: float | None = None
        self._lost = ""
        self._woken = 0
        self._spoke_of: set[int] = set()

    def to_its_end(self) -> dict[str, t.Any]:
        """The last state; ``lost`` in it says why it is not the end."""
        state: dict[str, t.Any] = {"serial": -1, "step": "begin", "message": "", "members": {}, "problem": ""}
        while True:
            seen = self._look(state["serial"])
            if seen is None:
                if time.monotonic() - self._seen_at > self._lost_seconds:
                    return {**state, "ended": False, "lost": self._lost}
                time.sleep(_PAUSE_AFTER_LOST_CONNECTION)
                continue
            if not seen["found"]:
                return {**state, "ended": False, "lost": f"the host knows no transaction {self._place['id']}"}
            state = seen
            if state["ended"]:
                return state
            self._progress.news(f"{state['step']}: {state['message']}")
            self._look_after(state)
            if self._woken > _MOST_WAKES:
                unit = unit_of(self._place["id"])
                lost = f"its program dies again and again (journalctl -u {unit})"
                return {**state, "ended": False, "lost": lost}

    def _look(self, known: int) -> dict[str, t.Any] | None:
        """The state, or None where the host cannot be asked."""
        return self._ask({"known": known, "watch": _WATCH_SECONDS})

    def _ask(self, asked: dict[str, t.Any]) -> dict[str, t.Any] | None:
        """What the host answers; None where it is out of reach, which ends nothing there."""
        try:
            seen = self._execute("vllm_transaction", {**self._place, **asked})
        except AnsibleConnectionFailure as error:
            seen = {"unreachable": True, "msg": to_text(error)}
        if seen.get("unreachable"):
            self._lost = str(seen.get("msg", "it cannot be reached"))
            self._progress.news(f"out of reach, and goes on by itself: {self._lost}")
            return None
        if seen.get("failed"):
            raise AnsibleActionFail(str(seen.get("msg", "the transaction cannot be read")), result=seen)
        self._seen_at = time.monotonic()
        return seen

    def _look_after(self, state: dict[str, t.Any]) -> None:
        """Give the control node's word where it is waited for, and wake a program that died."""
        if state["running"]:
            self._dead_since = None
        elif self._dead_since is None:
            self._dead_since = time.monotonic()
        elif time.monotonic() - self._dead_since > _SECONDS_FOR_DEAD:
            self._dead_since = None
            self._wake()
        if not state["running"]:
            time.sleep(1)
        if state["awaits_controller"] and state["transition"] not in self._spoke_of:
            self._speak(state)

    def _wake(self) -> None:
        """Start the program of the transaction again; who dies whenever it is started is given up."""
        self._woken += 1
        if self._woken <= _MOST_WAKES:
            self._ask({"resume": True})

    def _speak(self, state: dict[str, t.Any]) -> None:
        if self._look_from_here is None:
            return
        serves, name, message = self._look_from_here(state["watched"])
        word = {"transition": state["transition"], "serving": serves, "instance": name, "said": message}
        if self._ask(word) is not None:  # else it is said again
            self._spoke_of.add(state["transition"])
