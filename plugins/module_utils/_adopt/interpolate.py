"""``$NAME`` and ``${NAME:-default}`` as shells and compose files have them."""

from __future__ import annotations

import re
import typing as t

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OF_SHELL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+|#(?!\w)")  # and what a script was called with
_RULE = re.compile(r"(:?[-=?+])(.*)", re.DOTALL)
_TRIM = re.compile(r"(##?|%%?)(.+)", re.DOTALL)


class Interpolation:
    """Puts values in, and remembers what it had none for, and what it was asked for.

    ``doubled`` tells whether ``$$`` is a dollar, as in compose files, which know neither quotes nor arguments.
    """

    def __init__(self, variables: t.Mapping[str, str], doubled: bool = False) -> None:
        """Keep the values that are known."""
        self.variables = dict(variables)
        self.doubled = doubled
        self.unresolved: list[str] = []
        self.asked: set[str] = set()
        self._name = _NAME if doubled else _OF_SHELL

    def expand(self, text: str) -> str:
        """The text with every value that is known."""
        found, position = "", 0
        while position < len(text):
            if text[position] != "$":
                end = text.find("$", position)
                end = len(text) if end < 0 else end
                found, position = found + text[position:end], end
                continue
            value, position = self._at(text, position)
            found += value
        return found

    def deep(self, value: t.Any) -> t.Any:
        """The same for all texts of plain data; keys stay as they are."""
        if isinstance(value, dict):
            return {key: self.deep(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.deep(each) for each in value]
        return self.expand(value) if isinstance(value, str) else value

    def _at(self, text: str, position: int) -> tuple[str, int]:
        """What the dollar at that place stands for, and where to go on."""
        if self.doubled and text[position + 1 : position + 2] == "$":
            return "$", position + 2
        if text[position + 1 : position + 2] == "{":
            end = closing(text, position + 1)
            if end is None:
                return "$", position + 1
            return self._braced(text[position + 2 : end], text[position : end + 1]), end + 1
        name = self._name.match(text, position + 1)
        if name is None:
            return "$", position + 1
        return self._value(name[0], text[position : name.end()]), name.end()

    def _braced(self, inner: str, written: str) -> str:
        name = self._name.match(inner)
        if name is None:
            return self.unknown(written)
        self.asked.add(name[0])
        rule = _RULE.fullmatch(inner, name.end())
        value = self.variables.get(name[0])
        if rule is None:
            return self._other(name[0], inner[name.end() :], written)
        kind, rest = rule.groups()
        rest = rest if self.doubled else _without_quotes(rest)
        is_set = value is not None and (value != "" or ":" not in kind)
        if kind[-1] == "+":
            return self.expand(rest) if is_set else ""
        if is_set:
            return value or ""
        if kind[-1] == "?":
            return self.unknown(written)
        if kind[-1] == "=":
            self.variables[name[0]] = self.expand(rest)
        return self.expand(rest)

    def _other(self, name: str, rule: str, written: str) -> str:
        """``${NAME}``, and of shells ``${NAME##*/}`` and its like."""
        trim = None if self.doubled else _TRIM.fullmatch(rule)
        value = self.variables.get(name)
        if trim and value is not None:
            return _trimmed(value, trim[1], self.expand(_without_quotes(trim[2])))
        return self.unknown(written) if rule else self._value(name, written)

    def _value(self, name: str, written: str) -> str:
        self.asked.add(name)
        value = self.variables.get(name)
        return self.unknown(written) if value is None else value

    def unknown(self, written: str) -> str:
        if written not in self.unresolved:
            self.unresolved.append(written)
        return written


def _without_quotes(text: str) -> str:
    """A default as a shell takes it: ``"0,1"`` and ``'0,1'`` are 0,1."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    return re.sub(r"(?<!\\)\"", "", text).replace('\\"', '"')


def _trimmed(value: str, kind: str, pattern: str) -> str:
    """``#`` takes the shortest beginning away that the pattern fits, ``##`` the longest; ``%`` and ``%%`` an end."""
    pattern = re.sub(r"\*+", "*", pattern)
    glob = re.compile(
        "".join({"*": ".*", "?": "."}.get(char, re.escape(char)) for char in pattern), re.DOTALL
    )
    places = range(len(value) + 1)
    if kind in ("##", "%"):
        places = places[::-1]
    for place in places:
        part, rest = (value[:place], value[place:]) if kind[0] == "#" else (value[place:], value[:place])
        if glob.fullmatch(part):
            return rest
    return value


def closing(text: str, opening: int) -> int | None:
    """The place of the brace that closes the one at ``opening``; None where there is none."""
    depth = 0
    for position in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return None


def read_dotenv(text: str) -> dict[str, str]:
    """The variables of a file of ``NAME=value`` lines, as compose and --env-file take them."""
    found: dict[str, str] = {}
    for raw in text.splitlines():
        line = raw.strip()
        line = line[7:].lstrip() if line.startswith("export ") else line
        name, equals, value = line.partition("=")
        if not equals or not _NAME.fullmatch(name.strip()):
            continue
        found[name.strip()] = _unquoted(value.strip())
    return found


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return re.split(r"\s#", value, maxsplit=1)[0].rstrip()
