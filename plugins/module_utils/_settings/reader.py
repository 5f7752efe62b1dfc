"""One pass over the words of a command line, in argparse's way, that goes on behind every mistake."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .jsonclass import check_class, texts
from .problem import Problem, under
from .values import EMPTY, BadValueError, convert, load_json

if t.TYPE_CHECKING:
    from .parsed import Parsed
    from .tables import Option, Table

NEGATIVE_NUMBER = re.compile(r"^-\d+$|^-\d*\.\d+$")


@dataclasses.dataclass(frozen=True)
class _Match:
    """A word that is an option: which one, as which of its names, with what behind its ``=``."""

    option: Option | None
    name: str
    explicit: str | None = None


_AMBIGUOUS = _Match(None, "")


class Reader:
    """One pass over the words, argparse's way: every word is an option, a value, or the ``--`` between them."""

    def __init__(self, table: Table, parsed: Parsed, line: list[str]) -> None:
        """Find out which words are options; nothing is read before ``read``."""
        self.table = table
        self.parsed = parsed
        self.line = line
        self.matches: dict[int, _Match] = {}
        end = line.index("--") if "--" in line else len(line)
        for index, word in enumerate(line[:end]):
            match = self._match(word)
            if match:
                self.matches[index] = match
        self.separator = end
        self.stray: list[str] = []
        self.model_taken = False

    def read(self) -> None:
        """Fill in what was parsed."""
        index = 0
        while index < len(self.line):
            index = self._option(index) if index in self.matches else self._positional(index)
        for word in self.stray:
            self.parsed.problems.append(
                Problem("unknown_word", "belongs to no option", value=word, word=word)
            )

    # which words are options
    def _match(self, word: str) -> _Match | None:
        if not word.startswith("-") or word == "-":
            return None
        name, equals, explicit = word.partition("=")
        for known, value in ((word, None), (name, explicit if equals else None)):
            if known in self.table.by_name:
                return _Match(self.table.by_name[known], known, value)
        found = self._abbreviated(word)
        if len(found) > 1:
            self._refuse("ambiguous_option", f"could be {texts(match.name for match in found)}", word=word)
            return _AMBIGUOUS
        if found:
            return found[0]
        if NEGATIVE_NUMBER.match(word) or " " in word:
            return None
        return _Match(None, word)

    def _abbreviated(self, word: str) -> list[_Match]:
        known = self.table.by_name
        if word.startswith("--"):
            start, equals, explicit = word.partition("=")
            return [
                _Match(known[name], name, explicit if equals else None)
                for name in known
                if name.startswith(start)
            ]
        found = [_Match(known[name], name) for name in known if name.startswith(word)]
        short = word[:2]
        return [_Match(known[short], short, word[2:]), *found] if short in known else found

    # one step
    def _positional(self, index: int) -> int:
        """The first word that no option takes is the model; everything after it is a mistake."""
        end = min((place for place in self.matches if place >= index), default=len(self.line))
        free = self.line[index:end]
        if not self.model_taken and free != ["--"]:
            self.model_taken = True
            if "--" in free[:2]:
                free.remove("--")  # the one that parts options from words belongs to the model then
            self.parsed.model = free.pop(0)
        self.stray += free if self.model_taken else []
        return end

    def _option(self, index: int) -> int:
        match = self.matches[index]
        following = self._values_behind(index)
        if match is _AMBIGUOUS:
            return index + 1 + len(following)
        if match.option is None:
            return self._unknown(index, match, following)
        option = match.option
        self.parsed.order.append((option.dest, match.name))
        if match.name != self.line[index].partition("=")[0] and self.line[index].startswith("--"):
            self._remark("abbreviated_option", f"is read as {match.name}", option, self.line[index])
        if match.explicit is not None:
            self._explicit(match, option)
            return index + 1
        wanted = _wanted(option, len(following))
        if wanted is None:
            self._refuse("missing_value", "takes a value", option, word=match.name)
            return index + 1
        self._take(option, match.name, following[:wanted])
        return index + 1 + wanted

    def _values_behind(self, index: int) -> list[str]:
        end = index + 1
        while end < len(self.line) and end not in self.matches and end != self.separator:
            end += 1
        return self.line[index + 1 : end]

    def _unknown(self, index: int, match: _Match, following: list[str]) -> int:
        name, equals, explicit = match.name.partition("=")
        values = [explicit] if equals else following
        if not equals and not self.model_taken and self._model_behind(index, following):
            values = following[:-1]
        self.parsed.unknown.append((name, values))
        self._refuse("unknown_option", "is no option", value=" ".join(values) or None, word=name)
        return index + 1 + (0 if equals else len(values))

    def _model_behind(self, index: int, following: list[str]) -> bool:
        """Whether the last of the words behind an unknown option must be the model, as no other word can be."""
        later = [
            place for place in range(index + 1 + len(following), len(self.line)) if place not in self.matches
        ]
        return bool(following) and not later

    def _explicit(self, match: _Match, option: Option) -> None:
        if option.switch:
            self._refuse(
                "unexpected_value", "is a switch and takes no value", option, match.explicit, word=match.name
            )
        else:
            self._take(option, match.name, [match.explicit or ""])

    # values
    def _take(self, option: Option, name: str, values: list[str]) -> None:
        if option.switch:
            self._switch(option, name)
            return
        if not values:
            self.parsed.values[option.dest] = option.const
            return
        read = [self._value(option, text, name) for text in values]
        if any(value is _BAD for value in read):
            return
        if option.action == "append":
            self.parsed.values.setdefault(option.dest, []).append(read[0])
        elif option.action == "lora":
            self._lora(option, read)
        else:
            self.parsed.values[option.dest] = read if option.nargs == "+" else read[0]

    def _switch(self, option: Option, name: str) -> None:
        if option.action == "help":
            self._refuse("refused", "prints the help instead of serving", word=name)
        else:
            self.parsed.values[option.dest] = name not in option.off

    def _value(self, option: Option, text: str, name: str) -> t.Any:
        try:
            value = convert(option.type, text, self.table.release)
        except BadValueError as error:
            kind = "invalid_json" if option.json_class or "json" in (option.type or "") else "invalid_value"
            self._refuse(t.cast(t.Any, kind), str(error), option, text, word=name)
            return _BAD
        if option.choices is not None and value not in option.choices:
            allowed = option.choices
            self._refuse("invalid_choice", f"takes one of {texts(allowed)}", option, text, allowed, name)
            return _BAD
        if option.json_class and not (value is None and text in EMPTY):
            found = check_class(self.table, option.json_class, value)
            self.parsed.problems += [
                dataclasses.replace(under(each, option.dest), word=name) for each in found
            ]
        return value

    def _lora(self, option: Option, items: list[t.Any]) -> None:
        found = []
        for item in items:
            if item in (None, ""):
                continue
            if "=" in item and "," not in item:
                found.append(self._lora_pair(option, item))
            else:
                found.append(self._lora_json(option, item))
        self.parsed.values[option.dest] = found

    def _lora_pair(self, option: Option, text: str) -> dict[str, str]:
        name, _equals, path = text.partition("=")
        if "=" in path and self.table.release < (0, 30, 0):
            self._refuse("invalid_value", "takes one = between name and path, in this release", option, text)
        return {"name": name, "path": path}

    def _lora_json(self, option: Option, text: str) -> t.Any:
        try:
            value = load_json(text)
        except BadValueError:
            value = None
        known = {"name", "path", "base_model_name"}
        if self.table.release >= (0, 22, 0):
            known.add("is_3d_lora_weight")
        if not isinstance(value, dict) or not {"name", "path"} <= set(value) <= known:
            self._refuse("invalid_value", "takes name=path, or JSON with name and path", option, text)
        return value

    def _refuse(
        self,
        kind: t.Any,
        message: str,
        option: Option | None = None,
        value: t.Any = None,
        allowed: tuple[t.Any, ...] = (),
        word: str | None = None,
    ) -> None:
        dest = option.dest if option else None
        self.parsed.problems.append(Problem(kind, message, dest, value, allowed, word))

    def _remark(self, kind: t.Any, message: str, option: Option, word: str) -> None:
        self.parsed.remarks.append(Problem(kind, message, option.dest, word=word))


_BAD = object()


def _wanted(option: Option, available: int) -> int | None:
    """How many of the following words the option takes; None where it lacks one."""
    if option.switch:
        return 0
    if option.nargs == "?":
        return min(1, available)
    if not available:
        return None
    return available if option.nargs == "+" else 1
