"""What a parser of a release made of a command line."""

from __future__ import annotations

import dataclasses
import typing as t

if t.TYPE_CHECKING:
    from .problem import Problem


@dataclasses.dataclass
class Parsed:
    """What came out: values of what was given, what was refused, and words that no option of the table explains."""

    values: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    problems: list[Problem] = dataclasses.field(default_factory=list)
    remarks: list[Problem] = dataclasses.field(default_factory=list)  # taken, but not what it looks like
    model: str | None = None
    order: list[tuple[str, str]] = dataclasses.field(default_factory=list)  # dest and name, repeats included
    unknown: list[tuple[str, list[str]]] = dataclasses.field(
        default_factory=list
    )  # unknown options with their words
    dotted: dict[str, t.Any] = dataclasses.field(default_factory=dict)  # what was written with dots

    @property
    def ok(self) -> bool:
        """Whether the release's parser would take the command line."""
        return not self.problems
