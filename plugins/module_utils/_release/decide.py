"""What is to be done with each instance of a host, told from the plan and from what the host has."""

from __future__ import annotations

import dataclasses
import typing as t

from .changes import Change, changes

if t.TYPE_CHECKING:
    from .records import Record

Action = t.Literal["none", "start", "release", "remove"]


@dataclasses.dataclass(frozen=True)
class Wanted:
    """An instance as the bound plan has it; what is only known after fetching is None."""

    name: str
    state: str  # present, absent
    intent: t.Mapping[str, t.Any] | None = None
    intent_hash: str | None = None
    unit_text: str | None = None


@dataclasses.dataclass(frozen=True)
class Found:
    """An instance as the host has it."""

    name: str
    record: Record | None = None  # of the accepted release
    record_text: str | None = None  # its unit, as it was accepted
    unit_text: str | None = None  # its unit, as it stands where systemd reads it
    has_state: bool = False  # whether there is anything of it at all
    is_active: bool = False


@dataclasses.dataclass(frozen=True)
class Decision:
    """What is to be done with an instance, and why."""

    name: str
    action: Action
    reason: str
    changes: tuple[Change, ...] = ()
    pending: bool = False  # another text with the same intent waits for the next release


def decide(wanted: Wanted, found: Found, apply_pending: bool = False) -> Decision:
    """Only another intent is another release; a text that a newer renderer wrote otherwise restarts nobody."""
    name = wanted.name
    if wanted.state == "absent":
        there = found.has_state or found.unit_text is not None
        return (
            Decision(name, "remove", "the plan says absent")
            if there
            else Decision(name, "none", "it is absent")
        )
    if found.record is None:
        why = "it is new here" if found.unit_text is None else "its unit has no record of its release"
        return Decision(name, "release", why)
    if wanted.intent is None:
        return Decision(name, "release", "its image or a secret is only known after fetching")
    if wanted.intent_hash != found.record.intent_hash:
        differ = tuple(changes(dict(found.record.intent), dict(wanted.intent)))
        return Decision(name, "release", _in_words(differ), differ)
    return _same_intent(wanted, found, apply_pending)


def _same_intent(wanted: Wanted, found: Found, apply_pending: bool) -> Decision:
    name = wanted.name
    if found.unit_text is None:
        return Decision(name, "release", "its unit file is gone")
    if found.unit_text != found.record_text:
        return Decision(name, "release", "its unit file was changed by hand")
    pending = wanted.unit_text is not None and wanted.unit_text != found.unit_text
    if pending and apply_pending:
        return Decision(name, "release", "vllm_apply_pending: its unit text is of an earlier renderer")
    if not found.is_active:
        return Decision(name, "start", "its server does not run", pending=pending)
    return Decision(name, "none", "it runs as planned", pending=pending)


def _in_words(differ: t.Sequence[Change]) -> str:
    return "changed: " + ", ".join(change.what for change in differ)
