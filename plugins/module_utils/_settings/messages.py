"""What a refusal teaches: since when a name exists or is gone, what was probably meant, what to write instead."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .confusions import Meaning
from .suggest import meant_option, meant_value, nearest_names

Span = tuple[str, t.Optional[str]]  # first and last release; None: and still
History = t.Mapping[str, t.Sequence[Span]]

_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kKmMgGtT])(i?[bB])?\s*")
_STEPS = "kmgt"


@dataclasses.dataclass(frozen=True)
class Lesson:
    """What is added to a message, and what to write; both may be empty."""

    note: str = ""
    fix: str | None = None


def span(where: str) -> Span:
    """First and last release of a table's range; None for "and still"."""
    first, _dash, last = where.partition("-")
    return first, last or None


def spans_by_value(ranges: t.Mapping[str, t.Any]) -> dict[str, list[Span]]:
    """The life of every value from a table's ranges: ``{"0.28.0-": "nvfp4_4over6"}``."""
    lives: dict[str, list[Span]] = {}
    for where, values in ranges.items():
        for value in values.split() if isinstance(values, str) else values:
            lives.setdefault(str(value), []).append(span(where))
    return lives


def life(spans: t.Sequence[Span], release: str, releases: t.Sequence[str]) -> str:
    """Whether something is not there yet ("exists since 0.28.0") or any more ("is gone since 0.18.0")."""
    order = {name: index for index, name in enumerate(releases)}
    now = order.get(release, len(releases))
    lives = [(order.get(first, 0), order.get(last or "", len(releases))) for first, last in spans]
    if any(first <= now <= last for first, last in lives):
        return ""
    later = [first for first, _last in lives if first > now]
    if later:
        return f"it exists since {releases[min(later)]}"
    after = max((last for _first, last in lives), default=len(releases)) + 1
    return f"it is gone since {releases[after]}" if after < len(releases) else ""


def unknown_option(
    name: str, valid: t.Collection[str], lives: History, release: str, releases: t.Sequence[str]
) -> Lesson:
    """For a setting that the release does not have; ``valid`` and the keys of ``lives`` are settings."""
    plain = name.lstrip("-").partition("=")[0].partition(".")[0].replace("-", "_")
    told = life(lives.get(plain, ()), release, releases)
    meaning = meant_option(plain)
    if meaning is not None:
        return _meant(meaning, told, valid, lives, release, releases)
    if told:
        return Lesson(told, _newer_fix(plain, told))
    near = nearest_names(plain, valid)
    if near:
        return Lesson(f"nearest: {', '.join(near)}", f"write {near[0]}")
    other = nearest_names(plain, lives)
    if other:
        told = life(lives[other[0]], release, releases)
        return Lesson(f"nearest in other releases: {other[0]}" + (f" ({told})" if told else ""))
    return Lesson()


def _newer_fix(setting: str, told: str) -> str | None:
    return (
        f"vLLM {told.rsplit(' ', 1)[-1]} or newer, or leave {setting} out"
        if "exists" in told
        else f"leave {setting} out"
    )


def _meant(
    meaning: Meaning,
    told: str,
    valid: t.Collection[str],
    lives: History,
    release: str,
    releases: t.Sequence[str],
) -> Lesson:
    """A known confusion: from where, what it is here, and since when where the release does not have that either."""
    here = [setting for setting in meaning.write if setting in valid]
    away = [
        f"{name} ({told_of})"
        for name in meaning.write
        if name not in valid
        for told_of in [life(lives.get(name, ()), release, releases)]
        if told_of
    ]
    notes = [told or f"known from {meaning.origin}", meaning.note]
    if meaning.write and not here and away:
        return Lesson("; ".join(note for note in [*notes, f"elsewhere: {', '.join(away)}"] if note))
    fix = f"write {' and '.join(here)}" if here else None
    if not meaning.write:
        fix = "leave it out"
    return Lesson("; ".join(note for note in notes if note), fix)


def invalid_choice(
    setting: str,
    value: object,
    allowed: t.Sequence[object],
    lives: History,
    release: str,
    releases: t.Sequence[str],
) -> Lesson:
    """For a value that is none of the allowed ones."""
    written, names = str(value), [str(each) for each in allowed if each is not None]
    head = setting.rpartition(".")[2]
    meaning = meant_value(setting, written) or meant_value(head, written)
    told = life(lives.get(written, ()), release, releases)
    if told:
        near = nearest_names(written, names)
        return Lesson(told, f"{head}: {near[0]}" if near else _newer_fix(f"{head}: {written}", told))
    if meaning is not None:
        here = [name for name in meaning.write if name in names]
        notes = [f"known from {meaning.origin}", meaning.note]
        return Lesson(
            "; ".join(note for note in notes if note), f"{head}: {' or '.join(here)}" if here else None
        )
    same = [name for name in names if name.lower() == written.lower().replace("-", "_")]
    near = tuple(same) or nearest_names(written, names)
    return Lesson(f"nearest: {', '.join(near)}" if near else "", f"{head}: {near[0]}" if near else None)


def unknown_key(
    setting: str,
    key: str,
    allowed: t.Collection[str],
    lives: History,
    release: str,
    releases: t.Sequence[str],
) -> Lesson:
    """For a key that a JSON option does not have."""
    told = life(lives.get(key, ()), release, releases)
    if told:
        return Lesson(told, _newer_fix(f"{setting}.{key}", told))
    near = nearest_names(key, allowed)
    return Lesson(f"nearest: {', '.join(near)}" if near else "", f"write {near[0]}" if near else None)


def invalid_value(setting: str, value: object, wanted: str) -> Lesson:
    """For text where another type is wanted: how the value is written."""
    head, text = setting.rpartition(".")[2], str(value).strip()
    number = _NUMBER.fullmatch(text)
    if number and ("number" in wanted or "int" in wanted):
        return Lesson("units are not read here", f"{head}: {plain_number(text)}")
    if text.lower() in ("true", "false", "yes", "no", "on", "off"):
        return Lesson("a truth value stands alone: true or false, without quotes")
    if text.startswith(("{", "[")):
        return Lesson("JSON is written as a YAML mapping or list, without quotes around the whole")
    return Lesson()


def plain_number(text: str) -> int | None:
    """``32k`` is 32000 and ``32K`` is 32768, as vLLM reads it where it reads units at all."""
    found = _NUMBER.fullmatch(text)
    if not found or len(text) > 30:  # longer than any number that was meant
        return None
    digits, unit, _rest = found.groups()
    power = _STEPS.index(unit.lower()) + 1
    return int(float(digits) * (1000 if unit.islower() else 1024) ** power)
