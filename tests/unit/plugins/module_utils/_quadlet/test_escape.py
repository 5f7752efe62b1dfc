"""What is written into a unit arrives in the container byte for byte.

The two readers of a unit are modelled here after what they do, not after our code: Quadlet (podman
pkg/systemd/parser/split.go) and systemd (extract-word.c, specifier.c, env-util.c), with the faults that the real ones
have. tests/integration/quadlet asks the real ones.
"""

from __future__ import annotations

import re
import runpy
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet import escape
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.container import (
    ContainerUnit,
    render_container,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.unit import parse_unit

_CASES = runpy.run_path(str(Path(__file__).parents[4] / "integration" / "quadlet" / "cases.py"))
_C_ESCAPES = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92, '"': 34, "'": 39, "s": 32}


def split(line: str, byte_escapes: bool) -> list[bytes]:
    """Split as both do; a hexadecimal escape is a byte to systemd and a character to Quadlet."""
    words, current, quote, position = [], None, "", 0
    while position < len(line):
        char = line[position]
        if char == "\\":
            current = current or b""
            if line[position + 1] == "x":
                code, width = int(line[position + 2 : position + 4], 16), 4
            else:
                code, width = _C_ESCAPES[line[position + 1]], 2
            current += bytes([code]) if byte_escapes else chr(code).encode()
            position += width
            continue
        if quote:
            quote = "" if char == quote else quote
            current += b"" if not quote else char.encode()
        elif char in "\"'":
            quote, current = char, current or b""
        elif char in " \t\n\r":
            words, current = (words if current is None else [*words, current]), None
        else:
            current = (current or b"") + char.encode()
        position += 1
    assert not quote
    return words if current is None else [*words, current]


def quadlet_reads(line: str) -> list[str]:
    words = split(line, byte_escapes=False)
    if b"" in words:
        words = words[: words.index(b"")]  # it stops at an empty word
    return [word.decode() for word in words]


def quadlet_writes(words: list[str]) -> str:
    return " ".join(_quadlet_writes(word) for word in words)


def _quadlet_writes(word: str) -> str:
    special = [
        char
        for char in word
        if ord(char) <= 0x80 and (char.isspace() or not char.isprintable() or char in "\"'\\")
    ]
    if not special:
        return word
    out = ""
    for char in word:
        if char in '"\\':
            out += "\\" + char
        elif char not in special or char == "'":
            out += char
        else:
            out += f"\\x{ord(char):02x}"
    return f'"{out}"'


def systemd_runs(line: str, environment: dict[str, str]) -> list[bytes]:
    assert not re.search(r"(?<!\S);(?!\S)", line), "systemd takes a lone ; for the end of the command"
    words = split(line, byte_escapes=True)
    assert not any(re.search(rb"(?<!%)(?:%%)*%(?!%)", word) for word in words), "a specifier is left"
    words = [word.replace(b"%%", b"%") for word in words]
    return [re.sub(rb"\$\$|\$\{(\w+)\}", lambda match: _variable(match, environment), word) for word in words]


def _variable(match: re.Match[bytes], environment: dict[str, str]) -> bytes:
    return b"$" if match.group(1) is None else environment[match.group(1).decode()].encode()


def run(text: str, key: str = "Exec") -> list[str]:
    """What the container would get of a rendered unit."""
    unit = parse_unit(
        "\n".join(line.strip() for line in text.split("\n"))
    )  # Quadlet strips every kind of space
    given = [word for line in unit.section("Container").all(key) for word in quadlet_reads(line)]
    assigned = [split(line, byte_escapes=True)[0] for line in unit.section("Service").all("Environment")]
    environment = dict(each.decode().replace("%%", "%").split("=", 1) for each in assigned)
    return [word.decode() for word in systemd_runs(quadlet_writes(given), environment)]


