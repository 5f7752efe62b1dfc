"""What another release would make of the same server: what breaks, what is renamed, which defaults change."""

from __future__ import annotations

import dataclasses
import typing as t

from .argv import render_argv
from .case import Case
from .finding import Finding
from .options_data import RELEASES
from .parser import parse
from .problem import Problem, veiled
from .report import about_version
from .rules import run_rules
from .tables import Chosen, Option, Table, choose, table_at
from .wording import explain


def advise(
    case: Case, written: t.Mapping[str, t.Any], chosen: Chosen, target: str, plugin_names: t.Collection[str]
) -> t.Iterator[Finding]:
    """Findings that never make the present plan invalid. ``written`` are the settings in the form of an argv."""
    goal = choose(target)
    for finding in about_version(goal, target):
        yield dataclasses.replace(finding, severity="info", stage="advice", code=f"upgrade_{finding.code}")
    line = render_argv(case.model or "model", written, chosen.table)
    for problem in parse(line, goal.table).problems:
        yield _breaks(problem, chosen.table, goal.table)
    yield from _rules(case, goal, plugin_names)
    yield from _deprecated(case, chosen.table, goal.table)
    yield from _defaults(case, chosen.table, goal.table)


def _advice(code: str, message: str, fix: str | None = None, **place: t.Any) -> Finding:
    severity: t.Literal["info", "warning"] = "info" if code == "upgrade_default_changed" else "warning"
    return Finding(severity, "advice", code, message, fix, **place)


def _breaks(problem: Problem, now: Table, goal: Table) -> Finding:
    problem = veiled(problem)
    message, fix = explain(problem, goal)
    setting = problem.setting
    if problem.kind == "unknown_option":
        dest = next((o.dest for name, o in now.by_name.items() if name == problem.word), None)
        gone = gone_since(dest, now, goal) if dest else None
        setting = dest or setting
        return _advice(
            "upgrade_removed_option", message, fix, setting=setting, value=problem.value, since=gone
        )
    return _advice(f"upgrade_{problem.kind}", message, fix, setting=setting, value=problem.value)


def gone_since(dest: str, now: Table, goal: Table) -> str | None:
    """The first release after ``now`` without the option."""
    later = range(now.index + 1, goal.index + 1)
    return next((RELEASES[index] for index in later if dest not in table_at(index).options), None)


def _rules(case: Case, goal: Chosen, plugin_names: t.Collection[str]) -> t.Iterator[Finding]:
    """Rules of start-up that the server breaks there and not here."""
    here = run_rules(case, plugin_names=plugin_names)
    yield from only_there(here, run_rules(case_there(case, goal), plugin_names=plugin_names), goal)


def case_there(case: Case, goal: Chosen) -> Case:
    """The same settings with the defaults of the other release."""
    defaults = goal.table.defaults
    given = {dest: value for dest, value in case.values.items() if dest in case.given and dest in defaults}
    return dataclasses.replace(
        case, release=goal.release or goal.table.release, values={**defaults, **given}, given=frozenset(given)
    )


def only_there(here: t.Iterable[Finding], there: t.Iterable[Finding], goal: Chosen) -> t.Iterator[Finding]:
    """What is wrong there and not here, as advice."""
    known = {(finding.code, finding.setting) for finding in here}
    for finding in there:
        if finding.severity != "info" and (finding.code, finding.setting) not in known:
            yield dataclasses.replace(
                finding,
                severity="warning",
                stage="advice",
                code=f"upgrade_{finding.code}",
                message=f"with vLLM {goal.table.version}: {finding.message}",
            )


def _deprecated(case: Case, now: Table, goal: Table) -> t.Iterator[Finding]:
    for dest in sorted(case.given):
        there = goal.options.get(dest)
        if there and there.deprecated and not now.options[dest].deprecated:
            yield _advice("upgrade_deprecated", f"{dest} is deprecated in vLLM {goal.version}", setting=dest)


def _defaults(case: Case, now: Table, goal: Table) -> t.Iterator[Finding]:
    """Settings that are left out and mean something else there."""
    for dest, option in sorted(now.options.items()):
        there = goal.options.get(dest)
        if there is None or dest in case.given or not _other_default(option, there):
            continue
        yield _advice(
            "upgrade_default_changed",
            f"{dest} is not set, and its default changes from {_shown(option.default)} ({now.version}) to "
            f"{_shown(there.default)} ({goal.version})",
            fix=None
            if option.default is None
            else f"write {dest}: {_shown(option.default)} to keep what you have",
            setting=dest,
            value=there.default,
        )


def _other_default(option: Option, there: Option) -> bool:
    return bool(option.names) and repr(option.default) != repr(there.default)


def _shown(value: t.Any) -> str:
    return "unset" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
