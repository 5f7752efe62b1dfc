from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.inputs import (
    merged,
    read_settings,
    words_of,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import choose

TABLE = choose("0.26.0").table


def written(settings: dict[t.Any, t.Any], version: str = "0.26.0") -> t.Any:
    return read_settings(settings, choose(version).table)


@pytest.mark.parametrize(
    ("settings", "values"),
    [
        ({"max_num_seqs": 1}, {"max_num_seqs": 1}),
        ({"max-num-seqs": 1}, {"max_num_seqs": 1}),
        ({"--max-num-seqs": 1}, {"max_num_seqs": 1}),
        ({"hf-overrides.rope_scaling.factor": 4}, {"hf_overrides": {"rope_scaling": {"factor": 4}}}),
        ({"hf_overrides": {"a": 1}, "hf-overrides.b.c": 2}, {"hf_overrides": {"a": 1, "b": {"c": 2}}}),
        ({"no_enable_prefix_caching": True}, {"enable_prefix_caching": False}),
        ({"no-enable-prefix-caching": False}, {"enable_prefix_caching": True}),
    ],
)
def test_every_spelling_becomes_the_canonical_setting(
    settings: dict[t.Any, t.Any], values: dict[str, t.Any]
) -> None:
    found = written(settings)
    assert (found.values, found.problems) == (values, [])


@pytest.mark.parametrize(
    ("settings", "version", "where"),
    [
        ({"max_num_seqs": 1, "max-num-seqs": 2}, "0.26.0", "max_num_seqs"),
        (
            {"gpu_memory_utilization": 0.9, "device_memory_utilization": 0.8},
            "0.31.0",
            "gpu_memory_utilization",
        ),
        ({"hf_overrides": {"a": {"b": 1}}, "hf_overrides.a.b": 2}, "0.26.0", "hf_overrides.a.b"),
    ],
)
def test_a_setting_given_twice_is_told(settings: dict[t.Any, t.Any], version: str, where: str) -> None:
    found = written(settings, version)
    assert [(problem.setting, "given twice" in problem.message) for problem in found.problems] == [
        (where, True)
    ]


def test_a_name_that_the_release_does_not_have_is_kept_and_told() -> None:
    found = written({"brand_new": 1})
    assert (found.unknown, [problem.kind for problem in found.problems]) == (
        {"brand_new": 1},
        ["unknown_option"],
    )


def test_the_positional_model_is_no_setting() -> None:
    assert [problem.setting for problem in written({"model_tag": "m"}).problems] == ["model_tag"]


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("enforce_eager", True, ["--enforce-eager"]),
        ("enforce_eager", "False", ["--no-enforce-eager"]),
        ("enforce_eager", "yes", ["--enforce-eager"]),
        ("headless", False, []),
        ("max_model_len", "32k", ["--max-model-len=32k"]),
        ("max_model_len", None, []),
        ("api_key", ["a", "b"], ["--api-key", "a", "b"]),
        ("api_key", "a", ["--api-key=a"]),
        ("api_key", [], []),
        ("middleware", ["a", "b"], ["--middleware", "a", "--middleware", "b"]),
        ("device_ids", [0, "GPU-1"], ["--device-ids=0,GPU-1"]),
        ("allowed_origins", ["*"], ['--allowed-origins=["*"]']),
        ("speculative_config", {"method": "ngram"}, ['--speculative-config={"method":"ngram"}']),
        ("speculative_config", '{"method": "ngram"}', ['--speculative-config={"method": "ngram"}']),
        (
            "lora_modules",
            [{"name": "a", "path": "b"}, "c=d"],
            ["--lora-modules", '{"name":"a","path":"b"}', "c=d"],
        ),
        ("chat_template", "-x", ["--chat-template=-x"]),
    ],
)
def test_yaml_values_become_words(setting: str, value: t.Any, words: list[str]) -> None:
    assert words_of(TABLE.options[setting], value, setting, TABLE) == (words, [], [])


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        ("enforce_eager", "maybe", "true or false"),
        ("enforce_eager", 1.5, "true or false"),
        ("max_num_seqs", True, "takes a value, not true"),
        ("attention_backend", False, "quote it"),
        ("max_num_seqs", [1], "not a list"),
        ("max_num_seqs", {"a": 1}, "no mapping"),
        ("quantization", {"x": 1}, "no mapping"),
    ],
)
def test_a_yaml_value_of_another_kind_is_told(setting: str, value: t.Any, says: str) -> None:
    words, problems, _remarks = words_of(TABLE.options[setting], value, setting, TABLE)
    assert (words, [says in problem.message for problem in problems]) == ([], [True])


def test_a_number_for_text_is_worth_a_remark_because_yaml_may_have_changed_it() -> None:
    words, problems, remarks = words_of(TABLE.options["revision"], 1.1, "revision", TABLE)
    assert (words, problems, [remark.kind for remark in remarks]) == (
        ["--revision=1.1"],
        [],
        ["number_for_text"],
    )


def test_merging_replaces_scalars_and_lists_merges_mappings_and_removes_with_null() -> None:
    below = {"a": 1, "b": {"c": 1, "d": 2}, "e": [1, 2]}
    assert merged(below, {"b": {"c": None, "x": 3}, "e": [3], "a": None}) == {"b": {"d": 2, "x": 3}, "e": [3]}
