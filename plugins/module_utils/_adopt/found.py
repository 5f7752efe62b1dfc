"""What somebody runs: one type for a command line, a compose file's service, a unit and a running container."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.finding import Finding, Severity
from .._settings.secretive import shown_value

if t.TYPE_CHECKING:
    from collections.abc import Mapping

Tool = t.Literal["docker", "podman", "none"]


class UnreadableError(ValueError):
    """What was given holds no server that could be taken over; the message is for the operator."""


@dataclasses.dataclass(frozen=True)
class Option:
    """One option as ``podman run`` has it, by its long name; a switch has no value."""

    name: str
    value: str | None = None

    def text(self) -> str:
        """As it is written on a command line, without a secret."""
        return self.name if self.value is None else f"{self.name} {shown_value(self.name, self.value)}"


@dataclasses.dataclass(frozen=True)
class Found:
    """A server as `podman run` would be asked for it. ``tool`` is none for a process without a container.

    A variable of the environment is None where its value was to come from the shell. ``unresolved`` holds references
    (``$MODEL``) that nobody gave a value for; they stand in the values as they were written.
    """

    source: str
    tool: Tool
    image: str | None = None
    entrypoint: tuple[str, ...] | None = None
    command: tuple[str, ...] = ()
    env: Mapping[str, str | None] = dataclasses.field(default_factory=dict)
    options: tuple[Option, ...] = ()
    name: str | None = None
    taken: tuple[str, ...] = ()  # names that a new container or unit cannot have beside it
    unresolved: tuple[str, ...] = ()
    version: str | None = None  # the release that it said itself
    findings: tuple[Finding, ...] = ()

    def values(self, *names: str) -> list[str]:
        """The values of options of these names, in order."""
        return [each.value for each in self.options if each.name in names and each.value is not None]

    def as_dict(self) -> dict[str, t.Any]:
        """Plain data, to be handed from a host to the control node."""
        return dataclasses.asdict(self)


def found_from(data: Mapping[str, t.Any]) -> Found:
    """The same, back again."""
    given = dict(data)
    given["options"] = tuple(Option(**each) for each in given.get("options") or ())
    given["findings"] = tuple(Finding(**each) for each in given.get("findings") or ())
    for name in ("entrypoint", "command", "taken", "unresolved"):
        value = given.get(name)
        given[name] = None if value is None else tuple(str(each) for each in value)
    return Found(**given)


@dataclasses.dataclass(frozen=True)
class Secret:
    """A value that is left out: the variable that carries it, the key it gets, and where it stood."""

    variable: str
    key: str
    place: str
    value: str | None = dataclasses.field(default=None, repr=False)  # only to tell two of them apart


def said(severity: Severity, code: str, message: str, fix: str | None = None, **place: t.Any) -> Finding:
    """One thing to say about the taking over."""
    return Finding(severity, "plan", code, message, fix, **place)


def otherwise(message: str, setting: str | None = None) -> Finding:
    """Something that the contract says in another way."""
    return said("info", "adopted_otherwise", message, setting=setting)


def dropped(message: str, fix: str | None = None) -> Finding:
    """Something that is not needed here, and why."""
    return said("info", "adoption_drops", message, fix)


def lost(message: str, fix: str | None = None, setting: str | None = None) -> Finding:
    """Something that may matter, and has no place."""
    return said("warning", "adoption_loses", message, fix, setting=setting)


def guessed(message: str, fix: str | None = None, setting: str | None = None) -> Finding:
    """Something that was assumed."""
    return said("warning", "adoption_guesses", message, fix, setting=setting)
