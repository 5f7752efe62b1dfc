"""Conditions of a shell script, as far as they can be decided from the values that the script itself gives."""

from __future__ import annotations

import dataclasses
import re
import typing as t

# Whether something holds; None where that is not known.
Known = t.Optional[bool]

_OPENS = frozenset(["if", "case", "for", "while", "until", "select"])
_CLOSES = frozenset(["fi", "esac", "done"])
_TESTS = {"[": "]", "[[": "]]", "test": None}
_GLOB = {"*": ".*", "?": "."}
_NUMBERS: dict[str, t.Callable[[int, int], bool]] = {
    "-eq": int.__eq__,
    "-ne": int.__ne__,
    "-gt": int.__gt__,
    "-ge": int.__ge__,
    "-lt": int.__lt__,
    "-le": int.__le__,
}


@dataclasses.dataclass
class _Block:
    word: str
    holds: Known = None
    later: Known = True  # whether a branch behind this one may run
    in_test: bool = True
    joined_by: str = ""  # && or || in front of the next part of the test
    subject: str | None = None  # what the patterns of a `case` are held against, where that is known


class Branches:
    """Follows ``if``, ``case`` and loops, command by command."""

    def __init__(self, is_known: t.Callable[[str], bool]) -> None:
        """``is_known`` tells whether a word has the value that it will have."""
        self._is_known = is_known
        self._blocks: list[_Block] = []
        self._guard: Known = True

    @property
    def runs(self) -> Known:
        """Whether the command at hand runs."""
        return both(self._guard, *(each.holds for each in self._blocks if not each.in_test))

    @property
    def in_patterns(self) -> bool:
        """Whether a closing bracket ends a pattern of ``case``."""
        return bool(self._blocks) and self._blocks[-1].word == "case"

    def try_patterns(self, patterns: t.Sequence[str]) -> None:
        """The commands that follow are those of a branch of ``case``."""
        block = self._blocks[-1]
        self._next(block)
        if block.subject is None:
            block.holds = None
        else:
            block.holds = both(block.later, any(_fits(block.subject, each) for each in patterns))

    def follow(self, words: list[str]) -> list[str]:
        """A command without the words that only lead to it."""
        while words:
            head, rest = words[0], words[1:]
            if head in _OPENS:
                self._open(head, rest)
                return rest if head == "if" else []
            if head in _CLOSES or head == "}":
                self._blocks = self._blocks[:-1] if head in _CLOSES else self._blocks
                return []
            if head == "elif" and self._blocks:
                self._next(self._blocks[-1])
                self._judge(self._blocks[-1], rest)
                return rest
            if not self._leads(head):
                self._more_of_test(words)
                return words
            words = words[2:] if head == "function" else rest
        return words

    def end(self, words: t.Sequence[str], separator: str) -> None:
        """What follows a command may hang on it."""
        block = self._blocks[-1] if self._blocks else None
        if block and block.in_test:
            block.joined_by = separator if separator in ("&&", "||") else ""
        elif separator in ("&&", "||") and words and words[0] in _TESTS:
            holds = self._holds(words)
            self._guard = both(self._guard, holds if separator == "&&" else _not(holds))
        elif separator not in ("&&", "||"):
            self._guard = True

    def _leads(self, head: str) -> bool:
        """Whether a word stands in front of a command and is none of it."""
        block = self._blocks[-1] if self._blocks else None
        if head in ("then", "do") and block:
            block.in_test = False
        elif head == "else" and block:
            self._next(block)
            block.holds, block.in_test = block.later, False
        elif head not in ("{", "function", "then", "do", "else") and not head.endswith("()"):
            return False
        return True

    def _open(self, head: str, rest: list[str]) -> None:
        block = _Block(head, in_test=head != "case")
        self._blocks.append(block)
        if head == "if":
            self._judge(block, rest)
        elif head == "case" and rest and self._is_known(rest[0]):
            block.subject, block.holds = rest[0], False

    def _next(self, block: _Block) -> None:
        """Behind a branch that runs for certain no other one does."""
        block.later = both(block.later, _not(block.holds))

    def _judge(self, block: _Block, words: t.Sequence[str]) -> None:
        block.in_test, block.joined_by = True, ""
        block.holds = both(block.later, self._holds(words))

    def _more_of_test(self, words: t.Sequence[str]) -> None:
        block = self._blocks[-1] if self._blocks else None
        if block is None or not block.in_test or block.word != "if":
            return
        holds = self._holds(words)
        if block.joined_by == "&&":
            block.holds = both(block.holds, holds)
        elif block.joined_by == "||":
            block.holds = both(block.later, _either(block.holds, holds))
        else:
            block.holds = None

    def _holds(self, words: t.Sequence[str]) -> Known:
        if words[:1] == ["!"]:
            return _not(self._holds(words[1:]))
        if words in (["true"], [":"], ["false"]):
            return words != ["false"]
        if not words or words[0] not in _TESTS:
            return None
        closing = _TESTS[words[0]]
        inner = list(words[1:-1] if words[-1] == closing else words[1:])
        if (closing and words[-1] != closing) or not all(map(self._is_known, inner)):
            return None
        if words[0] == "[[" and inner in (["-n"], ["-z"]):
            return inner == ["-z"]  # a variable without a value, and without quotes
        return _tested(inner)


def _fits(text: str, pattern: str) -> bool:
    """Whether a pattern of ``case`` fits a text."""
    pieces = re.split(r"(\[!?[^\]]+\]|[*?])", pattern)
    glob = "".join(_GLOB.get(each, each if each[:1] == "[" else re.escape(each)) for each in pieces)
    try:
        return re.fullmatch(glob.replace("[!", "[^"), text, re.DOTALL) is not None
    except re.error:
        return False


def both(*every: Known) -> Known:
    """Whether all of them hold."""
    return False if False in every else None if None in every else True


def _not(known: Known) -> Known:
    return None if known is None else not known


def _either(one: Known, other: Known) -> Known:
    return True if True in (one, other) else None if None in (one, other) else False


def _tested(words: list[str]) -> Known:
    """What ``test`` says of words that are known."""
    if words[:1] == ["!"]:
        return _not(_tested(words[1:]))
    if len(words) == 1:
        return bool(words[0])
    if len(words) == 2 and words[0] in ("-n", "-z"):
        return bool(words[1]) is (words[0] == "-n")
    return _compared(*words) if len(words) == 3 else None


def _compared(one: str, sign: str, other: str) -> Known:
    if sign in ("=", "==", "!="):
        return None if re.search(r"[*?\[]", other) else (one == other) is (sign != "!=")
    compare = _NUMBERS.get(sign)
    if compare and re.fullmatch(r"-?\d{1,18}", one) and re.fullmatch(r"-?\d{1,18}", other):
        return compare(int(one), int(other))
    return None
