"""What a signature is: a pattern in a log with its cause and its remedy."""

from __future__ import annotations

import dataclasses
import functools
import re
import typing as t

from .literals import words_of

Values = t.Mapping[str, str]
# Either a template that takes the pattern's named groups, or a function of them whose docstring says it in general.
Text = t.Union[str, t.Callable[[Values], str]]

# How much a line explains. ``cause``: why the server did not start. ``general``: the same, but another line usually
# says more. ``symptom``: the server died here, and this is all that is known. ``hint``: worth naming when nothing
# else is found; healthy servers may print it too.
Kind = t.Literal["cause", "general", "symptom", "hint"]
KINDS: tuple[Kind, ...] = ("cause", "general", "symptom", "hint")

# How far a start had come when a line was written; "" is before the weights.
Phase = t.Literal["", "loading", "drafting", "profiling", "warming", "serving"]
STARTING: tuple[Phase, ...] = ("", "loading", "drafting", "profiling", "warming")


@dataclasses.dataclass(frozen=True)
class Signature:
    """One way to fail, in every wording that is known."""

    failure_class: str
    patterns: tuple[str, ...]
    cause: Text
    remedy: Text
    kind: Kind = "cause"
    phases: tuple[Phase, ...] = ()  # only while the start was there; empty: anywhere
    only_last: bool = False  # only where the log ends with it
    raised_in: str = ""  # only for errors that such a file raised; empty: any line

    @property
    def is_fatal(self) -> bool:
        """Whether a server that wrote this will not come up."""
        return self.kind != "hint"

    def values_in(self, text: str) -> Values | None:
        """The named parts of the first pattern that is found in the text, None where none is."""
        for pattern in self.patterns:
            words = words_of(pattern)
            if words and not any(word in text for word in words):
                continue
            found = compiled(pattern).search(text)
            if found:
                return {name: value for name, value in found.groupdict().items() if value}
        return None


@functools.cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once."""
    return re.compile(pattern)


def filled(text: Text, values: Values) -> str:
    """The text with the values of a line; in general terms where the line does not tell enough."""
    if not callable(text):
        return text.format_map(_Told(values))
    try:
        return text(values)
    except (KeyError, ValueError, ArithmeticError):
        return in_general(text)


def in_general(text: Text) -> str:
    """The text for a document, without the values of a line."""
    if callable(text):
        return (text.__doc__ or "").strip()
    return re.sub(r"(?<!\{)\{(\w+)\}", r"<\1>", text).replace("{{", "{").replace("}}", "}")


class _Told(dict):  # type: ignore[type-arg]
    def __missing__(self, name: str) -> str:
        return "?"
