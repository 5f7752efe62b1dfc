"""Rules about speculation: asked only where there is some."""

from __future__ import annotations

import typing as t

from .rule import Rule, row
from .speculation import SETTINGS, Speculation
from .view import View


def spec_of(view: View) -> Speculation:
    return t.cast("Speculation", view.speculation)


def has_speculation(view: View) -> bool:
    return view.speculation is not None


def spec_key(view: View, name: str) -> t.Any:
    return spec_of(view).keys.get(name)


def spec_row(
    code: str,
    source: str,
    when: t.Callable[[View], bool],
    says: t.Callable[[View], str],
    fix: str | None = None,
    since: str = "",
    until: str = "",
    **options: t.Any,
) -> Rule:
    """A row that is asked only where there is speculation."""
    return row(
        code,
        SETTINGS,
        source,
        when,
        says,
        fix,
        since,
        until,
        also=options.pop("also", has_speculation),
        **options,
    )
