"""Which servers whoever sends them requests has to know of: those that are about to stop, and those that serve again."""

from __future__ import annotations

import typing as t

Decisions = t.Iterable[t.Mapping[str, t.Any]]  # with name, action, and the release that is accepted now
Outcome = t.Mapping[str, t.Mapping[str, t.Any]]  # by name, as vllm_gate leaves it


def about_to_stop(decisions: Decisions) -> list[str]:
    """The servers that have served, and that are to be replaced or removed."""
    return [
        each["name"] for each in decisions if each["action"] in ("release", "remove") and each.get("release")
    ]


def back_in_service(outcome: Outcome, drained: t.Iterable[str]) -> list[str]:
    """What serves after its release, serves again after an undo, or serves on because nothing was done with it."""
    released = [name for name, noted in outcome.items() if noted.get("action") in ("release", "start")]
    serving = [name for name in released if _serves(outcome[name])]
    return serving + [name for name in drained if name in outcome and _was_refused(outcome[name])]


def _serves(noted: t.Mapping[str, t.Any]) -> bool:
    return not noted.get("problem") or bool((noted.get("undone") or {}).get("serving"))


def _was_refused(noted: t.Mapping[str, t.Any]) -> bool:
    """Whether it is as it was: there is a problem, and nothing was begun."""
    return bool(noted.get("problem")) and not noted.get("actions") and not noted.get("undone")
