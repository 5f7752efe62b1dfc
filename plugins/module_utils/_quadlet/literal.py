"""Texts that come from elsewhere, as values of free keys: what they say must not be read as Quadlet's own language."""

from __future__ import annotations

import re

from . import escape

# How Quadlet 5.4.2 reads a key, measured with its generator: as words with C escapes, as words whose backslashes stay,
# and all others as they stand, but for double quotes around them.
_WORDS = frozenset(["Annotation", "EnvironmentFile", "GlobalArgs", "Label", "Mask", "PodmanArgs", "Unmask"])
_LISTS = frozenset(["AddCapability", "GIDMap", "LogOpt", "Sysctl", "UIDMap"])


def literal(key: str, text: str) -> str:
    """The value of a key that hands this text on byte for byte; ValueError where the key has no way to write it."""
    if key in _WORDS:
        return escape.word(text)
    if key in _LISTS and re.search(r"[\s\"'\\]", text):
        raise ValueError(f"{key} is split at spaces, and knows no escapes")
    if text.startswith('"') or text.endswith('"'):
        raise ValueError(f"{key} loses the quotes around its value")
    return escape.value(text)


def parts(key: str, text: str) -> list[str]:
    """What Quadlet makes of such a value: several for a key that it splits at spaces. `%` and `$` stay what they are."""
    if key in _WORDS or key in _LISTS:
        return escape.bare_words(text)
    return [text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text]
