"""The classes of failures as a document, made from the signatures."""

from __future__ import annotations

import typing as t

from .signature import Signature, in_general
from .signatures import SIGNATURES

_ENDS = {True: "yes", False: "no"}


def as_markdown() -> str:
    """A table with a row for each cause."""
    rows = "\n".join(_row(signature) for signature in _in_order())
    return f"| class | cause | remedy | ends the start |\n|---|---|---|---|\n{rows}\n"


def _in_order() -> list[Signature]:
    """One signature for each class and cause, by class."""
    first: dict[tuple[str, str], Signature] = {}
    for signature in SIGNATURES:
        first.setdefault((signature.failure_class, in_general(signature.cause)), signature)
    return sorted(first.values(), key=lambda signature: signature.failure_class)


def _row(signature: Signature) -> str:
    cells: t.Sequence[str] = (
        f"`{signature.failure_class}`",
        escaped(in_general(signature.cause)),
        escaped(in_general(signature.remedy)),
        _ENDS[signature.is_fatal],
    )
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """The text as a cell of a table in Markdown."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")
