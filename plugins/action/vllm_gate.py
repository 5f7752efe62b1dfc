"""Waits, from the controller, until a server on a host shows real tokens, and says how it goes."""

from __future__ import annotations

import time
import typing as t

from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure
from ansible.module_utils.common.text.converters import to_text
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ..plugin_utils.plain import to_plain

display = Display()

# A probe watches on the host, so that a change is told at once and a quiet minute costs few connections.
_WATCH_SECONDS = 10
_PAUSE_AFTER_LOST_CONNECTION = 2
_SECONDS_BETWEEN_LINES = 10


class Progress:
    """Lines on standard error: when the state changes, and not more than one in ten seconds for a host."""

    def __init__(self, host: str, name: str) -> None:
        self._who = f"{host} {name}"
        self._began = time.monotonic()
        self._told_state: str | None = None
        self._told_at = float("-inf")

    def tell(self, state: str, message: str) -> None:
        now = time.monotonic()
        if state == self._told_state or now - self._told_at < _SECONDS_BETWEEN_LINES:
            return
        self._told_state, self._told_at = state, now
        display.display(f"{self._who}: {state} after {now - self._began:.0f} s: {message}", stderr=True)


class ActionModule(ActionBase):
    _supports_check_mode = True
    TRANSFERS_FILES = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(
            argument_spec={
                "name": {"type": "str", "required": True},
                "url": {"type": "str", "required": True},
                "served_names": {"type": "list", "elements": "str", "required": True},
                "kind": {"type": "str", "default": "auto"},
                "timeout": {"type": "float", "default": 1200},
                "restarts": {"type": "int", "default": 0},
                "began_at": {"type": "float"},
                "stopped_at": {"type": "float"},
            },
        )
        args = to_plain(args)
        host = (task_vars or {}).get("inventory_hostname", "host")
        if self._play_context.check_mode and args["began_at"] is not None:
            return {"changed": False, "skipped": True, "msg": "not asked in check mode: nothing was started"}
        seen = self._wait(args, Progress(host, args["name"]), task_vars)
        return _result(args, seen)

    def _wait(self, args: dict[str, t.Any], progress: Progress, task_vars: t.Any) -> dict[str, t.Any]:
        """The last thing seen of the server, when that is final or the time is over."""
        until = time.monotonic() + args["timeout"]
        seen = {
            "state": "unseen",
            "message": "it was never looked at",
            "final": False,
            "serving": False,
            "log": [],
        }
        while True:
            watch = max(0.0, min(_WATCH_SECONDS, until - time.monotonic()))
            seen = self._look(args, seen, watch, task_vars)
            if not seen["serving"]:
                progress.tell(seen["state"], seen["message"])
            if seen["final"] or time.monotonic() >= until:
                return seen
            if seen["state"] == "out of reach":
                time.sleep(_PAUSE_AFTER_LOST_CONNECTION)

    def _look(
        self, args: t.Any, before: dict[str, t.Any], watch: float, task_vars: t.Any
    ) -> dict[str, t.Any]:
        probe = {key: args[key] for key in ("name", "url", "served_names", "kind", "restarts")}
        probe.update(known_state=before["state"], watch=watch)
        try:
            seen = self._execute_module(
                module_name="gpuops.vllm_fleet.vllm_probe", module_args=probe, task_vars=task_vars
            )
        except AnsibleConnectionFailure as error:
            return {
                **before,
                "state": "out of reach",
                "message": to_text(error),
                "final": False,
                "serving": False,
            }
        if seen.get("failed"):
            raise AnsibleActionFail(seen.get("msg", "the probe failed"), result=seen)
        return seen


def _result(args: dict[str, t.Any], seen: dict[str, t.Any]) -> dict[str, t.Any]:
    kept = ("state", "message", "serving", "vllm_version", "answer", "diagnosis")
    result = {"changed": False, **{key: seen.get(key) for key in kept}}
    serving = seen["serving"]
    result["seconds_until_ready"] = _since(args["began_at"], seen) if serving else None
    result["seconds_without_service"] = _since(args["stopped_at"], seen) if serving else None
    if not serving:
        result["failed"] = True
        result["msg"] = _shut(args, seen)
    return result


def _since(moment: float | None, seen: dict[str, t.Any]) -> float | None:
    """Seconds on the host's monotonic clock; None where there is no such moment."""
    return None if moment is None else round(seen["seen_at"] - moment, 1)


def _shut(args: dict[str, t.Any], seen: dict[str, t.Any]) -> str:
    waited = "" if seen["final"] else f" after {args['timeout']:g} s"
    diagnosis = seen.get("diagnosis") or {}
    cause = f"\nCause: {diagnosis['cause']}\nFix: {diagnosis['remedy']}" if diagnosis.get("remedy") else ""
    log = "".join(f"\n  {line}" for line in seen["log"])
    told = f"\nIts last {len(seen['log'])} log lines:{log}" if log else ""
    return f"{args['name']}: the gate stays shut{waited}: {seen['state']}: {seen['message']}.{cause}{told}"
