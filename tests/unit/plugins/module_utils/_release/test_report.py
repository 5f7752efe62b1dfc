"""What a run did becomes a report: for a terminal, for a pull request, and as data."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.outcome import HostOutcome
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.report import (
    DONE,
    build_report,
    summary,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.report_text import (
    markdown,
    terminal,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.report_words import COLUMNS, table

OLD = {"release": 3, "image": "docker.io/vllm/vllm-openai:v0.25.1", "image_identity": f"sha256:{'a' * 64}"}
SHOWN = {
    "endpoint": "http://127.0.0.1:8000",
    "model": "Qwen/Qwen3-0.6B",
    "image": "docker.io/vllm/vllm-openai:v0.26.0",
    "image_identity": "sha256:0123456789ab" + 52 * "0",
    "release": 4,
}
GATE = {
    "state": "serving",
    "message": "16 tokens by completion in 0.5 s",
    "vllm_version": "0.26.0",
    "seconds_until_ready": 41.26,
    "seconds_without_service": 43.0,
    "answer": {"kind": "completion", "tokens": 16, "seconds": 0.5},
}
CHANGE = {"what": "settings.max_num_seqs", "before": "8", "after": "16"}
RELEASED: dict[str, t.Any] = {
    "instance": SHOWN,
    "action": "release",
    "from": {**OLD, "vllm_version": "0.25.1"},
    "changes": [CHANGE],
    "problem": "",
    "gate": GATE,
    "actions": ["stop vllm-qwen.service", "start vllm-qwen.service"],
}
CAUSE = {
    "failure_class": "kv_cache_too_small_for_max_model_len",
    "cause": "The KV cache can't hold one request.",
    "remedy": "Set max_model_len: 4096.",
    "line": "ValueError: To serve at least one request …",
}
SHUT: dict[str, t.Any] = {
    **RELEASED,
    "problem": "qwen: the gate stays shut: looping.\nCause: `` | ``",
    "gate": {"state": "looping", "diagnosis": CAUSE},
}
UNDONE = {
    **SHUT,
    "undone": {"serving": True, "release": 3, "seconds_without_service": 88.4, "message": "8 tokens"},
}

GOOD = HostOutcome("gpu-01", "", {"qwen": RELEASED})
LOST = HostOutcome("gpu-03", "cannot be reached: no route to host")
KEPT = HostOutcome("gpu-04", held="the rollout stops: 1 of a failure budget of 0 spent (gpu-03)")


def instance(noted: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    found: dict[str, t.Any] = build_report([HostOutcome("gpu-01", "", {"qwen": noted})])["hosts"][0][
        "instances"
    ][0]
    return found


def row(outcome: HostOutcome, check_mode: bool = False) -> dict[str, str]:
    columns, rows = table(build_report([outcome], check_mode))
    return dict(zip(columns, rows[0]))


def test_a_release_shows_what_it_was_and_what_it_is() -> None:
    assert row(GOOD) == {
        "host": "gpu-01",
        "instance": "qwen",
        "changed": "released",
        "release": "3 -> 4",
        "vLLM": "0.25.1 -> 0.26.0",
        "image": "aaaaaaaaaaaa -> 0123456789ab",
        "endpoint": "http://127.0.0.1:8000",
        "model": "Qwen/Qwen3-0.6B",
        "until ready": "41.3 s",
        "without service": "43.0 s",
        "tokens/s": "32.0",
    }
    assert tuple(row(GOOD)) == COLUMNS


def test_a_column_that_nobody_has_anything_in_is_left_out() -> None:
    assert row(LOST) == {"host": "gpu-03", "changed": "LEFT OUT"}
    assert row(KEPT) == {"host": "gpu-04", "changed": "held back"}


@pytest.mark.parametrize(
    ("noted", "done", "word", "would"),
    [
        ({"action": "none"}, "unchanged", "nothing", "nothing"),
        ({"action": "start"}, "started", "started", "would start"),
        ({"action": "release"}, "released", "released", "would release"),
        ({"action": "remove"}, "removed", "removed", "would remove"),
        ({"action": "roll_back"}, "rolled_back", "rolled back", "would roll back"),
        (SHUT, "failed", "GATE SHUT", "GATE SHUT"),
        (UNDONE, "undone", "UNDONE", "UNDONE"),
        ({**UNDONE, "undone": {"serving": False}}, "failed", "GATE SHUT", "GATE SHUT"),
        (
            {"action": "release", "problem": "another run holds the lock"},
            "not_begun",
            "NOT BEGUN",
            "NOT BEGUN",
        ),
        (
            {"action": "release", "problem": "stopped", "actions": ["stop vllm-qwen.service"]},
            "failed",
            "FAILED",
            "FAILED",
        ),
    ],
)
def test_what_was_done_is_one_word_and_check_mode_says_would(
    noted: dict[str, t.Any], done: str, word: str, would: str
) -> None:
    outcome = HostOutcome("gpu-01", "", {"qwen": noted})
    assert instance(noted)["done"] == done
    assert row(outcome)["changed"] == word
    assert row(outcome, check_mode=True)["changed"] == would


def test_a_release_that_was_undone_counts_the_time_until_the_old_one_served_again() -> None:
    found = instance(UNDONE)
    assert found["seconds_without_service"] == 88.4
    assert found["diagnosis"] == CAUSE
    assert "gpu-01 qwen: release 3 serves again: 8 tokens" in terminal(
        build_report([HostOutcome("gpu-01", "", {"qwen": UNDONE})])
    )


@pytest.mark.parametrize(
    ("answer", "speed"),
    [
        ({"kind": "chat", "tokens": 8, "seconds": 0.25}, 32.0),
        ({"kind": "embedding", "tokens": 1, "seconds": 0.1}, None),
        ({"kind": "completion", "tokens": 8, "seconds": 0.0}, None),
        ({}, None),
    ],
)
def test_only_a_server_that_generates_has_a_speed(answer: dict[str, t.Any], speed: float | None) -> None:
    assert instance({**RELEASED, "gate": {"answer": answer}})["tokens_per_second"] == speed


def test_what_changed_alike_on_many_hosts_is_one_line() -> None:
    hosts = [HostOutcome(f"gpu-0{number}", "", {"qwen": RELEASED}) for number in range(1, 7)]
    lines = [line for line in terminal(build_report(hosts)).splitlines() if "max_num_seqs" in line]
    assert [line.split(None, 3) for line in lines] == [
        ["settings.max_num_seqs", "8", "16", "gpu-01 qwen, gpu-02 qwen, gpu-03 qwen, gpu-04 qwen and 2 more"]
    ]


@pytest.mark.parametrize("what", ["env.HF_TOKEN", "settings.api_key", "env.MY_PASSWORD"])
def test_a_value_whose_name_is_secret_stands_nowhere(what: str) -> None:
    noted = {**RELEASED, "changes": [{"what": what, "before": None, "after": "hunter2"}]}
    report = build_report([HostOutcome("gpu-01", "", {"qwen": noted})])
    shown = [terminal(report), markdown(report), json.dumps(report), json.dumps(summary(report))]
    assert not any("hunter2" in text for text in shown)
    assert "********" in shown[0]


def test_the_folder_of_a_cache_follows_its_image_and_is_no_change_of_its_own() -> None:
    mounts = [f"/var/lib/vllm-fleet/qwen/cache/{12 * digit}:/c" for digit in "ab"]
    changes = [
        {"what": "image", "before": "a" * 64, "after": f"sha256:{'b' * 64}"},
        {"what": "mounts", "before": mounts[:1], "after": mounts[1:]},
        {"what": "devices", "before": [], "after": ["nvidia.com/gpu=0", "nvidia.com/gpu=1"]},
    ]
    text = markdown(build_report([HostOutcome("gpu-01", "", {"qwen": {**RELEASED, "changes": changes}})]))
    assert "| image | aaaaaaaaaaaa | bbbbbbbbbbbb | gpu-01 qwen |" in text
    assert "| devices | - | nvidia.com/gpu=0, nvidia.com/gpu=1 | gpu-01 qwen |" in text
    assert "| mounts |" not in text


def test_another_value_of_a_secret_is_told_by_the_names_of_its_versions() -> None:
    change = {"what": "secrets.HF_TOKEN", "before": "vllm-qwen-hf-01234567", "after": "vllm-qwen-hf-89abcdef"}
    assert instance({**RELEASED, "changes": [change]})["changes"] == [change]


def test_the_headline_counts_what_happened() -> None:
    outcomes = [GOOD, HostOutcome("gpu-02", "", {"qwen": UNDONE}), LOST, KEPT]
    assert terminal(build_report(outcomes)).splitlines()[-1] == (
        "2 servers on 4 hosts: 1 released, 1 undone, 1 host left out, 1 host held back"
    )


def test_every_word_of_what_was_done_is_counted() -> None:
    counts = build_report([GOOD])["counts"]
    assert set(DONE) <= set(counts)
    assert counts["released"] == counts["instances"] == counts["hosts"] == 1


@pytest.mark.parametrize(
    ("outcomes", "check_mode", "result"),
    [
        ([GOOD], False, "good"),
        ([GOOD], True, "predicted"),
        ([GOOD, LOST], False, "failed"),
        ([LOST], True, "failed"),
    ],
)
def test_the_result_is_one_word(outcomes: list[HostOutcome], check_mode: bool, result: str) -> None:
    assert build_report(outcomes, check_mode)["result"] == result


def test_problems_stand_in_full_below_the_table() -> None:
    text = terminal(build_report([GOOD, HostOutcome("gpu-02", "", {"qwen": SHUT}), LOST]))
    assert text.count("gpu-02: qwen: the gate stays shut: looping.\nCause:") == 1
    assert "gpu-03: cannot be reached: no route to host" in text


def test_the_columns_of_the_table_stand_below_each_other() -> None:
    header, first, second = terminal(build_report([GOOD, LOST])).splitlines()[:3]
    at = header.index("instance")
    assert first[at:].startswith("qwen")
    assert second[at:].startswith("-")


def test_markdown_keeps_the_log_in_a_fence_that_the_log_cannot_end() -> None:
    noted = {**SHUT, "problem": "the gate stays shut\n````\n| not | a | table |"}
    text = markdown(build_report([HostOutcome("gpu-02", "", {"qwen": noted})], fleet="lab"))
    assert text.startswith("# vLLM fleet: failed\n")
    assert "`````text\nthe gate stays shut\n````\n| not | a | table |\n`````\n" in text


def test_markdown_keeps_a_cell_a_cell() -> None:
    change = {"what": "settings.chat_template", "before": "a|b", "after": "<script>\nx"}
    text = markdown(build_report([HostOutcome("gpu-01", "", {"qwen": {**RELEASED, "changes": [change]}})]))
    assert "| settings.chat_template | a\\|b | &lt;script> x | gpu-01 qwen |" in text


def test_the_summary_holds_what_outlives_the_files() -> None:
    found = summary(build_report([HostOutcome("gpu-02", "", {"qwen": UNDONE}), LOST]))
    assert found["instances"] == [
        {
            "host": "gpu-02",
            "instance": "qwen",
            "done": "undone",
            "seconds_without_service": 88.4,
            "tokens_per_second": None,
            "before": {**OLD, "vllm_version": "0.25.1"},
            "after": {key: SHOWN.get(key) for key in (*OLD, "vllm_version")},
            "failure_class": "kv_cache_too_small_for_max_model_len",
        }
    ]
    assert [each["host"] for each in found["problems"]] == ["gpu-02", "gpu-03"]
    assert found["schema"] == 1


def test_a_unit_that_waits_for_its_next_release_is_told() -> None:
    assert "waits for its next release" in terminal(
        build_report([HostOutcome("gpu-01", "", {"qwen": {**RELEASED, "pending": True}})])
    )


def test_a_problem_that_tells_no_cause_gets_it() -> None:
    pulled = HostOutcome(
        "gpu-05", "cannot pull vllm:v1: Error: reading manifest v1 in vllm: manifest unknown"
    )
    report = build_report([pulled, HostOutcome("gpu-02", "", {"qwen": SHUT}), LOST])
    classes = [(each["diagnosis"] or {}).get("failure_class") for each in report["problems"]]
    assert classes == ["image_access", None, None]
    assert "\nCause: Podman can't get the image.\nFix: Check image" in terminal(report)
