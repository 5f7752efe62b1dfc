"""From one word of a command line to its value, as the parser of a release converts it."""

from __future__ import annotations

import json
import re
import typing as t

if t.TYPE_CHECKING:
    from .version import Release

EMPTY = ("", "None")  # what optional types read as nothing; JSON null is a value
POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}


class BadValueError(ValueError):
    """A word that the option does not take; the text says what it does take."""


def human_int(text: str, release: Release) -> int:
    """``32k`` is 32,000 and ``32K`` is 32,768; no decimals with capitals; ``t`` only from 0.13.0."""
    suffixes = "kKmMgGtT" if release >= (0, 13, 0) else "kKmMgG"
    found = re.fullmatch(rf"(\d+(?:\.\d+)?)([{suffixes}])", text.strip())
    if not found:
        return _int(
            text,
            f"a whole number, or one with a suffix of {', '.join(suffixes)} (32k is 32000, 32K is 32768)",
        )
    number, suffix = found.groups()
    power = POWERS[suffix.lower()]
    if suffix.islower():
        try:
            return int(float(number) * 1000**power)
        except OverflowError:
            raise BadValueError("is too large") from None
    if "." in number:
        raise BadValueError(
            f"no decimals with {suffix} (powers of 1024); {number}{suffix.lower()} counts in thousands"
        )
    return int(number) * int(1024**power)


def _human_int_or_auto(text: str, release: Release) -> int:
    return -1 if text.strip() == "-1" or text.strip().lower() == "auto" else human_int(text, release)


def _int(text: str, wanted: str = "a whole number") -> int:
    try:
        return int(text)
    except ValueError:
        raise BadValueError(f"takes {wanted}") from None


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadValueError("takes a number") from None


def load_json(text: str) -> t.Any:
    """JSON as Python reads it."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadValueError(f"takes JSON, and this is none: {error}") from None
    except RecursionError:
        raise BadValueError("takes JSON, and this is nested too deeply") from None


def _dict_or_text(text: str) -> t.Any:
    if not re.match(r"(?s)^\s*{.*}\s*$", text):
        return text
    return load_json(text)


def _device_ids(text: str) -> list[t.Any]:
    words = [word.strip() for word in text.split(",")]
    return [int(word) if word.isdigit() else word for word in words]


def expand_numbers(text: str, release: Release) -> str:
    """Bare numbers with a suffix inside the JSON of a configuration class, written out (0.20.0 and newer)."""
    if release < (0, 20, 0):
        return text
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    for index in range(0, len(parts), 2):  # what lies between quoted strings
        parts[index] = re.sub(
            r"\b\d+(?:\.\d+)?[kKmMgGtT]\b", lambda m: str(human_int(m.group(), release)), parts[index]
        )
    return "".join(parts)


_PLAIN: dict[str, t.Callable[[str], t.Any]] = {
    "str": str,
    "int": _int,
    "float": _float,
    "bool": bool,
    "json": load_json,
    "parsed_json": load_json,
    "dict_or_str": _dict_or_text,
    "lower_underscore": lambda text: text.lower().replace("-", "_"),
    "device_ids": _device_ids,
    "parser_or_none": lambda text: "" if text.lower() == "none" else text,
}
_BY_RELEASE = {"human_int": human_int, "human_int_or_auto": _human_int_or_auto}


def convert(kind: str | None, text: str, release: Release) -> t.Any:
    """The value of a word for an option of that type; the JSON of a class is only read, not yet checked."""
    if kind is None:
        return text
    if kind.startswith("optional "):
        return None if text in EMPTY else convert(kind[len("optional ") :], text, release)
    if kind.startswith("class "):
        return load_json(expand_numbers(text, release))
    if kind in _BY_RELEASE:
        return _BY_RELEASE[kind](text, release)
    return _PLAIN[kind](text)
