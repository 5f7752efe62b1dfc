"""The types of options, by the names that the flag tables give them; as argparse wants them."""

from __future__ import annotations

import argparse
import json
import re
import typing as t

_SUFFIX = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def _human_int(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kKmMgGtT])", text.strip())
    if not found:
        return int(text)
    number, suffix = found.groups()
    if "." in number and suffix.isupper():
        raise argparse.ArgumentTypeError(
            f"Decimals are not allowed with binary suffixes like {suffix}."
            f" Did you mean to use {number}{suffix.lower()} instead?"
        )
    return int(float(number) * _SUFFIX[suffix])


def _human_int_or_auto(text: str) -> int:
    return -1 if text.strip().lower() in ("-1", "auto") else _human_int(text)


def _dict_or_text(text: str) -> t.Any:
    return json.loads(text) if text.lstrip().startswith("{") else text


def _object(text: str) -> dict[str, t.Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"Value {text} cannot be converted to a JSON object: {error}"
        ) from error
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError(f"Input should be an object, not {text}")
    return found


def _json(text: str) -> t.Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"Value {text} cannot be converted to JSON: {error}") from error


_TYPES: dict[str, t.Callable[[str], t.Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "json": _json,
    "parsed_json": _json,
    "dict_or_str": _dict_or_text,
    "human_int": _human_int,
    "human_int_or_auto": _human_int_or_auto,
    "lower_underscore": lambda text: text.lower().replace("-", "_"),
    "device_ids": lambda text: [int(part) if part.isdigit() else part for part in text.split(",")],
    "parser_or_none": lambda text: None if text == "none" else text,
}


def converter(kind: str | None) -> t.Callable[[str], t.Any]:
    """The function for a type of the tables."""
    if kind is None:
        return str
    optional = kind.startswith("optional ")
    rest = kind[len("optional ") :] if optional else kind
    convert = _object if rest.startswith("class ") else _TYPES[rest]
    return (lambda text: None if text in ("", "None") else convert(text)) if optional else convert
