"""Reading one field of a ``config.json`` that anybody may have written: the value, or None, never a surprise."""

from __future__ import annotations

import typing as t

Config = t.Mapping[str, t.Any]

# Where models of several parts keep their language model, outermost first.
_TEXT_PARTS = ("thinker_config", "text_config", "llm_config", "language_config")


def whole(value: t.Any) -> bool:
    """Whether it is an int and not a truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def number(config: Config, key: str) -> int | None:
    """A whole number; ``4096.0`` is one."""
    value = config.get(key)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return t.cast("int", value) if whole(value) else None


def first_number(config: Config, *keys: str) -> int | None:
    """The first of several names that holds a whole number."""
    for key in keys:
        value = number(config, key)
        if value is not None:
            return value
    return None


def text(config: Config, key: str) -> str | None:
    """A text that is not empty."""
    value = config.get(key)
    return value if isinstance(value, str) and value else None


def text_config(config: Config) -> Config:
    """The part that describes the language model; the whole where nothing is nested."""
    for part in _TEXT_PARTS:
        inner = config.get(part)
        if isinstance(inner, t.Mapping) and inner:
            return text_config(inner)
    return config
