"""Several servers of one host on their way to their first token, side by side."""

from __future__ import annotations

import dataclasses
import time
import typing as t

from .gate import Watcher, diagnosis, probe_of

if t.TYPE_CHECKING:
    from .command import Run

_POLL_SECONDS = 0.25
_DEFAULT_HOLD = 5.0
_REQUEST_SECONDS = 30.0


def watch(
    run: Run,
    gates: t.Sequence[tuple[str, t.Mapping[str, t.Any]]],
    tell: t.Callable[[str], object],
    restarts: int | None = 0,
) -> t.Iterator[tuple[str, Watcher]]:
    """Each instance, as soon as its gate is open or stays shut. ``tell`` is called whenever something is new.

    ``restarts`` is None for servers that may have gone on all the time: restarts of their past do not count.
    """
    waiting = [(name, _watcher(run, name, gate, restarts)) for name, gate in gates]
    told = ""
    while waiting:
        for _name, watcher in waiting:
            watcher.step()
        text = "; ".join(f"{name}: {_how_far(watcher)}" for name, watcher in waiting)
        if text != told:
            told = text
            tell(text)
        done = [each for each in waiting if each[1].opened or each[1].shut]
        waiting = [each for each in waiting if each not in done]
        yield from done
        if waiting:
            time.sleep(_POLL_SECONDS)


def _watcher(run: Run, name: str, gate: t.Mapping[str, t.Any], restarts: int | None) -> Watcher:
    """A request that hangs must not hold up the gate's own limit."""
    timeout, hold = float(gate["timeout"]), float(gate.get("hold", _DEFAULT_HOLD))
    probe = probe_of(run, name, gate, min(_REQUEST_SECONDS, timeout))
    return Watcher(dataclasses.replace(probe, restarts=restarts), timeout, hold)


def seen(run: Run, watcher: Watcher, began: float, stopped_at: float | None) -> dict[str, t.Any]:
    """What the gate has seen of a server, for the report. Moments are of the monotonic clock."""
    completion = watcher.look.completion if watcher.look else None
    ready = watcher.ready_at
    found: dict[str, t.Any] = {
        "state": watcher.verdict.state,
        "message": watcher.verdict.message,
        "vllm_version": watcher.probe.server.version() if watcher.verdict.serving else None,
        "answer": dataclasses.asdict(completion) if completion else None,
        "seconds_until_ready": None if ready is None else round(ready - began, 1),
        "seconds_without_service": None
        if ready is None or stopped_at is None
        else round(ready - stopped_at, 1),
        "diagnosis": None,
        "log": [],
    }
    if watcher.shut:
        cause, log = diagnosis(run, watcher.probe.service)
        found.update(diagnosis=cause, log=log)
    return found


def _how_far(watcher: Watcher) -> str:
    if watcher.ready_at is not None and watcher.verdict.serving:
        return "serves, and has to go on"
    return f"{watcher.verdict.state}: {watcher.message}"
