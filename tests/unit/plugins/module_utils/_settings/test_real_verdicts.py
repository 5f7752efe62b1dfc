"""The answers of the real parsers, replayed."""

from __future__ import annotations

import json
import typing as t

import yaml

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.check import check
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.parser import Parsed, parse
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import Table, choose


def text(value: t.Any) -> str:
    """Comparable: true is not 1, and the order of keys says nothing."""
    return json.dumps(value, sort_keys=True, default=str)


def differing(parsed: Parsed, table: Table, real: t.Mapping[str, t.Any]) -> list[str]:
    """What is set other than by the real parser; objects of vLLM's classes are not comparable."""
    expected = {key: value for key, value in real.items() if key != "model_tag"}
    changed = {
        key: value for key, value in parsed.values.items() if text(value) != text(table.options[key].default)
    }
    found = []
    for key in {*expected, *changed}:
        default = table.options[key].default
        ours, theirs = changed.get(key, default), expected.get(key, default)
        if not _is_object(theirs, table, key) and text(ours) != text(theirs):
            found.append(f"{key}: {ours!r}, really {theirs!r}")
    if "model_tag" in real and real["model_tag"] != parsed.model:
        found.append(f"model: {parsed.model!r}, really {real['model_tag']!r}")
    return found


def _is_object(value: t.Any, table: Table, key: str) -> bool:
    members = value if isinstance(value, list) else [value]
    marked = any(
        isinstance(each, dict) and any(str(name).startswith("<") for name in each) for each in members
    )
    return marked or bool(table.options[key].json_class)


def test_public_command_lines_are_judged_as_by_the_real_parsers(configs: t.Any) -> None:
    wrong = []
    for case in configs["cases"]:
        for release, real in zip(configs["releases"], case["ok"]):
            if parse(case["argv"], choose(release).table).ok != (real == "1"):
                wrong.append((release, case["argv"]))
    assert len(configs["cases"]) * len(configs["releases"]) == 10728
    assert wrong == []


def test_public_command_lines_get_the_values_that_the_real_parsers_set(configs: t.Any) -> None:
    compared, wrong = 0, []
    for case in configs["cases"]:
        for release, real in case["set"].items():
            table = choose(release).table
            compared += 1
            wrong += [(release, said) for said in differing(parse(case["argv"], table), table, real)]
    assert compared == 1461
    assert wrong == []


def test_the_check_says_error_at_the_stage_parse_exactly_where_the_real_parser_refuses(
    configs: t.Any,
) -> None:
    wrong = []
    for case in configs["cases"][::7]:
        for release, real in zip(configs["releases"], case["ok"]):
            findings = check(vllm_version=release, argv=case["argv"]).findings
            refused = any(each.stage == "parse" and each.severity == "error" for each in findings)
            if refused == (real == "1"):
                wrong.append((release, case["argv"]))
    assert wrong == []


def test_tricky_command_lines_are_judged_and_read_as_by_the_real_parsers(parser_cases: t.Any) -> None:
    files = {f"CASES/{name}": yaml.safe_load(text) for name, text in parser_cases["files"].items()}
    compared, wrong = 0, []
    for case in parser_cases["cases"]:
        for release, real in case["real"].items():
            table = choose(release).table
            parsed = parse(case["argv"], table, files)
            compared += 1
            if parsed.ok != (real is not None):
                wrong.append((release, case["argv"], "verdict"))
            elif real is not None:
                wrong += [(release, case["argv"], said) for said in differing(parsed, table, real)]
    assert compared == 4515
    assert wrong == []


def test_the_canonical_command_line_means_the_same_to_the_same_release(configs: t.Any) -> None:
    wrong = []
    for case in configs["cases"]:
        for release, real in zip(configs["releases"], case["ok"]):
            if real == "0" or release not in case["set"]:
                continue
            table = choose(release).table
            ours = check(vllm_version=release, argv=case["argv"])
            again = parse(ours.argv, table) if ours.model else None
            first = parse(case["argv"], table)
            first.values.pop("model", None)
            if again and (not again.ok or _plain(again.values) != _plain(first.values)):
                wrong.append((release, case["argv"], ours.argv))
    assert wrong == []


def _plain(values: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {key: value for key, value in values.items() if value is not None and key != "config"}
