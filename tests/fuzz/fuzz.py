#!/usr/bin/env python3
"""Random command lines against the real parsers of vLLM releases: who is right is never a question.

    python tests/fuzz/fuzz.py [--count 20000] [--seed 1] [--home DIR] RELEASE …

Needs PyPI, 3.4 GB below DIR (default ~/.cache/vllm_fleet_parsers, shared with tools/flag_tables.py) and about two
minutes for each release and 20,000 lines. The exit code is 1 where a verdict or a value differs. A difference is
printed with the line that shows it; --corpus FILE keeps all of them.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / ".collections"), str(ROOT / "tools")]

from flagtables import source
from lines import Lines

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.parser import Parsed, parse
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import Table, choose

PART = 5000  # lines that one process of the real parser answers


def compare(line: list[str], real: dict[str, t.Any], table: Table) -> str | None:
    """What differs, None where nothing does."""
    parsed = parse(line, table)
    if parsed.ok != real["ok"]:
        ours = (
            "taken" if parsed.ok else "; ".join(f"{p.setting or p.word} {p.message}" for p in parsed.problems)
        )
        return f"verdict: here {ours}, really {'taken' if real['ok'] else real['error'][-200:]}"
    return _values(parsed, real["set"], table) if parsed.ok else None


def _values(parsed: Parsed, real: dict[str, t.Any], table: Table) -> str | None:
    real = {key: value for key, value in real.items() if key not in ("subparser", "dispatch_function")}
    if real.pop("model_tag", None) != parsed.model:
        return f"model: here {parsed.model}"
    for key in sorted({*real, *parsed.values}):
        default = table.options[key].default
        ours, theirs = parsed.values.get(key, default), real.get(key, default)
        if (
            "<" not in json.dumps(theirs)
            and not table.options[key].json_class
            and _text(ours) != _text(theirs)
        ):
            return f"value of {key}: here {ours!r}, really {theirs!r}"
    return None


def _text(value: t.Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def run(release: str, options: argparse.Namespace) -> list[dict[str, t.Any]]:
    """One release; its differences."""
    table = choose(release).table
    lines = Lines(table, options.seed).many(options.count)
    started = time.perf_counter()
    found: list[dict[str, t.Any]] = []
    taken = 0
    for start in range(0, len(lines), PART):
        part = lines[start : start + PART]
        program = Path(__file__).with_name("real_parser.py")
        answers = json.loads(source.run(options.home.resolve(), release, program, text=json.dumps(part)))
        for line, real in zip(part, answers):
            taken += real["ok"]
            what = compare(line, real, table)
            if what:
                found.append({"release": release, "line": line, "differs": what})
    verdicts = sum(each["differs"].startswith("verdict") for each in found)
    print(
        f"vLLM {release}: {len(lines)} lines, {taken} taken by the real parser, {verdicts} verdicts and "
        f"{len(found) - verdicts} values differ ({time.perf_counter() - started:.0f} s)"
    )
    return found


def main() -> int:
    """Every release that was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("release", nargs="+")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path, default=Path.home() / ".cache" / "vllm_fleet_parsers")
    parser.add_argument("--corpus", type=Path)
    options = parser.parse_args()
    found = [each for release in options.release for each in run(release, options)]
    kinds = collections.Counter(each["differs"][:160] for each in found)
    shown: set[str] = set()
    for each in found:
        kind = each["differs"][:160]
        if kind not in shown:
            shown.add(kind)
            print(f"{kinds[kind]} x {each['release']} {' '.join(each['line'])}\n    {each['differs']}")
    if options.corpus:
        options.corpus.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
