"""Command lines that are hard to write into a unit: a table of traps and many generated ones, the same in every run."""

from __future__ import annotations

import json
import random

TRAPS = [
    "",
    " ",
    ";",
    ";;",
    "#",
    "# no comment",
    "; no comment",
    "-",
    "--",
    "-v",
    "--entrypoint",
    "\\",
    "\\\\",
    "ends in \\",
    "\\n",
    "\\x41",
    "\\;",
    "a\nb",
    "\n",
    "\t",
    "\r\n",
    "  outer spaces  ",
    "\u00a0no-break\u00a0",
    "\u2028",
    "\x80",
    "a\x80\x81b",
    "\x01\x1b[0m\x7f",
    "'",
    '"',
    "''",
    '""',
    "it's",
    'say "yes"',
    "%",
    "%%",
    "%n",
    "100%",
    "%%n%",
    "$",
    "$$",
    "$HOME",
    "${HOME}",
    "$${HOME}",
    "a$HOME",
    "a${HOME}b",
    "${VLLM_FLEET_EMPTY}",
    "$(id)",
    "`id`",
    "!",
    "@",
    "+",
    ":",
    "|",
    "&&",
    "*",
    "~",
    "[Service]",
    "key=value",
    "=",
    "grüße 日本語 🚀",
    "e\u0301",
    "\ufeffmark",
    json.dumps({"method": "dflash", "text": 'a "quoted" 50% $5 \\ back', "nested": {"a": [1, None, True]}}),
    json.dumps({"cudagraph_mode": "FULL", "custom_ops": ["+rms_norm", "none"]}, separators=(",", ":")),
    "{%- if messages[0]['role'] == 'system' -%}\n  {{ messages[0][\"content\"] }}\n{%- endif %}",
    "x" * 100_000,
    "é" * 30_000,
    "null",
    "*.example.com",
    "/models/with space/and%percent",
    "C:\\models\\new\\table",
]

_ALPHABET = [
    *"abcXYZ019 -_=;:#%$\\'\"{}[]()\n\t,./~!@|&*?<>`^",
    "é",
    "日",
    "🚀",
    "\u00a0",
    "\x80",
    "\x7f",
    "\x02",
    "%%",
    "$$",
    "${A}",
    "\\n",
]


def traps() -> list[list[str]]:
    """Every trap alone at the end of a command line, where it meets the end of the line, and all short ones in one."""
    return [["serve", "model", trap] for trap in TRAPS] + [
        ["serve", *(trap for trap in TRAPS if len(trap) < 1000), ""]
    ]


def generated(count: int, seed: int = 20261130) -> list[list[str]]:
    """Command lines of random words."""
    source = random.Random(seed)
    return [["serve", *(_word(source) for _ in range(source.randint(1, 12)))] for _ in range(count)]


def cases(count: int) -> list[list[str]]:
    """The traps first, then generated ones, ``count`` in all."""
    known = traps()
    return (known + generated(max(0, count - len(known))))[:count]


def _word(source: random.Random) -> str:
    if source.random() < 0.2:
        return source.choice([trap for trap in TRAPS if len(trap) < 1000])
    return "".join(source.choice(_ALPHABET) for _ in range(source.randint(0, 24)))
