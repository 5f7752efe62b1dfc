"""The YAML that CDI specs are written in, read without PyYAML, which hosts need not have.

Block and one-line flow collections, plain and quoted scalars, comments. What goes beyond (anchors, tags, block scalars,
several documents, keys that are no text) is a ValueError that names the line: better no answer than a wrong one.
"""

from __future__ import annotations

import re
import typing as t

_KEY = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\[\]{},"'#&*!|>%@`-][^:#]*?|-[^\s:#][^:#]*?)\s*:(?=\s|$)"""
)
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)$")
_OCTAL = re.compile(r"0o?([0-7]+)$")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


class _Line(t.NamedTuple):
    number: int
    indent: int
    text: str


def parse(text: str) -> t.Any:
    """The data that a document holds."""
    lines = _lines(text)
    if not lines:
        return None
    if len(lines) == 1 and not _KEY.match(lines[0].text) and not _is_item(lines[0].text):
        return _scalar(lines[0].text, lines[0].number)
    data, rest = _block(lines, lines[0].indent)
    if rest:
        raise ValueError(f"line {rest[0].number}: indentation that belongs to nothing: {rest[0].text!r}")
    return data


def _lines(text: str) -> list[_Line]:
    found: list[_Line] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_comment(raw).rstrip()
        content = line.lstrip(" ")
        if not content or (content == "---" and not found):
            continue
        if content.startswith(("\t", "---", "...", "%")):
            raise ValueError(f"line {number}: {content[:20]!r} is beyond the YAML of a CDI spec")
        found.append(_Line(number, len(line) - len(content), content))
    return found


def _without_comment(line: str) -> str:
    if "#" not in line:
        return line
    # A mark inside quotes is text: look for it with the quoted parts masked.
    masked = _QUOTED.sub(lambda match: "x" * len(match.group(0)), line)
    comment = _COMMENT.search(masked)
    return line[: comment.start()] if comment else line


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _block(lines: list[_Line], indent: int) -> tuple[t.Any, list[_Line]]:
    return _sequence(lines, indent) if _is_item(lines[0].text) else _mapping(lines, indent)


def _sequence(lines: list[_Line], indent: int) -> tuple[list[t.Any], list[_Line]]:
    items: list[t.Any] = []
    while lines and lines[0].indent == indent and _is_item(lines[0].text):
        first = lines[0]
        content = first.text[1:].lstrip(" ")
        if not content:
            item, lines = _nested(lines[1:], indent + 1)
        elif _KEY.match(content) or _is_item(content):
            inner = indent + len(first.text) - len(content)
            item, lines = _block([_Line(first.number, inner, content), *lines[1:]], inner)
        else:
            item, lines = _scalar(content, first.number), lines[1:]
        items.append(item)
    return items, lines


def _mapping(lines: list[_Line], indent: int) -> tuple[dict[str, t.Any], list[_Line]]:
    data: dict[str, t.Any] = {}
    while lines and lines[0].indent == indent and not _is_item(lines[0].text):
        first = lines[0]
        match = _KEY.match(first.text)
        if match is None:
            raise ValueError(f"line {first.number}: not a key with its value: {first.text!r}")
        key = _scalar(match.group(1), first.number)
        if not isinstance(key, str) or key in data:
            raise ValueError(f"line {first.number}: {key!r} is no text, or stands here twice")
        content = first.text[match.end() :].strip()
        if content:
            data[key], lines = _scalar(content, first.number), lines[1:]
        elif len(lines) > 1 and lines[1].indent == indent and _is_item(lines[1].text):
            data[key], lines = _sequence(lines[1:], indent)  # a list may stand as far left as its key
        else:
            data[key], lines = _nested(lines[1:], indent + 1)
    return data, lines


def _nested(lines: list[_Line], at_least: int) -> tuple[t.Any, list[_Line]]:
    if not lines or lines[0].indent < at_least:
        return None, lines
    return _block(lines, lines[0].indent)


def _scalar(text: str, number: int) -> t.Any:
    if text[0] in "[{":
        value, rest = _flow(text, number)
        if rest.strip():
            raise ValueError(f"line {number}: {rest.strip()!r} after the end of a value")
        return value
    if text[0] in "\"'":
        match = _QUOTED.fullmatch(text)
        if match is None:
            raise ValueError(f"line {number}: a quote is not closed: {text!r}")
        return _unquoted(text)
    if text[0] in "&*!|>%@`" or ": " in text:
        raise ValueError(f"line {number}: {text!r} is beyond the YAML of a CDI spec")
    return _plain(text)


def _unquoted(text: str) -> str:
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    return re.sub(r"\\(?:x(..)|u(....)|(.))", _unescaped, text[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2)
    return chr(int(code, 16)) if code else _ESCAPES.get(match.group(3), match.group(3))


def _plain(text: str) -> t.Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INT.match(text):
        return int(text)
    octal = _OCTAL.match(text)
    if octal:
        return int(octal.group(1), 8)
    return float(text) if _FLOAT.match(text) else text


def _flow(text: str, number: int) -> tuple[t.Any, str]:
    """A value inside brackets or braces, and the text after it."""
    text = text.lstrip()
    if text[:1] == "[":
        return _flow_list(text[1:].lstrip(), number)
    if text[:1] == "{":
        return _flow_mapping(text[1:].lstrip(), number)
    match = _QUOTED.match(text) or re.match(r"[^,\[\]{}:]+(?::(?=\S)[^,\[\]{}:]*)*", text)
    if match is None:
        raise ValueError(f"line {number}: a value is missing before {text!r}")
    return _scalar(match.group(0).strip(), number), text[match.end() :]


def _flow_list(text: str, number: int) -> tuple[list[t.Any], str]:
    items: list[t.Any] = []
    while not text.startswith("]"):
        item, text = _flow(text, number)
        items.append(item)
        text = _after_comma(text, "]", number)
    return items, text[1:]


def _flow_mapping(text: str, number: int) -> tuple[dict[str, t.Any], str]:
    data: dict[str, t.Any] = {}
    while not text.startswith("}"):
        key, text = _flow(text, number)
        text = text.lstrip()
        if not text.startswith(":") or not isinstance(key, str):
            raise ValueError(f"line {number}: {key!r} has no value")
        data[key], text = _flow(text[1:], number)
        text = _after_comma(text, "}", number)
    return data, text[1:]


def _after_comma(text: str, end: str, number: int) -> str:
    text = text.lstrip()
    if text.startswith(","):
        return text[1:].lstrip()
    if not text.startswith(end):
        raise ValueError(f"line {number}: {end!r} is missing before {text!r}")
    return text
