"""What every reader of a value shares: what it answers, and how a text is read."""

from __future__ import annotations

import dataclasses
import typing as t

from .schema import Key
from .tree import Node
from .words import kind_of


@dataclasses.dataclass(frozen=True)
class Problem:
    """What is wrong with a value; ``setting``, ``value`` and ``origin`` where it is only a part of the key's."""

    code: str
    message: str
    fix: str
    setting: str | None = None
    value: t.Any = None
    origin: str | None = None


Reading = tuple[t.Any, list[Problem]]


def bad(message: str, fix: str, code: str = "bad_value", **part: t.Any) -> Reading:
    """A value that cannot be what it is meant to be."""
    return None, [Problem(code, message, fix, **part)]


def quote(key: Key, value: t.Any, why: str = "YAML reads it as a number") -> Reading:
    """A number or boolean where a text is meant: YAML made it."""
    return bad(
        f"{key.path} is {kind_of(value)}, not a text: {why}", f'quote it: {key.path}: "{value}"', "not_text"
    )


def read_text(key: Key, place: Node) -> Reading:
    """A text without blanks around it."""
    value = place.value
    if isinstance(value, bool):
        return quote(key, str(value).lower(), "YAML reads it as a boolean")
    if isinstance(value, (int, float)):
        return quote(key, value)
    if not isinstance(value, str):
        return bad(
            f"{key.path} must be a text, not {kind_of(value)}", f"{key.path}: {key.example}", "bad_type"
        )
    if not value.strip() or value != value.strip() or not value.isprintable():
        return bad(f"{key.path} is empty, or has blanks around it", f"{key.path}: {key.example}")
    return value, []


def is_number(value: t.Any, kind: type) -> bool:
    """Whether it is a number of this kind; a boolean is none."""
    return isinstance(value, kind) and not isinstance(value, bool)
