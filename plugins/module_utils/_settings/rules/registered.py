"""Names that a release registers: what to say of one that it does not have."""

from __future__ import annotations

import typing as t

from ..lessons import registered
from .rule import Breach
from .view import View

_LISTED = 12  # names in a message; more help nobody


def unregistered(
    view: View, kind: str, setting: str, name: str, noun: str, plugin: str, tail: str = ""
) -> t.Iterator[Breach]:
    """One breach where neither the release nor a known plug-in has the name; it names what is near."""
    if not name or not view.unregistered(kind, name):
        return
    lesson = registered(kind, setting, name, view.table)
    note = f" ({lesson.note})" if lesson.note else ""
    names = sorted(view.table.registry(kind))
    listed = ", ".join(names[:_LISTED]) + (
        f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    )
    message = (
        f"vLLM {view.table.version} has no {noun} {name}{note}; only a plug-in could provide it ({plugin})."
        f" It has {listed}.{tail}"
    )
    yield Breach(setting, message, lesson.fix, name)
