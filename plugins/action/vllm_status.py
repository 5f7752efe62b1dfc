"""Compares what hosts run with what is planned for them; documented in plugins/modules/vllm_status.py."""

from __future__ import annotations

import hashlib
import pathlib
import typing as t

from ansible.utils.display import Display

from ..module_utils._release.drift_host import HostLook
from ..module_utils._release.status import build_status, status_text, to_json
from ..plugin_utils.controller_action import FleetAction
from ..plugin_utils.plain import to_plain
from ..plugin_utils.terminal import width

display = Display()
Data = dict[str, t.Any]


class ActionModule(FleetAction):
    ARGUMENTS: t.ClassVar[Data] = {
        "inventory": {"type": "str", "required": True},
        "plan": {"type": "str", "required": True},
        "reality": {"type": "str", "required": True},
        "problem": {"type": "str", "required": True},
        "file": {"type": "str"},
    }

    def answer(self, variables: Data) -> Data:
        args = self.options()
        hostvars = variables["hostvars"]
        names = [args[name] for name in ("inventory", "plan", "reality", "problem")]
        looks = [
            look_of(host, *(to_plain(hostvars[host].get(name)) for name in names)) for host in args["hosts"]
        ]
        status = build_status(looks)
        # Not left to the callback: many of them would show the table as one line of JSON.
        display.display(status_text(status, width()))
        problem = _write(args["file"], to_json(status)) if args["file"] else None
        if problem:
            return {"failed": True, "msg": problem, "status": status}
        return {"status": status, "msg": _said(status)}


def look_of(
    host: str, inventory: Data | None, plan: Data | None, reality: Data | None, problem: str | None
) -> HostLook:
    """A host out of what its tasks registered; what is not there was not reached."""
    reality = reality or {}
    known = _planned((inventory or {}).get("instances") or {})
    if reality.get("unreachable"):
        return HostLook(host, known, unreachable=_words(reality.get("msg")))
    if reality.get("reality") is None:
        return HostLook(host, known, problem=str(problem or reality.get("msg") or "it was not looked at"))
    plan = plan or {}
    return HostLook(host, _planned(plan.get("instances") or {}), reality["reality"], invalid=_invalid(plan))


def _words(message: t.Any) -> str:
    """Why a host did not answer, without what ansible-core 2.19 says before every message."""
    text = str(message or "it does not answer")
    return text[len("Task failed: ") :] if text.startswith("Task failed: ") else text


def _invalid(plan: Data) -> str:
    if plan.get("valid"):
        return ""
    errors = [str(each["message"]) for each in plan.get("findings") or () if each["severity"] == "error"]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return errors[0] + more if errors else str(plan.get("msg") or "it was not planned")


def _planned(instances: Data) -> dict[str, Data]:
    """The planned instances; of the unit's text its hash is enough."""
    return {name: {**each, "unit_sha256": _hash(each.get("unit_text"))} for name, each in instances.items()}


def _hash(text: str | None) -> str | None:
    return None if text is None else hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _write(path: str, text: str) -> str | None:
    """Write the file on the control node; why that is not possible, else None."""
    try:
        pathlib.Path(path).expanduser().write_text(text, encoding="utf-8")
    except OSError as problem:
        return f"vllm_status_file: {path} cannot be written: {problem.strerror}"
    return None


def _said(status: Data) -> str:
    counts = status["counts"]
    return f"{counts['failures']} failures and {counts['drifts']} drifts on {counts['hosts']} hosts"
