"""Which signatures a line may hold: told by pieces of four signs, without looking for every word of every pattern."""

from __future__ import annotations

import collections
import typing as t

from .literals import SHORTEST, words_of

if t.TYPE_CHECKING:
    from .signature import Signature


class Index:
    """Signatures by the rarest piece of each word that their patterns can't do without."""

    def __init__(self, signatures: t.Sequence[Signature]) -> None:
        self._signatures = signatures
        self._always: set[int] = set()
        self._by_piece: dict[str, set[int]] = collections.defaultdict(set)
        words = [[words_of(pattern) for pattern in signature.patterns] for signature in signatures]
        often = collections.Counter(
            piece for patterns in words for those in patterns for word in those for piece in _pieces(word)
        )
        for number, patterns in enumerate(words):
            for those in patterns:
                for word in those:
                    self._by_piece[min(sorted(_pieces(word)), key=often.__getitem__)].add(number)
                if not those:
                    self._always.add(number)

    def possible(self, text: str) -> list[Signature]:
        """The signatures that may be found in the text, in their order; every other one is not in it."""
        found = self._always.union(
            *(self._by_piece[piece] for piece in self._by_piece.keys() & _pieces(text))
        )
        return [self._signatures[number] for number in sorted(found)]


def _pieces(text: str) -> set[str]:
    return {text[at : at + SHORTEST] for at in range(len(text) - SHORTEST + 1)}
