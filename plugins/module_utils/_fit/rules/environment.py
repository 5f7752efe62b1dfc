"""Values of vLLM's variables, as the release's own envs.py reads them."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..environment_data import KINDS
from .known import in_span

# With these a list of attention backends is checked that the settings know as well.
_BACKEND = "VLLM_ATTENTION_BACKEND"


def _kind(view: View, name: str) -> str | None:
    """What this release takes there; None for any text."""
    spans = KINDS.get(name, ())
    return next((kind for first, last, kind in spans if in_span(view.release, first, last)), None)


def _in_words(kind: str) -> str:
    return f"a {kind}" if "number" in kind else f"one of {', '.join(kind.replace('* ', '').split())}"


def _is_taken(kind: str, value: str) -> bool:
    if kind == "whole number":
        return _reads(int, value)
    if kind == "number":
        return _reads(float, value)
    words = kind.split()
    return value.lower() in [word.lower() for word in words[1:]] if words[0] == "*" else value in words


def _reads(number: t.Callable[[str], float], value: str) -> bool:
    try:
        number(value)
    except ValueError:
        return False
    return True


def _instead(kind: str, name: str, value: str) -> str:
    switch = {"true": "1", "yes": "1", "on": "1", "false": "0", "no": "0", "off": "0"}.get(
        value.strip().lower()
    )
    if not value:
        return f"leave {name} out"
    if switch and "number" in kind:
        return f'env: {{{name}: "{switch}"}}'
    return f"{_in_words(kind)}, or leave {name} out"


@rule(
    "env_invalid",
    "",
    "envs.py, read whole by enable_envs_cache at the end of the start (0.11.1 to 0.33.0)",
    "0.11.1",
    stage="fit",
    also=lambda view: any(name.startswith("VLLM_") for name in view.env),
)
def variables_can_be_read(view: View) -> t.Iterator[Breach]:
    """The engine reads every variable at its start, and an empty value counts as one."""
    for name, value in sorted(view.env.items()):
        kind = _kind(view, name)
        if kind is None or _is_taken(kind, value):
            continue
        yield Breach(
            f"env.{name}",
            f"{name} is {value!r}, and this release reads {_in_words(kind)} there: the start ends with a ValueError.",
            _instead(kind, name, value),
            value,
        )


@rule(
    "env_invalid",
    "",
    "envs.py VLLM_ATTENTION_BACKEND, env_with_choices (0.11.1 to 0.14.1)",
    "0.11.1",
    "0.14.1",
    stage="fit",
    also=lambda view: _BACKEND in view.env,
)
def the_backend_of_the_variable_is_known(view: View) -> t.Iterator[Breach]:
    """The names of the enumeration, in capitals."""
    name = view.env[_BACKEND]
    if view.unregistered("attention_backends", name):
        yield Breach(
            f"env.{_BACKEND}",
            f"{_BACKEND} is {name!r}, which is no attention backend of this release (Invalid value for {_BACKEND}).",
            f"leave {_BACKEND} out: vLLM chooses one that works",
            name,
        )


RULES = rules_of(globals())
