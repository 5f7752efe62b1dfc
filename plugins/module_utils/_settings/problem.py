"""What a parser refuses, or takes without doing what it says, before it becomes a finding."""

from __future__ import annotations

import dataclasses
import typing as t

from .secretive import HIDDEN, is_secretive

Kind = t.Literal[
    "unknown_option",
    "unknown_word",
    "ambiguous_option",
    "missing_value",
    "unexpected_value",
    "invalid_choice",
    "invalid_value",
    "invalid_json",
    "unknown_json_key",
    "invalid_json_value",
    "refused",
    # taken by vLLM, but not what it looks like
    "abbreviated_option",
    "config_not_read",
    "deprecated_option",
    "dotted_on_text",
    "dotted_replaces_json",
    "false_dropped",
    "ignored_json_key",
    "ignored_model",
    "no_model",
    "number_for_text",
    "repeated_option",
    "text_none",
]


@dataclasses.dataclass(frozen=True)
class Problem:
    """One refusal or remark. ``setting`` is the dest, with the path of a JSON key behind it: ``compilation_config.mode``."""

    kind: Kind
    message: str
    setting: str | None = None
    value: t.Any = None
    allowed: tuple[t.Any, ...] = ()  # what would be taken
    word: str | None = None  # as it was written: --max_num_seq
    fix: str | None = None  # what to write instead, where it is known at once


def veiled(problem: Problem) -> Problem:
    """The same problem without a secret: findings end up in tables and in files of CI."""
    names = (problem.setting or "", (problem.word or "").partition("=")[0])
    secret = problem.value is not None and any(map(is_secretive, names))
    return dataclasses.replace(problem, value=HIDDEN) if secret else problem


def under(problem: Problem, head: str) -> Problem:
    """The same problem, its path put behind ``head``."""
    path = problem.setting or ""
    return dataclasses.replace(problem, setting=f"{head}.{path}" if path else head)
