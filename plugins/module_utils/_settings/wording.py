"""The message for a problem, with what is known of what was meant."""

from __future__ import annotations

import typing as t

from .lessons import lesson

if t.TYPE_CHECKING:
    from .problem import Problem
    from .tables import Table

_SHOWN = 120  # of a value, so that one JSON does not fill the table of findings


def explain(problem: Problem, table: Table) -> tuple[str, str | None]:
    """The message and what to write instead."""
    taught = lesson(problem, table)
    message = sentence(problem, table)
    return f"{message}; {taught.note}" if taught.note else message, problem.fix or taught.fix


def sentence(problem: Problem, table: Table) -> str:
    """``--dtype takes one of auto, half (here: fp16)``, or for an option: ``--foo is no option of vLLM 0.26.0``."""
    subject = problem.setting or problem.word
    if problem.setting is None or problem.kind in (
        "unknown_option",
        "abbreviated_option",
        "ambiguous_option",
    ):
        subject = problem.word or problem.setting
    said = " ".join(part for part in (subject or "the command line", problem.message) if part)
    if problem.kind == "unknown_option":
        return f"{said} of vLLM {table.version}"
    return said if problem.value is None else f"{said} (here: {shown(problem.value)})"


def shown(value: t.Any) -> str:
    """A value as a message shows it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
