"""The gate of one server, polled from the control node by the module that probes it on its host."""

from __future__ import annotations

import time
import typing as t

from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure
from ansible.module_utils.common.text.converters import to_text

from .progress import Progress
from .transaction import Execute

# A probe watches on the host, so that a change is told at once and a quiet minute costs few connections.
_WATCH_SECONDS = 10
_PAUSE_AFTER_LOST_CONNECTION = 2
_ASKED = ("name", "url", "served_names", "kind")
_KEPT = ("state", "message", "serving", "vllm_version", "answer", "diagnosis")


def gate(execute: Execute, args: dict[str, t.Any], progress: Progress) -> dict[str, t.Any]:
    """What was seen of the server when its gate opened, or why it stays shut (``failed`` and ``msg``)."""
    return told(args, _wait(execute, args, progress))


def told(args: t.Mapping[str, t.Any], seen: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """What was seen of a server, as the result of its gate."""
    result = {"changed": False, **{key: seen.get(key) for key in _KEPT}}
    serving = seen["serving"]
    result["seconds_until_ready"] = _since(args.get("began_at"), seen) if serving else None
    result["seconds_without_service"] = _since(args.get("stopped_at"), seen) if serving else None
    if not serving:
        waited = "" if seen["final"] else f" after {args['timeout']:g} s"
        result.update(failed=True, msg=shut_text(args["name"], waited, seen))
    return result


def shut_text(name: str, waited: str, seen: t.Mapping[str, t.Any]) -> str:
    """Why a gate stays shut, with its diagnosis and the end of the log."""
    text = f"{name}: the gate stays shut{waited}: {seen['state']}: {seen['message']}."
    return text + evidence(seen)


def evidence(seen: t.Mapping[str, t.Any]) -> str:
    """Cause and fix where they are known, and the last lines of the log."""
    diagnosis = seen.get("diagnosis") or {}
    cause = f"\nCause: {diagnosis['cause']}\nFix: {diagnosis['remedy']}" if diagnosis.get("remedy") else ""
    log = "".join(f"\n  {line}" for line in seen.get("log") or ())
    told = f"\nIts last {len(seen['log'])} log lines:{log}" if log else ""
    return cause + told


def _wait(execute: Execute, args: dict[str, t.Any], progress: Progress) -> dict[str, t.Any]:
    """The last thing seen of the server, when that is final or the time is over."""
    until = time.monotonic() + args["timeout"]
    restarts = args.get("restarts")
    if restarts is None and args.get("began_at") is not None:
        restarts = 0  # a start on purpose begins to count anew
    seen: dict[str, t.Any] = {
        "state": "unseen",
        "message": "it was never looked at",
        "restarts": restarts,
        "final": False,
        "serving": False,
        "log": [],
    }
    while True:
        watch = max(0.0, min(_WATCH_SECONDS, until - time.monotonic()))
        seen = _look(execute, args, seen, watch)
        if not seen["serving"]:
            progress.news(f"{seen['state']}: {seen['message']}")
        if seen["final"] or time.monotonic() >= until:
            return seen
        if seen["state"] == "out of reach":
            time.sleep(_PAUSE_AFTER_LOST_CONNECTION)


def _look(
    execute: Execute, args: dict[str, t.Any], before: dict[str, t.Any], watch: float
) -> dict[str, t.Any]:
    probe = {key: args[key] for key in _ASKED if key in args}
    probe.update(known_state=before["state"], watch=watch, restarts=before["restarts"])
    try:
        seen = execute("vllm_probe", probe)
    except AnsibleConnectionFailure as error:
        seen = {"unreachable": True, "msg": to_text(error)}
    if seen.get("unreachable"):
        lost = {"state": "out of reach", "message": str(seen.get("msg")), "final": False, "serving": False}
        return {**before, **lost}
    if seen.get("failed"):
        raise AnsibleActionFail(seen.get("msg", "the probe failed"), result=seen)
    return seen


def _since(moment: float | None, seen: t.Mapping[str, t.Any]) -> float | None:
    """Seconds on the host's monotonic clock; None where there is no such moment."""
    return None if moment is None else round(seen["seen_at"] - moment, 1)
