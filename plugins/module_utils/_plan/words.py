"""Small words that messages of the plan share."""

from __future__ import annotations

import difflib
import typing as t


def nearest(word: str, known: t.Iterable[str]) -> str | None:
    """The known word that was most likely meant; None where none is near."""
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6)), None)


def kind_of(value: t.Any) -> str:
    """What a value is, as YAML's writer would call it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f'the text "{value}"' if len(value) <= 60 else "a long text"
    return "a list" if isinstance(value, list) else "a mapping"


def key_text(key: t.Any) -> str:
    """A key as text: YAML makes numbers and booleans of some."""
    if isinstance(key, bool):
        return str(key).lower()
    return "null" if key is None else str(key)
