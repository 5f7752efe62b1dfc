"""Findings without secrets: they end up in tables, in files of CI and in pull requests, whatever mistake they tell."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._settings.finding import Finding
from .._settings.secretive import HIDDEN, is_secretive, shown_value

_ASSIGNED = re.compile(r"(?P<name>\w+)=(?P<value>[^\s,;\"']+)")
# What looks like a secret wherever it stands; the name of a key does not.
_SHAPE = re.compile(r"hf_\w{16,}|sk-[\w-]{16,}|[\w+/=-]{32,}")


def veiled(finding: Finding) -> Finding:
    """The same finding; what may be a secret is hidden in its value, its message and its fix."""
    hidden = sorted(set(_secrets(finding)), key=len, reverse=True)
    if not hidden:
        return finding
    value = HIDDEN if not isinstance(finding.value, (dict, list)) else _without(finding.value, hidden)
    message, fix = (_covered(text, hidden) if text else text for text in (finding.message, finding.fix))
    return dataclasses.replace(finding, value=value, message=message or "", fix=fix)


def _secrets(finding: Finding) -> t.Iterator[str]:
    """Every text in the value of a finding that may be a secret."""
    if (
        finding.code == "unknown_secret"
    ):  # the value is the name of a key, unless somebody wrote the secret itself
        yield from (text for text in _texts(finding.value) if _SHAPE.fullmatch(text))
        return
    places = (finding.setting or "", (finding.origin or "").split(" ")[0])
    about = [place.rpartition(".")[2] for place in places]
    if finding.code == "unknown_option":  # mostly a misspelt one, which the fix names
        about += re.findall(r"[\w-]+", finding.fix or "")
    if any(map(is_secretive, about)) or "secrets" in places[0].split(".")[:1]:
        yield from _texts(finding.value)
        return
    yield from _named(finding.value)


def _texts(value: t.Any) -> t.Iterator[str]:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str) and value != HIDDEN and len(value) > 3:
        yield value


def _named(value: t.Any) -> t.Iterator[str]:
    """What a mapping, or ``NAME=value`` in a text, says is secret."""
    if isinstance(value, dict):
        for name, each in value.items():
            secret = shown_value(str(name), each) == HIDDEN
            yield from _texts(each) if secret else _named(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _named(each)
    elif isinstance(value, str):
        yield from (found["value"] for found in _ASSIGNED.finditer(value) if is_secretive(found["name"]))


def _covered(text: str, hidden: t.Sequence[str]) -> str:
    for each in hidden:
        text = text.replace(each, HIDDEN)
    return text


def _without(value: t.Any, hidden: t.Sequence[str]) -> t.Any:
    """The same shape; a key that is hidden stays readable as one."""
    if isinstance(value, dict):
        return {_without(name, hidden): _without(each, hidden) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without(each, hidden) for each in value]
    return _covered(value, hidden) if isinstance(value, str) else value
