"""Messages for the problems of one release: the tables' histories given to the pure functions of ``messages``."""

from __future__ import annotations

import functools
import typing as t

from . import messages
from .classes_data import CLASSES
from .messages import History, Lesson, span, spans_by_value
from .options_data import OPTIONS, RELEASES
from .values_data import REGISTRIES, VALUES

if t.TYPE_CHECKING:
    from .problem import Problem
    from .tables import Table


def lesson(problem: Problem, table: Table) -> Lesson:
    """What to add to the message of a problem, and what to write instead."""
    teach = _LESSONS.get(problem.kind)
    return teach(problem, table) if teach else Lesson()


@functools.cache
def option_lives() -> History:
    """From when to when every option exists, by its setting."""
    return {dest: [span(where) for where in ranges] for dest, ranges in OPTIONS.items()}


def _unknown_option(problem: Problem, table: Table) -> Lesson:
    name = problem.setting or problem.word or ""
    valid = [dest for dest, option in table.options.items() if option.names]
    return messages.unknown_option(name, valid, option_lives(), table.version, RELEASES)


def value_lives(setting: str, owner: str | None = None) -> History:
    """From when to when every value of an option, or of a key of a class, is taken."""
    return spans_by_value(VALUES.get(setting) or VALUES.get(f"{owner}.{setting.rpartition('.')[2]}", {}))


def registered(kind: str, setting: str, name: str, table: Table) -> Lesson:
    """For a name that the release does not register: since when it is there or gone, what is near."""
    lives = spans_by_value(REGISTRIES[kind])
    return messages.invalid_choice(setting, name, table.registry(kind), lives, table.version, RELEASES)


def _owner(setting: str, table: Table) -> str | None:
    option = table.options.get(setting.partition(".")[0])
    if setting.startswith("speculative_config."):
        return "SpeculativeConfig"
    return option.json_class if option else None


def _invalid_choice(problem: Problem, table: Table) -> Lesson:
    setting = problem.setting or ""
    if not problem.allowed:
        return messages.invalid_value(setting, problem.value, problem.message)
    lives = value_lives(setting, _owner(setting, table))
    return messages.invalid_choice(setting, problem.value, problem.allowed, lives, table.version, RELEASES)


def _unknown_key(problem: Problem, table: Table) -> Lesson:
    setting, _dot, key = (problem.setting or "").rpartition(".")
    fields = CLASSES.get(_owner(setting, table) or "", {})
    lives = {name: [span(where) for where in ranges] for name, ranges in fields.items() if name}
    return messages.unknown_key(
        setting, key, [str(each) for each in problem.allowed], lives, table.version, RELEASES
    )


def _invalid_value(problem: Problem, _table: Table) -> Lesson:
    return messages.invalid_value(problem.setting or problem.word or "", problem.value, problem.message)


def _ambiguous(problem: Problem, _table: Table) -> Lesson:
    return Lesson("", "write the whole name") if problem.allowed or problem.word else Lesson()


_LESSONS: dict[str, t.Callable[[Problem, Table], Lesson]] = {
    "unknown_option": _unknown_option,
    "invalid_choice": _invalid_choice,
    "invalid_json_value": _invalid_choice,
    "unknown_json_key": _unknown_key,
    "ignored_json_key": _unknown_key,
    "invalid_value": _invalid_value,
    "invalid_json": _invalid_value,
    "ambiguous_option": _ambiguous,
}
