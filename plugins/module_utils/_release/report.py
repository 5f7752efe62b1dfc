"""What a run came to, as data: one shape for the terminal, the files and whoever reads them with a program."""

from __future__ import annotations

import typing as t

from .._diagnosis.diagnose import UNKNOWN, diagnose
from .._settings.secretive import shown_value
from .outcome import HostOutcome

SCHEMA = 1
Data = dict[str, t.Any]

# What was done with an instance; ``undone``: the new release failed, and the one before it was started again;
# ``not_begun``: something else failed before its turn.
DONE = (
    "unchanged",
    "started",
    "released",
    "rolled_back",
    "removed",
    "undone",
    "failed",
    "not_begun",
)
_ACTIONS = {
    "none": "unchanged",
    "start": "started",
    "release": "released",
    "remove": "removed",
    "roll_back": "rolled_back",
}
_RELEASE = ("release", "image", "image_identity", "vllm_version")
_GENERATING = ("completion", "chat")  # others answer with a vector or a score, not with tokens


def build_report(outcomes: t.Sequence[HostOutcome], check_mode: bool = False, **about: t.Any) -> Data:
    """The whole report. ``about`` says of the run what the outcomes do not: its fleet, when it ended."""
    hosts = [_host(outcome) for outcome in outcomes]
    problems = [_problem(outcome.host, problem) for outcome in outcomes for problem in outcome.problems]
    return {
        "schema": SCHEMA,
        **about,
        "check_mode": check_mode,
        "result": "failed" if problems else "predicted" if check_mode else "good",
        "counts": _counts(hosts),
        "hosts": hosts,
        "problems": problems,
    }


def summary(report: Data) -> Data:
    """The report in little, for what outlives the files: statistics of a run, artefacts of a job."""
    kept = ("host", "instance", "done", "seconds_without_service", "tokens_per_second")
    instances = [
        {
            **{key: {"host": host["host"], **each}[key] for key in kept},
            "before": each["before"],
            "after": each["after"],
            "failure_class": (each["diagnosis"] or {}).get("failure_class"),
        }
        for host in report["hosts"]
        for each in host["instances"]
    ]
    also = {key: report[key] for key in ("schema", "check_mode", "result", "counts", "problems")}
    return {**also, "instances": instances}


def _problem(host: str, message: str) -> Data:
    """With what is known of such messages, where the message does not say it itself: pulling tells no cause."""
    found = diagnose(message) if "Cause: " not in message else None
    known = found is not None and found.failure_class != UNKNOWN
    return {"host": host, "message": message, "diagnosis": found.as_dict() if found and known else None}


def _host(outcome: HostOutcome) -> Data:
    instances = [_instance(name, noted) for name, noted in sorted(outcome.instances.items())]
    state = "reached"
    if not instances:
        state = "left_out" if outcome.problem else "held_back" if outcome.held else "untouched"
    return {
        "host": outcome.host,
        "state": state,
        "problem": outcome.problem or None,
        "held": outcome.held or None,
        "instances": instances,
    }


def _instance(name: str, noted: t.Mapping[str, t.Any]) -> Data:
    shown = noted.get("instance") or {}
    gate = noted.get("gate") or {}
    answer = gate.get("answer") or {}
    return {
        "instance": name,
        "done": _done(noted),
        "reason": noted.get("reason") or None,
        "endpoint": shown.get("endpoint"),
        "model": shown.get("model"),
        "before": _release(noted.get("from")),
        "after": _release({**shown, "vllm_version": gate.get("vllm_version")}),
        "changes": [_change(change) for change in noted.get("changes") or ()],
        "pending": bool(noted.get("pending")),
        "problem": noted.get("problem") or None,
        "gate": {"state": gate.get("state"), "message": gate.get("message"), "answer": answer or None},
        "tokens_per_second": _tokens_per_second(answer),
        "seconds_until_ready": gate.get("seconds_until_ready"),
        "seconds_without_service": _without_service(gate, noted.get("undone")),
        "diagnosis": gate.get("diagnosis") or None,
        "undone": noted.get("undone") or None,
        "steps": [str(step) for step in noted.get("actions") or ()],
    }


def _release(found: t.Mapping[str, t.Any] | None) -> Data | None:
    return {key: found.get(key) for key in _RELEASE} if found else None


def _change(change: t.Mapping[str, t.Any]) -> Data:
    """What stands below ``secrets`` are names of Podman secrets, which tell that a value is another one."""
    what = str(change.get("what"))
    values = {key: change.get(key) for key in ("before", "after")}
    if not what.startswith("secrets."):
        values = {key: shown_value(what, value) for key, value in values.items()}
    return {"what": what, **values}


def _done(noted: t.Mapping[str, t.Any]) -> str:
    undone = noted.get("undone") or {}
    if noted.get("problem"):
        if undone.get("serving"):
            return "undone"
        touched = noted.get("actions") or (noted.get("gate") or {}).get("state")
        return "failed" if touched else "not_begun"
    return _ACTIONS[noted["action"]]


def _tokens_per_second(answer: t.Mapping[str, t.Any]) -> float | None:
    """Of the gate's one short request: it tells a slow server from a broken one, and is no benchmark."""
    if answer.get("kind") not in _GENERATING or not answer.get("seconds") or not answer.get("tokens"):
        return None
    return round(float(answer["tokens"]) / float(answer["seconds"]), 1)


def _without_service(gate: t.Mapping[str, t.Any], undone: t.Mapping[str, t.Any] | None) -> float | None:
    """What the users of a server waited; where a release was undone, until the old one served again."""
    found = (undone or {}).get("seconds_without_service")
    return found if found is not None else gate.get("seconds_without_service")


def _counts(hosts: t.Sequence[Data]) -> Data:
    """How many instances came to what, and how many hosts were not touched."""
    done = [each["done"] for host in hosts for each in host["instances"]]
    states = [host["state"] for host in hosts]
    return {
        "hosts": len(hosts),
        "instances": len(done),
        **{word: done.count(word) for word in DONE},
        **{word: states.count(word) for word in ("left_out", "held_back")},
    }
