from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.argv import (
    REPEATED,
    option_name,
    render_argv,
    setting_name,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import (
    RELEASES,
    choose,
    table_at,
)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        pytest.param(
            {"max_num_seqs": 4, "dtype": "half"},
            ["--dtype", "half", "--max-num-seqs", "4"],
            id="alphabetical",
        ),
        pytest.param({"enable_lora": True}, ["--enable-lora"], id="true is the bare option"),
        pytest.param({"enable_lora": False}, ["--no-enable-lora"], id="false is the option with no"),
        pytest.param({"seed": None}, [], id="null is absent"),
        pytest.param({"api_key": ["a", "b"]}, ["--api-key", "a", "b"], id="a list follows its option"),
        pytest.param({"api_key": []}, [], id="an empty list is absent"),
        pytest.param(
            {"hf_overrides": {"b": 1, "a": [True]}},
            ["--hf-overrides", '{"a":[true],"b":1}'],
            id="sorted JSON",
        ),
        pytest.param({"seed": -1}, ["--seed", "-1"], id="a negative number is a word"),
        pytest.param({"chat_template": "-x"}, ["--chat-template=-x"], id="text with a dash stays a value"),
        pytest.param(
            {"chat_template": "-1.5"}, ["--chat-template=-1.5"], id="a dash and a dot are no dotted option"
        ),
        pytest.param({"served_model_name": "é"}, ["--served-model-name", "é"], id="text as it is"),
    ],
)
def test_one_canonical_spelling(settings: dict[str, t.Any], words: list[str]) -> None:
    assert render_argv("m", settings) == ["m", *words]
    assert render_argv(None, settings) == words


def test_a_switch_that_cannot_be_turned_off_is_left_out_when_false() -> None:
    table = choose("0.26.0").table
    assert render_argv("m", {"headless": False, "enable_lora": False}, table) == ["m", "--no-enable-lora"]


def test_the_long_name_comes_from_the_release() -> None:
    table = choose("0.33.0").table
    assert render_argv(None, {"gpu_memory_utilization": 0.9}, table) == ["--gpu-memory-utilization", "0.9"]


def test_an_option_that_appends_is_repeated() -> None:
    assert render_argv(None, {"middleware": ["a", "b"]}) == ["--middleware", "a", "--middleware", "b"]


def test_the_options_that_append_are_those_of_every_release() -> None:
    tables = [table_at(index) for index in range(len(RELEASES))]
    assert {o.dest for table in tables for o in table.options.values() if o.action == "append"} == set(
        REPEATED
    )


def test_names_keep_what_follows_the_first_dot() -> None:
    assert option_name("hf_overrides.rope_scaling") == "--hf-overrides.rope_scaling"
    assert setting_name("--hf-overrides.rope_scaling") == "hf_overrides.rope_scaling"
