"""The tables as Python modules: one spec a line, so that a new release is a readable diff."""

from __future__ import annotations

import typing as t
from pathlib import Path

from . import compact
from .archive import Dump

TARGET = Path(__file__).resolve().parents[2] / "plugins" / "module_utils" / "_settings"
WIDTH = 155  # of a line of data
HEADER = '''"""{what}

Generated from vLLM's own parsers by `python tools/flag_tables.py build`; do not edit. docs/add-a-vllm-release.md tells
how a release is added. Ranges are inclusive, an open one reaches the newest release.
"""

from __future__ import annotations

import typing as t

# fmt: off
Ranges = dict[str, t.Any]  # by the range of releases in which it holds

'''


def modules(dumps: t.Mapping[str, Dump]) -> dict[str, str]:
    """The text of every generated module by its file name."""
    classes = compact.Classes(dumps)
    options = compact.options(dumps)
    class_table = classes.table()
    named = {**compact.choices(dumps), **classes.named_values()}
    lookups = compact.registries(dumps)
    capability = compact.quantization_capability(dumps)
    return {
        "options_data.py": HEADER.format(what="Every option of `vllm serve` by its dest.")
        + _releases(list(dumps))
        + _table("OPTIONS", options),
        "classes_data.py": HEADER.format(
            what="The keys of JSON options by the class that vLLM reads them into."
        )
        + _nested("CLASSES", class_table),
        "values_data.py": HEADER.format(what="Allowed values: of options by dest, of JSON keys by Class.key.")
        + _table("VALUES", named, _words)
        + _table("REGISTRIES", lookups, _words)
        + _table("QUANTIZATION_CAPABILITY", capability),
    }


def write(dumps: t.Mapping[str, Dump], target: Path = TARGET) -> None:
    """Write the generated modules."""
    for name, text in modules(dumps).items():
        (target / name).write_text(text, encoding="utf-8")


def _releases(names: list[str]) -> str:
    rows = _rows([repr(name) for name in names], "    ")
    return "\n".join(["RELEASES = (", *(f"    {', '.join(row)}," for row in rows), ")", ""])


def _tuples(value: t.Any) -> t.Any:
    if isinstance(value, dict):
        return {key: _tuples(each) for key, each in value.items()}
    return tuple(_tuples(each) for each in value) if isinstance(value, (list, tuple)) else value


def _spec(value: t.Any) -> t.Any:
    """Types become tuples; defaults stay the lists that they are."""
    if not isinstance(value, dict):
        return value
    return {key: _tuples(each) if key == "type" else each for key, each in value.items()}


def _words(values: list[t.Any]) -> t.Any:
    plain = all(isinstance(value, str) and value and not value.split()[1:] for value in values)
    return " ".join(values) if plain else _tuples(values)


def _table(
    name: str, table: t.Mapping[str, t.Mapping[str, t.Any]], shape: t.Callable[..., t.Any] = _spec
) -> str:
    lines = [f"{name}: dict[str, Ranges] = {{"]
    for key, ranges in table.items():
        lines += _entry(key, {where: shape(value) for where, value in ranges.items()}, "    ")
    return "\n".join([*lines, "}", ""])


def _nested(name: str, table: t.Mapping[str, t.Mapping[str, t.Any]]) -> str:
    lines = [f"{name}: dict[str, dict[str, Ranges]] = {{"]
    for key, fields in table.items():
        lines.append(f"    {key!r}: {{")
        for field, ranges in fields.items():
            lines += _entry(field, {where: _spec(value) for where, value in ranges.items()}, "        ")
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def _entry(key: str, ranges: t.Mapping[str, t.Any], indent: str) -> list[str]:
    if len(ranges) == 1:
        where, value = next(iter(ranges.items()))
        line = f"{indent}{key!r}: {{{where!r}: {value!r}}},"
        if len(line) <= WIDTH:
            return [line]
    inner = [line for where, value in ranges.items() for line in _item(where, value, indent + "    ")]
    return [f"{indent}{key!r}: {{", *inner, f"{indent}}},"]


def _item(key: str, value: t.Any, indent: str) -> list[str]:
    """``key: value,`` on one line where it fits, else broken into its parts."""
    line = f"{indent}{key!r}: {value!r},"
    if len(line) <= WIDTH:
        return [line]
    inner = indent + "    "
    if isinstance(value, dict):
        return [
            f"{indent}{key!r}: {{",
            *(each for k, v in value.items() for each in _item(k, v, inner)),
            f"{indent}}},",
        ]
    parts = [word + " " for word in value.split(" ")] if isinstance(value, str) else list(map(repr, value))
    if isinstance(value, str):
        parts[-1] = parts[-1][:-1]
        return [
            f"{indent}{key!r}: (",
            *(f"{inner}{''.join(row)!r}" for row in _rows(parts, inner)),
            f"{indent}),",
        ]
    return [
        f"{indent}{key!r}: (",
        *(f"{inner}{', '.join(row)}," for row in _rows(parts, inner)),
        f"{indent}),",
    ]


def _rows(parts: list[str], indent: str) -> list[list[str]]:
    """Parts packed into lines."""
    rows: list[list[str]] = [[]]
    for part in parts:
        if rows[-1] and len(indent) + sum(len(each) + 2 for each in rows[-1]) + len(part) > WIDTH - 4:
            rows.append([])
        rows[-1].append(part)
    return rows
