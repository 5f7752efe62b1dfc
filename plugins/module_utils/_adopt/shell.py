"""Scripts of a shell, as far as they are needed to read the command lines in them: words, quotes, variables, lists."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .branches import Branches, Known
from .files import Files, no_files
from .found import UnreadableError
from .interpolate import Interpolation, closing
from .shell_quotes import in_double, quoted, substituted
from .shell_state import Filling, State
from .shell_text import end_of_double, end_of_substitution, joined

_LIST = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<more>\+?)=")
_ALL_OF = re.compile(r"\$\{(?P<name>[A-Za-z_]\w*)\[[@*]\]\}|\$\{?(?P<given>[@*])\}?")
_PIECE = re.compile(
    r"""
    (?P<space>[ \t]+)
    |(?P<end>\n|;;?&?|&&|\|\|?|&(?!>))
    |(?P<redirect>\d?(?:>>?|<<?<?)(?:&\d|&-)?|&>>?)
    |'(?P<single>[^']*)'
    |\$'(?P<ansi>(?:\\.|[^'\\])*)'
    |"(?P<double>(?:\\.|[^"\\])*)"
    |\\(?P<escaped>.)
    |(?P<substitution>\$\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`)
    |(?P<open>\()|(?P<close>\))
    |(?P<variable>\$(?:\w+|[@*#])?)
    |(?P<plain>[^\s'"\\$`;&|<>()]+)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclasses.dataclass(frozen=True)
class Command:
    """The words of a command. ``runs`` is None where a condition decides that is not known."""

    words: tuple[str, ...]
    runs: Known = True
    decided: bool = True  # whether all values in it are those that the script will have
    asked: frozenset[str] = frozenset()  # variables that it was made of


@dataclasses.dataclass(frozen=True)
class Script:
    """The commands of a script; what its variables came to, and references without a value."""

    steps: tuple[Command, ...]
    variables: t.Mapping[str, str]
    exported: frozenset[str]  # names of variables that its programs get
    missing: tuple[str, ...]  # files of variables that are not there
    unresolved: tuple[str, ...]

    @property
    def commands(self) -> tuple[tuple[str, ...], ...]:
        """The words of each command."""
        return tuple(each.words for each in self.steps)


def read_script(
    text: str,
    variables: t.Mapping[str, str],
    given: t.Sequence[str] | None = None,
    files: Files = no_files,
) -> Script:
    """Read a script; UnreadableError where a quote is not closed. ``given`` are the words that `$@` stands for."""
    reader = _Reader(joined(text), variables, files)
    reader.state.call_with(given)
    reader.read()
    state = reader.state
    return Script(
        tuple(reader.steps),
        reader.values.variables,
        frozenset(state.exported),
        tuple(state.missing),
        tuple(reader.values.unresolved),
    )


