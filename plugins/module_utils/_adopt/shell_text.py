"""The text of a shell script before its words: remarks, prompts, lines that go on, documents within it, and where quotes end."""

from __future__ import annotations

import re
import typing as t

_HERE = re.compile(
    r"<<-?[ \t]*(?P<quote>['\"\\]?)(?P<name>\w+)['\"]?(?P<rest>[^\n]*)\n(?P<body>.*?)\n?[ \t]*(?P=name)[ \t]*(?=\n|$)",
    re.DOTALL,
)
_PROMPT = re.compile(r"^\s*(?:[\w.@~/:-]+)?[$>#]\s+(?=\S)")
_GOES_ON = re.compile(r"\\[ \t]*$")
_DEEPEST = 40  # quotes within substitutions within quotes


class HereDocument(t.NamedTuple):
    """A text inside a script. ``literal`` tells that no variables are put in."""

    body: str
    literal: bool


def here_documents(text: str) -> list[HereDocument]:
    """The documents of a script, in order."""
    found = _HERE.finditer(text.replace("\r\n", "\n"))
    return [HereDocument(each["body"], bool(each["quote"])) for each in found]


def joined(text: str) -> str:
    """One command a line: without remarks, prompts, fences and documents; lines that go on are joined."""
    kept = []
    text = _HERE.sub(lambda here: here["rest"], text.replace("\r\n", "\n"))
    lines = text.split("\n")
    for place, raw in enumerate(lines):
        if raw.lstrip().startswith("```") or re.match(r"\s*#(?!\s*(?:docker|podman|vllm) )", raw):
            continue
        kept.append(raw if _is_redirect(lines, place) else _PROMPT.sub("", raw))
    # A remark behind the backslash, and lines that somebody joined with theirs left in: shells take neither, people paste them.
    text = re.sub(r"(?<=\s)\\[ \t]+#[^\n]*\n", "\\\n", "\n".join(kept))
    text = re.sub(r"(?<=\s)\\[ \t]+(?=\S)", " ", text)
    lines_joined = re.sub(r"(?:\\|(?<=\s)[\^`])[ \t]*\n[ \t]*", " ", text)
    return lines_joined.rstrip().rstrip("\\").rstrip()


def _is_redirect(lines: t.Sequence[str], place: int) -> bool:
    """Whether ``> x`` at the head of a line names a file: the lines of one command have a prompt together, or none has."""
    first = place
    while first > 0 and _GOES_ON.search(lines[first - 1]):
        first -= 1
    return first < place and not lines[first + 1].lstrip().startswith("> ")


def end_of_double(text: str, opening: int, depth: int = 0) -> int | None:
    """The place behind the double quote that closes the one at ``opening``; None where there is none."""
    place = opening + 1
    while place < len(text) and depth < _DEEPEST:
        char = text[place]
        if char == '"':
            return place + 1
        behind = end_of_substitution(text, place, depth + 1) if text.startswith("$(", place) else None
        place = behind or place + (2 if char == "\\" else 1)
    return None


def end_of_substitution(text: str, opening: int, depth: int = 0) -> int | None:
    """The place behind the bracket that closes ``$(`` at ``opening``; None where there is none."""
    place, open_ones = opening + 1, 0
    while place < len(text) and depth < _DEEPEST:
        char = text[place]
        if char == "'":
            place = text.find("'", place + 1) + 1 or len(text)
            continue
        if char == '"':
            place = end_of_double(text, place, depth + 1) or len(text)
            continue
        open_ones += {"(": 1, ")": -1}.get(char, 0)
        if not open_ones:
            return place + 1
        place += 2 if char == "\\" else 1
    return None
