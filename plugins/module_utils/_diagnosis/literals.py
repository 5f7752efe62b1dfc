"""The words without which a pattern can't be found: looking for them first makes a long log quick to read."""

from __future__ import annotations

import functools
import re

_SHORTEST = 4  # shorter words stand in too many lines to help
# A piece of a pattern: an escape, a class of characters, an open or closed group, an alternative, a quantifier, a sign.
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P<\w+>|<?[=!]|[a-z]*:))?|\)|\||[*+?]\??|\{[\d,]*\}\??|.", re.S
)
_OPTIONAL = ("*", "?", "{")
_NO_SIGN = frozenset("^$.")


@functools.cache
def words_of(pattern: str) -> tuple[str, ...]:
    """One of these stands in every text that holds the pattern; () where nothing is known of it."""
    words = []
    for alternative in _alternatives(pattern):
        longest = max(alternative, key=len, default="")
        if len(longest) < _SHORTEST:
            return ()
        words.append(longest)
    return tuple(words)


def _alternatives(pattern: str) -> list[list[str]]:
    """The signs outside of all groups, as runs, of each alternative."""
    found: list[list[str]] = [[""]]
    depth = 0
    for piece in _PIECE.findall(pattern):
        depth += piece.startswith("(") - (piece == ")")
        if depth or piece == ")":
            found[-1].append("")
        elif piece == "|":
            found.append([""])
        elif piece[0] in _OPTIONAL:
            found[-1][-1] = found[-1][-1][:-1]
            found[-1].append("")
        elif _sign(piece):
            found[-1][-1] += _sign(piece)
        else:
            found[-1].append("")
    return found


def _sign(piece: str) -> str:
    """The sign that a piece stands for, "" where it stands for more than one."""
    if len(piece) == 2 and piece[0] == "\\":
        return "" if piece[1].isalnum() else piece[1]
    return piece if len(piece) == 1 and piece not in _NO_SIGN and piece != "+" else ""