class _Reader:
    """One pass over the text; lists of shells (``ARGS=(…)``) are kept by name."""

    def __init__(self, text: str, variables: t.Mapping[str, str], files: Files) -> None:
        self.text = text
        self.values = Interpolation(variables)
        self.lists: dict[str, list[str]] = {}
        self.state = State(self.values, self.lists, files)
        self.branches = Branches(self.state.is_known)
        self.steps: list[Command] = []
        self.words: list[str] = []
        self.word: str | None = None
        self.filling: Filling | None = None  # the list that is being read
        self.patterns: list[str] = []  # of a branch of `case`, in front of the last one
        self.redirect = ""  # the next word is a file, or what a command reads

    def read(self) -> None:
        """Fill in the commands."""
        position = 0
        while position < len(self.text):
            if self.text.startswith("#", position) and self.word is None:
                position = self._behind_line(position)
                continue
            nested = self._braced(position) or self._nested(position)
            if nested is not None:
                position = nested
                continue
            piece = _PIECE.match(self.text, position)
            if piece is None:
                raise UnreadableError(self._not_closed(position))
            position = piece.end()
            self._take(piece)
        self._end_command("\n")

    def _behind_line(self, position: int) -> int:
        end = self.text.find("\n", position)
        return len(self.text) if end < 0 else end

    def _not_closed(self, position: int) -> str:
        """Without the text itself, which may be a secret."""
        line = self.text.count("\n", 0, position) + 1
        return f"the quote {self.text[position : position + 1]} in command {line} is not closed"

    def _braced(self, position: int) -> int | None:
        """``${NAME:-default}`` outside of quotes: its words are split."""
        if not self.text.startswith("${", position):
            return None
        end = closing(self.text, position + 1)
        if end is None:
            raise UnreadableError(self._not_closed(position + 1).replace("quote", "brace"))
        self._take_variable(self.text[position : end + 1])
        return end + 1

    def _nested(self, position: int) -> int | None:
        """Quotes and substitutions within one another."""
        if self.text.startswith("$(", position):
            end = end_of_substitution(self.text, position)
            if end:
                self._add(substituted(self.text[position:end], self.values))
            return end
        end = end_of_double(self.text, position) if self.text[position] == '"' else None
        if end and "$(" in self.text[position:end]:
            self._add(in_double(self.text[position + 1 : end - 1], self.values))
            return end
        return None

    def _take(self, piece: re.Match[str]) -> None:
        kind, text = piece.lastgroup or "", piece[piece.lastgroup or 0]
        if kind == "space":
            self._end_word()
        elif kind == "end":
            self._end_of(text)
        elif kind == "redirect":
            self._end_word()
            self.redirect = "" if text.endswith(("&1", "&2", "&-")) else text
        elif kind in ("open", "close"):
            self._take_bracket(text)
        elif kind == "variable" or (kind == "double" and self._list_of(text)):
            self._take_variable(text)
        else:
            self._add(quoted(kind, text, self.values))

    def _list_of(self, text: str) -> str | None:
        """The list that ``${NAME[@]}`` means; None where there is no such list."""
        whole = _ALL_OF.fullmatch(text)
        name = (whole["name"] or "@") if whole else ""
        return name if name in self.lists else None

    def _take_variable(self, text: str) -> None:
        listed = self._list_of(text)
        if listed:
            self._add_list(listed)
            return
        value = self.values.expand(text)
        if not value:
            return  # without quotes nothing is no word
        is_split = value != text and not _LIST.match(self.word or "") and self.state.is_known(value)
        parts = value.split() if is_split else [value]
        for place, part in enumerate(parts):
            if place:
                self._end_word()
            self._add(part)

    def _add_list(self, name: str) -> None:
        self.values.asked.add(name)
        for item in self.lists[name]:
            self._end_word()
            self.word = item
        self._end_word()

    def _add(self, text: str) -> None:
        self.word = (self.word or "") + text

    def _take_bracket(self, text: str) -> None:
        name = _LIST.fullmatch(self.word or "")
        if text == "(" and name:
            self.word, self.words = None, self.branches.follow(self.words)
            self.filling = Filling(name["name"], bool(name["more"]), self.branches.runs)
        elif text == ")" and self.filling:
            self._end_word()
            self.state.fill(self.filling)
            self.filling = None
        elif text == ")" and self.branches.in_patterns:
            self._end_word()
            self.branches.try_patterns([*self.patterns, *self.words])
            self.words, self.patterns = [], []
        elif self.word is not None:
            self._add(text)  # not a shell's bracket: somebody forgot quotes
        else:
            self._end_word()

    def _end_word(self) -> None:
        word, self.word = self.word, None
        if word is None:
            return
        if self.redirect:
            self.state.here = word if self.redirect == "<<<" else None
            self.redirect = ""
        elif self.filling:
            self.filling.items.append(word)
        else:
            self.words.append(word)

    def _end_of(self, text: str) -> None:
        if self.filling and text == "\n":
            self._end_word()
        else:
            self._end_command(text)

    def _end_command(self, separator: str) -> None:
        self._end_word()
        self.redirect = ""
        if separator == "|" and self.branches.in_patterns and len(self.words) == 1:
            self.patterns, self.words = [*self.patterns, *self.words], []
            return
        self.patterns = []
        self.state.enter(self.words)
        words, self.words = self.branches.follow(self.words), []
        runs = self.branches.runs
        if words:
            asked = frozenset(self.values.asked)
            self.steps.append(Command(tuple(words), runs, self.state.is_decided(), asked))
            self.state.remember(words, runs)
        self.state.end()
        self.branches.end(words, separator)
