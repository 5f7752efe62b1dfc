"""Findings as a table, as JSON and as SARIF."""

from __future__ import annotations

import json

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.report import (
    format_findings,
    format_for,
    summary,
    to_json,
    to_sarif,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding

ERROR = Finding(
    "error",
    "plan",
    "not_text",
    "version is a number",
    fix='version: "0.26"',
    host="gpu-01",
    instance="qwen",
    setting="version",
    value=0.26,
    origin="vllm_defaults.version",
)
WARNING = Finding(
    "warning", "plan", "version_unknown", "the tag tells nothing", host="gpu-01", instance="qwen"
)


def test_a_block_says_where_what_from_where_and_what_to_write() -> None:
    assert format_findings([ERROR]).splitlines() == [
        "ERROR   gpu-01 qwen  version = 0.26",
        "        version is a number [not_text]",
        "        origin  vllm_defaults.version",
        '        fix     version: "0.26"',
    ]


def test_errors_stand_before_warnings() -> None:
    text = format_findings([WARNING, ERROR])
    assert text.index("ERROR") < text.index("WARNING")


def test_one_mistake_of_many_hosts_is_told_once_with_its_hosts() -> None:
    found = [ERROR.at() for _ in range(1)] + [
        Finding(**{**ERROR.as_dict(), "host": f"gpu-{number:02}"}) for number in range(2, 8)
    ]
    text = format_findings(found)
    assert text.count("not_text") == 1
    assert "gpu-01 qwen, gpu-02 qwen, gpu-03 qwen, gpu-04 qwen and 3 more" in text


def test_no_line_is_wider_than_asked_for_unless_a_word_is() -> None:
    long = Finding("error", "plan", "x", "word " * 60, fix="fix " * 60, origin="a." * 20)
    assert max(len(line) for line in format_findings([long], 80).splitlines()) <= 80


def test_the_sum_counts_severities_and_hosts() -> None:
    assert summary([ERROR, ERROR, WARNING], 10) == "2 errors and 1 warning on 10 hosts"
    assert summary([], 1) == "nothing to say on 1 host"


def test_json_holds_every_key_of_every_finding() -> None:
    content = json.loads(to_json([ERROR, WARNING]))
    assert content["findings"] == [ERROR.as_dict(), WARNING.as_dict()]


def test_sarif_names_the_place_in_the_inventory() -> None:
    run = json.loads(to_sarif([ERROR, WARNING]))["runs"][0]
    first, second = run["results"]
    assert (first["ruleId"], first["level"], second["level"]) == ("not_text", "error", "warning")
    place = first["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]
    assert place == "gpu-01/qwen/vllm_defaults.version"
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"not_text", "version_unknown"}


def test_the_name_of_a_file_says_its_format() -> None:
    assert format_for("a/findings.json") is to_json
    assert format_for("findings.sarif") is to_sarif
    with pytest.raises(ValueError, match=r"must end in \.json or \.sarif"):
        format_for("findings.txt")
