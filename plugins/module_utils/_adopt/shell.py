"""Scripts of a shell, as far as they are needed to read the command lines in them: words, quotes, variables, lists."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .found import UnreadableError
from .interpolate import Interpolation, closing

_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)\+?=(?P<value>.*)", re.DOTALL)
_LIST = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<more>\+?)=")
_ALL_OF = re.compile(r"\$\{(?P<name>[A-Za-z_]\w*)\[[@*]\]\}|\$\{?(?P<given>[@*])\}?")
_HERE = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1(?P<rest>[^\n]*)\n.*?\n[ \t]*\2[ \t]*(?=\n|$)", re.DOTALL)
_PROMPT = re.compile(r"^\s*(?:[\w.@~/:-]+)?[$>#]\s+(?=\S)")
_PIECE = re.compile(
    r"""
    (?P<space>[ \t]+)
    |(?P<end>\n|;;?|&&|\|\|?|&(?!>))
    |(?P<redirect>\d?(?:>>?|<<?<?)(?:&\d|&-)?|&>>?)
    |'(?P<single>[^']*)'
    |\$'(?P<ansi>(?:\\.|[^'\\])*)'
    |"(?P<double>(?:\\.|[^"\\])*)"
    |\\(?P<escaped>.)
    |(?P<substitution>\$\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`)
    |(?P<open>\()|(?P<close>\))
    |(?P<variable>\$(?:\w+|[@*])?)
    |(?P<plain>[^\s'"\\$`;&|<>()]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_DOUBLE = re.compile(r'\\([\\"$`\n])|\$\([^()]*\)|`[^`]*`|\\|[^\\$`]+|\$\{|\$\w*|`', re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Script:
    """The commands of a script, each as its words; what its variables came to, and references without a value."""

    commands: tuple[tuple[str, ...], ...]
    variables: t.Mapping[str, str]
    unresolved: tuple[str, ...]


def read_script(text: str, variables: t.Mapping[str, str], given: t.Sequence[str] | None = None) -> Script:
    """Read a script; UnreadableError where a quote is not closed. ``given`` are the words that `$@` stands for."""
    reader = _Reader(_joined(text), variables)
    if given is not None:
        reader.lists["@"] = list(given)
    reader.read()
    return Script(
        tuple(tuple(words) for words in reader.commands if words),
        reader.values.variables,
        tuple(reader.values.unresolved),
    )


def _joined(text: str) -> str:
    """One command a line: without comments, prompts and fences; lines that go on are joined."""
    kept = []
    text = _HERE.sub(lambda here: here["rest"], text.replace("\r\n", "\n"))
    for raw in text.split("\n"):
        if raw.lstrip().startswith("```") or re.match(r"\s*#(?!\s*(?:docker|podman|vllm) )", raw):
            continue
        kept.append(_PROMPT.sub("", raw))
    # A remark behind the backslash, and lines that somebody joined with theirs left in: shells take neither, people paste them.
    text = re.sub(r"(?<=\s)\\[ \t]+#[^\n]*\n", "\\\n", "\n".join(kept))
    text = re.sub(r"(?<=\s)\\[ \t]+(?=\S)", " ", text)
    joined = re.sub(r"(?:\\|(?<=\s)[\^`])[ \t]*\n[ \t]*", " ", text)
    return joined.rstrip().rstrip("\\").rstrip()


class _Reader:
    """One pass over the text; lists of shells (``ARGS=(…)``) are kept by name."""

    def __init__(self, text: str, variables: t.Mapping[str, str]) -> None:
        self.text = text
        self.values = Interpolation(variables)
        self.lists: dict[str, list[str]] = {}
        self.commands: list[list[str]] = []
        self.words: list[str] = []
        self.word: str | None = None
        self.filling: str | None = None  # the list that is being read
        self.skips = False  # the next word is a file

    def read(self) -> None:
        """Fill in the commands."""
        position = 0
        while position < len(self.text):
            if self.text.startswith("#", position) and self.word is None:
                position = self._behind_line(position)
                continue
            braced = self._braced(position)
            if braced is not None:
                position = braced
                continue
            piece = _PIECE.match(self.text, position)
            if piece is None:
                raise UnreadableError(self._not_closed(position))
            position = piece.end()
            self._take(piece)
        self._end_command()

    def _behind_line(self, position: int) -> int:
        end = self.text.find("\n", position)
        return len(self.text) if end < 0 else end

    def _not_closed(self, position: int) -> str:
        line = self.text.count("\n", 0, position) + 1
        return f"the quote at {self.text[position : position + 30]!r} (command {line}) is not closed"

    def _braced(self, position: int) -> int | None:
        """``${NAME:-default}`` outside of quotes: its words are split."""
        if not self.text.startswith("${", position):
            return None
        end = closing(self.text, position + 1)
        if end is None:
            raise UnreadableError(f"the brace at {self.text[position : position + 30]!r} is not closed")
        self._take_variable(self.text[position : end + 1])
        return end + 1

    def _take(self, piece: re.Match[str]) -> None:
        kind, text = piece.lastgroup or "", piece[piece.lastgroup or 0]
        if kind == "space":
            self._end_word()
        elif kind == "end":
            self._end_of(text)
        elif kind == "redirect":
            self._end_word()
            self.skips = not text.endswith(("&1", "&2", "&-"))
        elif kind in ("open", "close"):
            self._take_bracket(text)
        elif kind == "variable" or (kind == "double" and self._list_of(text)):
            self._take_variable(text)
        else:
            self._add(self._text_of(kind, text))

    def _text_of(self, kind: str, text: str) -> str:
        if kind == "double":
            return self._double(text)
        if kind == "ansi":
            return text.replace("\\'", "'").replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
        if kind == "substitution":
            return self._substitution(text)
        return text

    def _substitution(self, text: str) -> str:
        """What a command would print is not known, except for the folder it runs in."""
        if text in ("$(pwd)", "`pwd`"):
            return self.values.expand("${PWD}")
        self.values.unresolved += [] if text in self.values.unresolved else [text]
        return text

    def _list_of(self, text: str) -> str | None:
        """The list that ``${NAME[@]}`` means; None where there is no such list."""
        whole = _ALL_OF.fullmatch(text)
        name = (whole["name"] or "@") if whole else ""
        return name if name in self.lists else None

    def _double(self, text: str) -> str:
        found, position = "", 0
        while position < len(text):
            if text.startswith("${", position):
                end = closing(text, position + 1)
                end = len(text) - 1 if end is None else end
                found += self.values.expand(text[position : end + 1])
                position = end + 1
                continue
            piece = _IN_DOUBLE.match(text, position)
            position = piece.end() if piece else len(text)
            found += self._inside_double(piece) if piece else ""
        return found

    def _inside_double(self, piece: re.Match[str]) -> str:
        if piece[1] is not None:
            return "" if piece[1] == "\n" else piece[1]
        if piece[0].startswith(("$(", "`")) and len(piece[0]) > 1:
            return self._substitution(piece[0])
        return self.values.expand(piece[0]) if piece[0].startswith("$") else piece[0]

    def _take_variable(self, text: str) -> None:
        listed = self._list_of(text)
        if listed:
            self._add_list(listed)
            return
        value = self.values.expand(text)
        if not value:
            return  # without quotes nothing is no word
        parts = value.split() if value != text and not _ASSIGNMENT.match(self.word or "") else [value]
        for place, part in enumerate(parts):
            if place:
                self._end_word()
            self._add(part)

    def _add_list(self, name: str) -> None:
        for item in self.lists[name]:
            self._end_word()
            self.word = item
        self._end_word()

    def _add(self, text: str) -> None:
        self.word = (self.word or "") + text

    def _take_bracket(self, text: str) -> None:
        name = _LIST.fullmatch(self.word or "")
        if text == "(" and name:
            self.filling, self.word = name["name"], None
            self.lists.setdefault(self.filling, [])
            self.lists[self.filling] = self.lists[self.filling] if name["more"] else []
        elif text == ")" and self.filling:
            self._end_word()
            self.filling = None
        elif self.word is not None:
            self._add(text)  # not a shell's bracket: somebody forgot quotes
        else:
            self._end_word()

    def _end_word(self) -> None:
        word, self.word = self.word, None
        if word is None:
            return
        if self.skips:
            self.skips = False
        elif self.filling:
            self.lists[self.filling].append(word)
        else:
            self.words.append(word)

    def _end_of(self, text: str) -> None:
        if self.filling and text == "\n":
            self._end_word()
        else:
            self._end_command()

    def _end_command(self) -> None:
        self._end_word()
        self.skips = False
        words, self.words = self.words, []
        self._remember(words)
        self.commands.append(words)

    def _remember(self, words: list[str]) -> None:
        """Assignments that stand alone, or behind ``export``, hold for what follows."""
        rest = words[1:] if words[:1] and words[0] in ("export", "declare", "local", "readonly") else words
        found = [_ASSIGNMENT.fullmatch(word) for word in rest if not word.startswith("-")]
        if found and all(found):
            self.values.variables.update({each["name"]: each["value"] for each in found if each})