def unit_with(**given: t.Any) -> ContainerUnit:
    return ContainerUnit(container_name="c", image="localhost/i:1", **{"exec": (), **given})


@pytest.mark.parametrize("text", _CASES["TRAPS"], ids=lambda text: ascii(text)[:40])
def test_a_trap_arrives_as_it_is_at_the_end_and_in_the_middle_of_a_command_line(text: str) -> None:
    argv = ("serve", text, "middle", text)
    assert run(render_container(unit_with(exec=argv), (5, 4, 2))) == list(argv)


@pytest.mark.parametrize("seed", range(20))
def test_generated_command_lines_arrive_as_they_are(seed: int) -> None:
    for argv in _CASES["generated"](50, seed):
        assert run(render_container(unit_with(exec=tuple(argv)), (4, 4, 0))) == argv


@pytest.mark.parametrize("seed", range(4))
def test_generated_values_of_the_environment_and_of_labels_arrive_as_they_are(seed: int) -> None:
    for argv in _CASES["generated"](50, seed):
        values = {f"V{number:02}": text for number, text in enumerate(argv) if "\r\n" not in text}
        text = render_container(unit_with(env=values, labels=values), (5, 8, 0))
        wanted = sorted(f"{name}={value}" for name, value in values.items())
        assert run(text, "Environment") == wanted
        assert run(text, "Label") == wanted


@pytest.mark.parametrize("seed", range(4))
def test_words_can_be_read_back(seed: int) -> None:
    for argv in [*_CASES["traps"](), *_CASES["generated"](50, seed)]:
        assert escape.split_words(escape.words(argv)) == argv


def test_plain_words_stay_as_people_write_them() -> None:
    line = "serve Qwen/Qwen3-0.6B --max-model-len 4096 --kv-cache-dtype=fp8 -O3 grüße"
    assert escape.words(line.split()) == line


def test_variables_are_set_only_where_a_unit_relies_on_them() -> None:
    assert "VLLM_FLEET" not in render_container(unit_with(exec=("a", "%", "$x")), (5, 4, 2))
    assert 'Environment="VLLM_FLEET_EMPTY="' in render_container(unit_with(exec=("a", "")), (5, 4, 2))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a\0b", "NUL"),
        ("a\ud800", "U\\+D800"),
        ("a\uffff", "U\\+FFFF"),
        ("a\ufdd0", "U\\+FDD0"),
        ("x" * 131_072, "131071 bytes"),
        ("é" * 65_536, "131071 bytes"),
    ],
    ids=["nul", "surrogate", "non-character", "other non-character", "too long", "too long in bytes"],
)
def test_what_no_unit_can_hold_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        escape.word(text)


def test_the_longest_argument_of_linux_is_accepted() -> None:
    assert escape.word("x" * 131_071) == "x" * 131_071


@pytest.mark.parametrize("text", ["", " a", "a ", "a\nb", "a\tb"])
def test_a_value_that_stands_without_quotes_must_be_one_clean_line(text: str) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        escape.value(text)


def test_percent_and_dollar_of_a_plain_value_are_doubled() -> None:
    assert escape.value("/models/100%/$x y") == "/models/100%%/$$x y"


def test_a_description_becomes_one_line_without_specifiers() -> None:
    assert escape.description("50%\n of it") == "50%% of it"


@pytest.mark.parametrize("line", ['"open', "end\\", "'open"])
def test_reading_back_refuses_what_is_not_balanced(line: str) -> None:
    with pytest.raises(ValueError, match="unbalanced"):
        escape.split_words(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (r"a\x20b c", ["a b", "c"]),
        (r"'single $$ \' quotes'", ["single $ ' quotes"]),
        (r'a"b c"d', ["ab cd"]),
        (r"\u00e9\U0001f680\101", ["é🚀A"]),
    ],
)
def test_reading_back_knows_the_other_spellings_of_systemd(line: str, words: list[str]) -> None:
    assert escape.split_words(line) == words
