"""The words without which a pattern can't be found: looking for them first makes a long log quick to read."""

from __future__ import annotations

import functools
import re
import typing as t

SHORTEST = 4  # shorter words stand in too many lines to help
# A piece of a pattern: an escape, a class of characters, an open or closed group, an alternative, a quantifier, a sign.
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P<\w+>|<?[=!]|[a-z]*:))?|\)|\||[*+?]\??|\{[\d,]*\}\??|.", re.S
)
_OPTIONAL = ("*", "?", "{")
_NO_SIGN = frozenset("^$.+")
_REQUIRED = re.compile(r"\(|\(\?:|\(\?P<\w+>")  # not a look around, and not one that takes any case

Words = tuple[str, ...]


@functools.cache
def words_of(pattern: str) -> Words:
    """One of these stands in every text that holds the pattern; () where nothing is known of it."""
    return _Reader(_PIECE.findall(pattern)).alternatives()


class _Reader:
    """Reads the pieces of a pattern from left to right, a group at a time."""

    def __init__(self, pieces: t.Sequence[str]) -> None:
        self._pieces = pieces
        self._at = 0

    def alternatives(self) -> Words:
        """The words of all alternatives up to the end of the group; () when one of them has none."""
        found = [self._alternative()]
        while self._peek() == "|":
            self._next()
            found.append(self._alternative())
        return tuple(word for words in found for word in words) if all(found) else ()

    def _alternative(self) -> Words:
        """The most telling words that this alternative can't do without."""
        best: Words = ()
        run = ""
        while self._peek() not in ("|", ")", ""):
            piece = self._next()
            words = self.alternatives() if piece.startswith("(") else ()
            if piece.startswith("("):
                self._next()
            sign = _sign(piece)
            if self._peek().startswith(_OPTIONAL):
                self._next()
                words, sign = (), ""
            if sign:
                run += sign
                continue
            best = _better(best, (run,), words if _REQUIRED.fullmatch(piece) else ())
            run = ""
        return _better(best, (run,))

    def _peek(self) -> str:
        return self._pieces[self._at] if self._at < len(self._pieces) else ""

    def _next(self) -> str:
        piece = self._peek()
        self._at += bool(piece)
        return piece


def _better(*found: Words) -> Words:
    """Those whose shortest word is the longest."""
    best = max(found, key=_shortest)
    return best if _shortest(best) >= SHORTEST else ()


def _shortest(words: Words) -> int:
    return min(map(len, words), default=0)


def _sign(piece: str) -> str:
    """The sign that a piece stands for, "" where it stands for more than one."""
    if len(piece) == 2 and piece[0] == "\\":
        return "" if piece[1].isalnum() else piece[1]
    return piece if len(piece) == 1 and piece not in _NO_SIGN else ""
