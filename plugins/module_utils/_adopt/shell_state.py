"""What a shell script knows at a place of it: variables, lists, what is exported, and what a condition left open."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .branches import Known
from .files import Files
from .interpolate import Interpolation, read_dotenv

_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<more>\+?)=(?P<value>.*)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_DECLARING = ("export", "declare", "local", "readonly", "typeset")
# What a script was called with: nothing, when it is read.
_ARGUMENT = re.compile(r"\$\{?(?:\d|[@*]|OPTARG\b)")
_ENV_FILE = re.compile(r"[\w./~-]*\.env\b[\w.-]*")


@dataclasses.dataclass
class Filling:
    """A list that is being read; ``more`` are items for one that is there."""

    name: str
    more: bool
    runs: Known
    items: list[str] = dataclasses.field(default_factory=list)


class State:
    """Follows the assignments of a script."""

    def __init__(self, values: Interpolation, lists: dict[str, list[str]], files: Files) -> None:
        """``values`` and ``lists`` are filled in."""
        self.values, self.lists, self._files = values, lists, files
        self.exported: set[str] = set()
        self.missing: list[str] = []
        self.here: str | None = None  # what a command reads (<<<)
        self._exports_all = False
        self._open: set[str] = set()  # variables whose value hangs on a condition

    def call_with(self, arguments: t.Sequence[str] | None) -> None:
        """What the script is called with; where that is None its `$@` is not known, but taken for nothing when counted."""
        if arguments is not None:
            self.lists["@"] = list(arguments)
        self.values.variables["#"] = str(len(arguments or ()))

    def is_known(self, word: str) -> bool:
        """Whether there is no reference without a value in it."""
        return not any(each in word for each in self.values.unresolved)

    def is_decided(self) -> bool:
        """Whether what the command at hand asked for hangs on no condition."""
        return not self.values.asked & self._open

    def end(self) -> None:
        """A command is over."""
        self.values.asked.clear()
        self.here = None

    def fill(self, filling: Filling) -> None:
        """A list has its items, which may have come from itself."""
        if filling.runs is False:
            return
        self._decide(filling.name, filling.runs, filling.more)
        before = self.lists.get(filling.name, []) if filling.more else []
        self.lists[filling.name] = [*before, *filling.items]

    def enter(self, words: t.Sequence[str]) -> None:
        """A loop is read as its first round."""
        if words[:1] == ["for"] and words[2:3] == ["in"] and len(words) > 3 and _NAME.fullmatch(words[1]):
            self.values.variables[words[1]] = words[3]
            self._open.add(words[1])

    def remember(self, words: t.Sequence[str], runs: Known) -> None:
        """What a command changes."""
        if runs is False:
            return
        if words[0] in ("source", "."):
            self._source(words[1:2])
        elif words[0] == "set":
            self._set(words[1:])
        elif words[0] == "read":
            self._read(words)
        else:
            self._assign(words, runs)

    def _assign(self, words: t.Sequence[str], runs: Known) -> None:
        """Assignments that stand alone, or behind ``export``, hold for what follows."""
        declares = words[0] in _DECLARING
        rest = [
            word for word in (words[1:] if declares else words) if not (declares and word.startswith("-"))
        ]
        found = [_ASSIGNMENT.fullmatch(word) for word in rest]
        if not declares and not all(found):
            return
        exports = words[0] == "export" or (declares and "-x" in words) or self._exports_all
        for word, each in zip(rest, found):
            if each:
                self._put(each, runs)
            if exports and each:
                self.exported.add(each["name"])
            elif exports and _NAME.fullmatch(word):
                self.exported.add(word)
            elif exports:
                self._source(_ENV_FILE.findall(word)[:1], exports=True)

    def _put(self, each: re.Match[str], runs: Known) -> None:
        name, value = each["name"], each["value"]
        known = self.values.variables.get(name)
        if known is not None and _ARGUMENT.search(value):
            return  # an option of the script, which was not given
        if runs is None and known and self.is_known(known):
            self._open.add(name)  # one of several values: the first that is known
            return
        self.values.variables[name] = (known or "") + value if each["more"] else value
        self._decide(name, runs, bool(each["more"]))

    def _decide(self, name: str, runs: Known, more: bool = False) -> None:
        if runs is None or not self.is_decided():
            self._open.add(name)
        elif runs and not more:
            self._open.discard(name)

    def _source(self, names: t.Sequence[str], exports: bool = False) -> None:
        """Files of variables; other scripts that are read in are left alone."""
        for name in names:
            text = self._files(name) if _ENV_FILE.fullmatch(name) else ""
            if text is None and name not in self.missing:
                self.missing.append(name)
            for key, value in read_dotenv(text or "").items():
                self.values.variables[key] = self.values.expand(value)
                self._decide(key, True)
                if (
                    exports
                    or self._exports_all
                    or re.search(rf"^\s*export\s+{key}=", text or "", re.MULTILINE)
                ):
                    self.exported.add(key)

    def _set(self, options: t.Sequence[str]) -> None:
        if "--" in options:
            self.call_with(options[list(options).index("--") + 1 :])
        text = " ".join(options)
        if re.search(r"(?:^| )(?:-\w*a\w*|-o allexport)\b", text):
            self._exports_all = True
        elif re.search(r"(?:^| )(?:\+\w*a\w*|\+o allexport)\b", text):
            self._exports_all = False

    def _read(self, words: t.Sequence[str]) -> None:
        """``read -r -a ARGS <<< "$TEXT"``."""
        if self.here is None or not _NAME.fullmatch(words[-1]):
            return
        if any(re.fullmatch(r"-\w*a", word) for word in words):
            self.lists[words[-1]] = self.here.split()
        else:
            self.values.variables[words[-1]] = self.here
