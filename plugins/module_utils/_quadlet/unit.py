"""Unit files: sections and keys, to text and back, and what differs between two."""

from __future__ import annotations

import dataclasses
import typing as t

_SPACE = " \t\r"  # what systemd takes for space: a no-break space belongs to the value


@dataclasses.dataclass(frozen=True)
class Section:
    """A section and its lines, in order; a key may stand there several times."""

    name: str
    lines: tuple[tuple[str, str], ...]

    def all(self, key: str) -> list[str]:
        """Every value of a key; as in systemd an empty one clears those before it."""
        values: list[str] = []
        for name, text in self.lines:
            if name == key:
                values = [*values, text] if text else []
        return values

    def last(self, key: str) -> str | None:
        """The value that counts where a key stands once."""
        values = self.all(key)
        return values[-1] if values else None


@dataclasses.dataclass(frozen=True)
class Unit:
    """A unit file: a comment at its head, then sections."""

    sections: tuple[Section, ...]
    comment: str = ""

    def section(self, name: str) -> Section:
        """A section by its name; empty where the file has none."""
        lines = [line for section in self.sections if section.name == name for line in section.lines]
        return Section(name, tuple(lines))


@dataclasses.dataclass(frozen=True)
class Difference:
    """One key of one section, its values before and after."""

    section: str
    key: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def format_unit(unit: Unit) -> str:
    """The text of a unit file. Only `#` begins a comment in every Podman."""
    blocks = ["".join(f"# {line}\n" for line in unit.comment.splitlines())] if unit.comment else []
    for section in unit.sections:
        body = "".join(f"{key}={text}\n" for key, text in section.lines)
        blocks.append(f"[{section.name}]\n{body}")
    return "\n".join(blocks)


def parse_unit(text: str) -> Unit:
    """The unit that a text says; lines that continue after a backslash are joined."""
    sections: list[tuple[str, list[tuple[str, str]]]] = []
    comment: list[str] = []
    for line in _logical_lines(text):
        if line[0] in "#;":
            if not sections:
                comment.append(line[1:].strip(_SPACE))
        elif line.startswith("[") and line.endswith("]"):
            sections.append((line[1:-1], []))
        elif "=" not in line or not sections:
            raise ValueError(f"not a section, a comment or a key with its value: {line!r}")
        else:
            key, _equals, rest = line.partition("=")
            sections[-1][1].append((key.rstrip(_SPACE), rest.lstrip(_SPACE)))
    return Unit(tuple(Section(name, tuple(lines)) for name, lines in sections), "\n".join(comment))


def _logical_lines(text: str) -> t.Iterator[str]:
    begun = ""
    for raw in text.split("\n"):
        line = raw.strip(_SPACE)
        if begun and line[:1] in ("#", ";"):
            continue  # a comment inside a continued line
        if line.endswith("\\") and line[:1] not in ("#", ";"):
            begun += line[:-1] + " "
            continue
        if begun + line:
            yield begun + line
        begun = ""
    if begun.strip(_SPACE):
        yield begun.strip(_SPACE)


def differences(before: Unit, after: Unit) -> list[Difference]:
    """Every key whose values differ; the order of keys, comments and empty lines do not count."""
    found = []
    for section, key in _places(before, after):
        old = tuple(text for name, text in before.section(section).lines if name == key)
        new = tuple(text for name, text in after.section(section).lines if name == key)
        if old != new:
            found.append(Difference(section, key, old, new))
    return found


def _places(*units: Unit) -> list[tuple[str, str]]:
    places = [
        (section.name, key) for unit in units for section in unit.sections for key, _text in section.lines
    ]
    return list(dict.fromkeys(places))
