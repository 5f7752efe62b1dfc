"""What a shell makes of a text in quotes, or of a command in brackets."""

from __future__ import annotations

import re

from .interpolate import Interpolation, closing
from .shell_text import end_of_substitution
from .substitution import path_of, value_of

_IN_DOUBLE = re.compile(r'\\([\\"$`\n])|\$\([^()]*\)|`[^`]*`|\\|[^\\$`]+|\$\{|\$(?:#|\w*)|`', re.DOTALL)


def quoted(kind: str, text: str, values: Interpolation) -> str:
    """A piece of a word by its kind of quotes."""
    if kind == "double":
        return in_double(text, values)
    if kind == "ansi":
        return text.replace("\\'", "'").replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
    if kind == "substitution":
        return substituted(text, values)
    return text


def substituted(text: str, values: Interpolation) -> str:
    """What a command would print is not known, except for the folder it runs in, or lies in."""
    value = value_of(text, values.variables.get("PWD"))
    value = path_of(text, values.expand) if value is None and text.startswith("$(") else value
    return values.unknown(text) if value is None else value


def in_double(text: str, values: Interpolation) -> str:
    """What stands between double quotes."""
    found, position = "", 0
    while position < len(text):
        end = end_of_substitution(text, position) if text.startswith("$(", position) else None
        if end:
            found, position = found + substituted(text[position:end], values), end
            continue
        if text.startswith("${", position):
            end = closing(text, position + 1)
            end = len(text) - 1 if end is None else end
            found += values.expand(text[position : end + 1])
            position = end + 1
            continue
        piece = _IN_DOUBLE.match(text, position)
        position = piece.end() if piece else len(text)
        found += _piece(piece, values) if piece else ""
    return found


def _piece(piece: re.Match[str], values: Interpolation) -> str:
    if piece[1] is not None:
        return "" if piece[1] == "\n" else piece[1]
    if piece[0].startswith(("$(", "`")) and len(piece[0]) > 1:
        return substituted(piece[0], values)
    return values.expand(piece[0]) if piece[0].startswith("$") else piece[0]
