"""How a text is written into a unit so that systemd and Quadlet hand it on byte for byte.

A line of a `.container` file is read twice. Quadlet splits it into words and undoes quotes and C escapes, then writes
the words into `ExecStart=`; systemd splits that line again, undoes quotes and escapes, expands `%` specifiers, and at
the start of the unit expands `$` variables. What follows keeps both from changing anything, for every Podman since 4.4.
"""

from __future__ import annotations

import re
import typing as t

# Three texts that Quadlet cannot hand on as a word: it stops splitting at an empty one (podman,
# pkg/systemd/parser/split.go: extractFirstWord), writes a lone ";" without quotes where systemd takes it for the end
# of a command, and writes U+0080 as "\x80", which is another byte to systemd. Variables that exist only in the
# service's own environment, never in the container's, carry them past Quadlet.
CARRIERS: t.Mapping[str, str] = {"VLLM_FLEET_EMPTY": "", "VLLM_FLEET_U0080": "\x80"}

MAX_ARGUMENT_BYTES = 131_071  # MAX_ARG_STRLEN of Linux, without its final NUL
MAX_LINE_BYTES = 1_000_000  # systemd reads lines of up to 1 MiB (LONG_LINE_MAX)

_SHORT = {"\a": r"\a", "\b": r"\b", "\t": r"\t", "\n": r"\n", "\v": r"\v", "\f": r"\f", "\r": r"\r"}
_LONG = {'"': r"\"", "\\": r"\\"}
_CONTROL = re.compile("[\x00-\x1f\x7f]")
# systemd drops a whole line that holds one of these (src/basic/utf8.c: unichar_is_valid)
_NO_CHARACTER = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef]|["
    + "".join(chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_ESCAPE = r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))"
_DOUBLE, _SINGLE = r'"(?:[^"\\]|\\.)*"', r"'(?:[^'\\]|\\.)*'"
_PIECE = re.compile(rf"(?P<space>[ \t\n\r]+)|{_DOUBLE}|{_SINGLE}|{_ESCAPE}|[^ \t\n\r\"'\\]+", re.DOTALL)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "s": " "}


def word(text: str) -> str:
    """One word of `Exec=`, `PodmanArgs=`, `Environment=` or `Label=`."""
    _refuse_unwritable(text)
    if text in ("", ";"):
        return "${VLLM_FLEET_EMPTY}" + text
    literal = literal_dollar(literal_percent(text)).replace("\x80", "${VLLM_FLEET_U0080}")
    if not any(char.isspace() or char in "\"'\\" or _CONTROL.match(char) for char in literal):
        return literal
    return quoted(literal)


def words(texts: t.Iterable[str]) -> str:
    """Several words on one line."""
    return " ".join(word(text) for text in texts)


def value(text: str) -> str:
    """A value that Quadlet takes as it stands, such as `Volume=` or `ContainerName=`: no quotes, no escapes."""
    _refuse_unwritable(text)
    if _CONTROL.search(text) or text != text.strip() or not text:
        raise ValueError(
            f"{text!r} cannot be written into a unit: it is empty, or holds control characters or outer spaces"
        )
    return literal_dollar(literal_percent(text))


def description(text: str) -> str:
    """A text that only systemd reads, such as `Description=`."""
    _refuse_unwritable(text)
    return literal_percent(" ".join(text.split()))


def service_assignment(name: str, text: str) -> str:
    """One variable of `Environment=` in `[Service]`, which only systemd reads and where `$` means nothing."""
    return quoted(literal_percent(f"{name}={text}"))


def carriers_in(body: str) -> dict[str, str]:
    """The variables that a rendered text relies on, to be set in `[Service]`."""
    return {name: text for name, text in CARRIERS.items() if f"${{{name}}}" in body}


def literal_percent(text: str) -> str:
    """`%` begins a specifier in systemd; two of them are one."""
    return text.replace("%", "%%")


def literal_dollar(text: str) -> str:
    """`$` begins a variable in `ExecStart=`; two of them are one."""
    return text.replace("$", "$$")


def quoted(text: str) -> str:
    """In double quotes, with the C escapes that both parsers know: beyond ASCII Quadlet would take `\\xNN` for a character."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    known = _SHORT.get(char) or _LONG.get(char)
    if known:
        return known
    return f"\\x{ord(char):02x}" if _CONTROL.match(char) else char


def split_words(line: str) -> list[str]:
    """What the words of a line were before `words` wrote them."""
    return [_expanded(text) for text in bare_words(line)]


def bare_words(line: str) -> list[str]:
    """The words of a line without quotes and escapes; `%` and `$` stand as they were written."""
    found: list[str] = []
    current: str | None = None
    position = 0
    while position < len(line):
        match = _PIECE.match(line, position)
        if match is None:
            raise ValueError(f"unbalanced quotes or a lone backslash at the end of {line!r}")
        position = match.end()
        if match.group("space"):  # spaces end a word
            found += [] if current is None else [current]
            current = None
        else:
            current = (current or "") + _unescaped(match.group(0))
    return found if current is None else [*found, current]


def _unescaped(piece: str) -> str:
    inner = piece[1:-1] if piece[0] in "\"'" else piece
    return re.sub(_ESCAPE, _character, inner, flags=re.DOTALL)


def _character(match: re.Match[str]) -> str:
    hexadecimal = match.group(1) or match.group(2) or match.group(3)
    if hexadecimal:
        return chr(int(hexadecimal, 16))
    if match.group(4):
        return chr(int(match.group(4), 8))
    return _NAMED.get(match.group(5), match.group(5))


def _expanded(text: str) -> str:
    """Undo the doubled `%` and `$`, and put in what the carriers carry."""
    pieces = re.split(r"(\$\$|%%|\$\{VLLM_FLEET_[A-Z0-9]+\})", text)
    return "".join({"$$": "$", "%%": "%"}.get(piece, CARRIERS.get(piece[2:-1], piece)) for piece in pieces)


def _refuse_unwritable(text: str) -> None:
    broken = _NO_CHARACTER.search(text)
    if broken or "\0" in text:
        what = (
            "a NUL"
            if "\0" in text
            else f"U+{ord(broken.group(0)):04X}, which is no character"
            if broken
            else ""
        )
        raise ValueError(f"{text[:80]!r} cannot be written into a unit: it holds {what}")
    if len(text.encode()) > MAX_ARGUMENT_BYTES:
        raise ValueError(
            f"{text[:40]!r}… is {len(text.encode())} bytes long: Linux passes at most {MAX_ARGUMENT_BYTES} bytes in one argument"
        )
