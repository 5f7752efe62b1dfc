"""The gates of all instances of a host after its releases were decided: one outcome for each of them."""

from __future__ import annotations

import typing as t

from .server_gate import evidence, gate, told

if t.TYPE_CHECKING:
    from .progress import Progress
    from .transaction import Execute, Follower

Outcome = dict[str, t.Any]


def outcome_of_host(
    decisions: t.Sequence[t.Mapping[str, t.Any]],
    instances: t.Mapping[str, t.Mapping[str, t.Any]],
    follower: Follower | None,
    execute: Execute,
    progress: Progress,
    serving: t.Mapping[str, dict[str, t.Any]],
) -> dict[str, Outcome]:
    """By instance what ``vllm_server_outcome`` holds; ``follower`` is None where nothing was begun.

    What nothing was to be done with is gated as well: that it runs does not say that it serves. ``serving`` is what was
    seen a moment ago of those that do.
    """
    state = follower.to_its_end() if follower else {"members": {}, "ended": True, "problem": ""}
    found = {}
    for decision in decisions:
        name = decision["name"]
        planned = instances.get(name)
        noted = {**_noted(decision, planned), **_kept(state["members"].get(name) or {})}
        if decision["action"] == "none":
            if planned and planned["state"] == "present":
                noted.update(_gated(planned, execute, progress, serving.get(name)))
        elif follower:
            noted["problem"] = _problem(name, noted, state)
        found[name] = noted
    return found


def _noted(decision: t.Mapping[str, t.Any], planned: t.Mapping[str, t.Any] | None) -> Outcome:
    shown = planned if planned and planned["state"] == "present" else {}
    return {
        "instance": {
            "endpoint": shown.get("url"),
            "model": shown.get("model"),
            "image": shown.get("image"),
            "image_identity": shown.get("image_identity"),
            "release": decision.get("release"),
        },
        "action": decision["action"],
        "reason": decision["reason"],
        "changes": decision["changes"],
        "pending": decision["pending"],
        "from": None,
        "problem": "",
        "gate": {},
        "undone": None,
        "actions": [],
    }


def _kept(member: t.Mapping[str, t.Any]) -> Outcome:
    """What the transaction noted; the log went into the problem."""
    kept = ("action", "instance", "from", "problem", "gate", "undone", "actions")
    return {key: member[key] for key in kept if key in member}


def _gated(
    planned: t.Mapping[str, t.Any], execute: Execute, progress: Progress, known: dict[str, t.Any] | None
) -> Outcome:
    args = {"name": planned["name"], **planned["gate"]}
    seen = told(args, known) if known else gate(execute, args, progress)
    return {"gate": seen, "problem": seen.get("msg", "") if seen.get("failed") else ""}


def _problem(name: str, noted: Outcome, state: t.Mapping[str, t.Any]) -> str:
    """Everything that an operator should read of it, or nothing."""
    if state.get("lost"):
        return (
            f"{name}: the host was lost during its release, in the step {state['step']} ({state['message']}):"
            f" {state['lost']}. It goes on by itself there, to acceptance or back; the next run tells how it ended"
        )
    own = str(noted["problem"] or "")
    if not own:
        not_begun = state["problem"] and not noted["actions"]
        return f"{name}: not begun, because of {state['problem']}" if not_begun else _others(name, state)
    own = own if own.startswith(f"{name}:") else f"{name}: {own}"
    return own + evidence(noted["gate"]) + _undone(noted)


def _others(name: str, state: t.Mapping[str, t.Any]) -> str:
    """An instance that was let alone and lost all the same is told once, with the first that was worked on."""
    first = next(iter(state["members"]), None)
    lost = ", ".join(state.get("others") or ())
    return f"{lost} served before this release and does not any more" if lost and name == first else ""


def _undone(noted: Outcome) -> str:
    undone = noted["undone"]
    if undone is None:
        return (
            ""
            if noted["from"]
            else "\nThere was nothing to go back to: it is stopped, and not started at boot."
        )
    if undone["release"] is None:
        return f"\nUndone, and not proven: {undone['message']}."
    if undone["serving"]:
        gap = undone["seconds_without_service"]
        without = "" if gap is None else f", after {gap:g} s without service"
        return f"\nUndone: release {undone['release']} serves again{without}."
    return f"\nNOT undone: release {undone['release']} does not serve again: {undone['message']}." + evidence(
        undone
    )
