"""What a rule is: which releases it holds for, what it must know, where it comes from, and the check itself."""

from __future__ import annotations

import dataclasses
import typing as t

from ..finding import Finding, Severity, Stage
from ..version import Release, format_release, parse_release
from .view import View

Need = t.Literal["model", "draft", "gpu"]


@dataclasses.dataclass(frozen=True)
class Breach:
    """What a check found: the setting it concerns, what is wrong, what to write instead."""

    setting: str
    message: str
    fix: str | None = None
    value: t.Any = None


Check = t.Callable[[View], t.Iterator[Breach]]


@dataclasses.dataclass(frozen=True)
class Rule:
    """One rule. ``about`` are the settings that it cannot break without: it is skipped when none is given."""

    code: str
    about: tuple[str, ...]
    source: str
    check: Check
    since: Release = (0, 0, 0)
    until: Release | None = None
    needs: tuple[Need, ...] = ()
    severity: Severity = "error"
    stage: Stage = "start"
    also: t.Callable[[View], bool] | None = (
        None  # a cheap condition on settings, asked before facts are missed
    )

    def holds_for(self, release: Release) -> bool:
        """Whether that release has this rule."""
        return self.since <= release and (self.until is None or release <= self.until)

    def concerns(self, view: View) -> bool:
        """Whether the settings are such that the rule could break."""
        if self.about and not any(name in view.case.given for name in self.about):
            return False
        return self.also is None or self.also(view)

    def finding(self, breach: Breach, value: t.Any) -> Finding:
        """What the rule says of one breach."""
        return Finding(
            severity=self.severity,
            stage=self.stage,
            code=self.code,
            message=breach.message,
            fix=breach.fix,
            setting=breach.setting,
            value=value if breach.value is None else breach.value,
            source=self.source,
            since=format_release(self.since) if self.since > (0, 10, 0) else None,
            until=format_release(self.until) if self.until else None,
        )


def rule(
    code: str,
    about: str,
    source: str,
    since: str = "",
    until: str = "",
    needs: tuple[Need, ...] = (),
    severity: Severity = "error",
    stage: Stage = "start",
    also: t.Callable[[View], bool] | None = None,
) -> t.Callable[[Check], Rule]:
    """Turn a check into a rule; ``about`` is a text of setting names."""

    def register(check: Check) -> Rule:
        return Rule(
            code,
            tuple(about.split()),
            source,
            check,
            _release(since) or (0, 0, 0),
            _release(until),
            needs,
            severity,
            stage,
            also,
        )

    return register


def row(
    code: str,
    about: str,
    source: str,
    when: t.Callable[[View], bool],
    says: t.Callable[[View], str],
    fix: str | None = None,
    since: str = "",
    until: str = "",
    needs: tuple[Need, ...] = (),
    severity: Severity = "error",
    stage: Stage = "start",
    also: t.Callable[[View], bool] | None = None,
) -> Rule:
    """A rule in one row: a condition and a sentence about the first of its settings."""
    names = about.split()

    def check(view: View) -> t.Iterator[Breach]:
        if when(view):
            given = [name for name in names if name in view.case.given]
            yield Breach((given or names or ["env"])[0], says(view), fix)

    return rule(code, about, source, since, until, needs, severity, stage, also)(check)


def rules_of(names: t.Mapping[str, t.Any]) -> tuple[Rule, ...]:
    """Every rule of a module, in the order of the file."""
    found: list[Rule] = []
    for value in names.values():
        if isinstance(value, Rule):
            found.append(value)
        elif isinstance(value, tuple):
            found += [member for member in value if isinstance(member, Rule)]
    return tuple(dict.fromkeys(found))


def _release(text: str) -> Release | None:
    return parse_release(text) if text else None
