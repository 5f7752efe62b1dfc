"""Settings and pasted command lines of an instance, as one canonical command line with findings in their places."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.command_line import (
    fold_draft,
    given,
    words_of,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding

IMAGE = {"image": "a/vllm:v0.26.0", "gpus": ["0"]}
WHERE = ["--host", "0.0.0.0", "--port", "8000"]


def plan(**layers: dict[str, t.Any]) -> HostPlan:
    variables = {"vllm_defaults": IMAGE, "vllm_instances": {"qwen": {}}}
    variables.update({name: {"qwen": content} for name, content in layers.items()})
    return plan_host(variables, (), HostFacts(), "gpu-01")


def told(made: HostPlan) -> list[Finding]:
    return [finding for finding in made.findings if finding.severity != "info"]


def argv(made: HostPlan) -> list[str]:
    return list(made.instances["qwen"].argv or ())


def line(text: str, **more: t.Any) -> HostPlan:
    return plan(vllm_instances={"argv": text, **more})


@pytest.mark.parametrize(
    "pasted",
    [
        "m/m --max-num-seqs 4",
        "vllm serve m/m --max_num_seqs=4",
        ["m/m", "--max-num-seqs", "4"],
        "python -m vllm.entrypoints.openai.api_server --model m/m --max-num-seqs 4",
        "podman run --rm a/vllm:v0.26.0 --model m/m --max-num-seqs 4",
    ],
)
def test_every_way_to_paste_a_command_line_is_the_same_plan(pasted: t.Any) -> None:
    made = plan(vllm_instances={"argv": pasted})
    assert made.valid
    assert argv(made) == ["m/m", "--host", "0.0.0.0", "--max-num-seqs", "4", "--port", "8000"]


def test_the_first_release_has_no_socket_to_take_away() -> None:
    assert told(plan(vllm_instances={"model": "m/m", "image": "a/vllm:v0.10.0"})) == []


def test_settings_above_a_pasted_line_are_merged_over_it() -> None:
    made = plan(
        vllm_instances={"argv": "m/m --max-num-seqs 4 --dtype float16"},
        vllm_overrides={"settings": {"max_num_seqs": 8}},
    )
    assert argv(made) == [
        "m/m",
        "--dtype",
        "float16",
        "--host",
        "0.0.0.0",
        "--max-num-seqs",
        "8",
        "--port",
        "8000",
    ]


def test_a_pasted_line_replaces_the_settings_below_it() -> None:
    made = plan(
        vllm_instances={"model": "m/m", "settings": {"dtype": "float16"}}, vllm_overrides={"argv": "m/m"}
    )
    assert argv(made) == ["m/m", *WHERE]


def test_a_model_of_a_layer_above_the_pasted_line_counts_and_one_below_does_not() -> None:
    below = plan(vllm_instances={"model": "m/below"}, vllm_overrides={"argv": "m/m"})
    above = plan(vllm_instances={"argv": "m/m"}, vllm_overrides={"model": "m/above"})
    assert (argv(below)[0], argv(above)[0]) == ("m/m", "m/above")
    assert told(below) == told(above) == []


def test_two_models_in_one_layer_are_a_contradiction() -> None:
    made = line("m/m --max-num-seqs 4", model="m/other")
    assert [(finding.severity, finding.code) for finding in told(made)] == [("error", "model_twice")]
    assert not told(line("m/m --max-num-seqs 4", model="m/m"))


def test_a_pasted_line_without_a_model_takes_the_one_of_the_instance() -> None:
    made = line("--max-num-seqs 4", model="m/m")
    assert argv(made)[0] == "m/m"
    assert not told(made)


def test_a_pasted_line_that_says_where_it_listens_as_the_plan_does_is_fine() -> None:
    made = line("m/m --host 0.0.0.0 --port 8001", port=8001, listen="0.0.0.0")
    assert [finding.code for finding in told(made)] == ["open_without_key"]
    assert argv(made) == ["m/m", "--host", "0.0.0.0", "--port", "8001"]


@pytest.mark.parametrize(
    ("words", "setting", "fix"),
    [
        ("--port 9000", "port", "remove it; write port: 9000 beside argv"),
        ("--port=9000", "port", "remove it; write port: 9000 beside argv"),
        ("--host 10.0.0.1", "host", "remove it; write listen: 10.0.0.1 beside argv"),
        ("--uds /run/x.sock", "uds", "remove it; a server is reached by listen and port"),
    ],
)
def test_a_pasted_line_that_says_otherwise_is_refused(words: str, setting: str, fix: str) -> None:
    (finding,) = told(line(f"m/m {words}"))
    assert (finding.severity, finding.code, finding.setting, finding.fix) == (
        "error",
        "owned_setting",
        setting,
        fix,
    )
    assert finding.origin == "vllm_instances.qwen.argv"


def test_a_pasted_line_that_listens_more_widely_is_a_warning() -> None:
    (finding,) = told(line("m/m --host 0.0.0.0"))
    assert (finding.severity, finding.code, finding.fix) == ("warning", "listen_narrower", "listen: 0.0.0.0")


def test_a_variable_of_a_pasted_line_is_told_to_be_left_out_unless_the_instance_sets_it() -> None:
    pasted = "VLLM_LOGGING_LEVEL=DEBUG vllm serve m/m"
    (finding,) = told(line(pasted))
    assert (finding.severity, finding.code, finding.setting) == (
        "warning",
        "env_in_argv",
        "env.VLLM_LOGGING_LEVEL",
    )
    assert not told(line(pasted, env={"VLLM_LOGGING_LEVEL": "INFO"}))


def test_what_a_release_refuses_is_told_at_the_place_where_it_was_written() -> None:
    made = plan(
        vllm_instances={"model": "m/m", "settings": {"max_num_seq": 4}},
        vllm_overrides={"settings": {"kv_cache_dtype": "q8_0"}},
    )
    places = {finding.setting: finding.origin for finding in told(made)}
    assert places == {
        "max_num_seq": "vllm_instances.qwen.settings.max_num_seq",
        "kv_cache_dtype": "vllm_overrides.qwen.settings.kv_cache_dtype",
    }
    assert not made.valid


def test_what_a_release_refuses_of_a_pasted_line_is_told_at_the_line() -> None:
    made = line("m/m --kv-cache-dtype q8_0")
    assert {finding.origin for finding in told(made)} == {"vllm_instances.qwen.argv"}


def test_the_release_of_the_image_judges() -> None:
    spec = {"model": "m/m", "settings": {"spec_method": "ngram", "spec_tokens": 4}}
    assert plan(vllm_instances={**spec, "image": "a/vllm:v0.26.0"}).valid
    assert not plan(vllm_instances={**spec, "image": "a/vllm:v0.21.0"}).valid


@pytest.mark.parametrize(
    "image", ["a/vllm:latest", "a/vllm:nightly", "a/vllm:v9.0.0", "a/vllm@sha256:" + "a" * 64]
)
def test_of_an_unknown_release_an_unknown_setting_is_a_warning(image: str) -> None:
    made = plan(vllm_instances={"model": "m/m", "image": image, "settings": {"brand_new": 1}})
    assert made.valid
    assert {finding.setting for finding in told(made)} == {"version", "brand_new"}


def test_of_two_names_for_one_option_the_higher_layer_counts() -> None:
    made = plan(
        vllm_instances={"model": "m/m", "settings": {"enable_prefix_caching": True}},
        vllm_overrides={"settings": {"no_enable_prefix_caching": True}},
    )
    assert made.valid
    assert argv(made) == ["m/m", "--no-enable-prefix-caching", *WHERE]


def test_the_next_release_is_asked_when_it_is_named() -> None:
    variables = {
        "vllm_defaults": {**IMAGE, "image": "a/vllm:v0.17.0"},
        "vllm_instances": {"qwen": {"model": "m/m", "settings": {"swap_space": 4}}},
    }
    assert plan_host(variables, (), HostFacts()).valid
    advised = plan_host(variables, (), HostFacts(), target="0.33.0").findings
    assert "swap_space" in {finding.setting for finding in advised}
    changed = {finding.origin for finding in advised if finding.code == "upgrade_default_changed"}
    assert changed == {"vllm_defaults.image"}


@pytest.mark.parametrize(
    "settings",
    [
        {"spec_method": "dflash", "spec_model": "z/d", "spec_tokens": 8},
        {"spec-method": "dflash", "spec-model": "z/d", "speculative_config": {"num_speculative_tokens": 8}},
        {
            "speculative_config.method": "dflash",
            "speculative_config": {"model": "z/d", "num_speculative_tokens": 8},
        },
    ],
)
def test_every_spelling_of_a_draft_is_the_same_plan(settings: dict[str, t.Any]) -> None:
    made = plan(
        vllm_instances={
            "model": "m/m",
            "settings": {**settings, "stream_interval": 2, "async_scheduling": False},
        }
    )
    assert made.valid
    draft = '{"method":"dflash","model":"z/d","num_speculative_tokens":8}'
    assert argv(made) == [
        "m/m", "--no-async-scheduling", *WHERE, "--speculative-config", draft, "--stream-interval", "2",
    ]  # fmt: skip


def test_a_fleet_of_one_model_is_judged_once() -> None:
    judged: dict[str, t.Any] = {}
    variables = {"vllm_defaults": IMAGE, "vllm_instances": {"a": {"model": "m/m"}}}
    first = plan_host(variables, (), HostFacts(), "gpu-01", judged=judged)
    second = plan_host(variables, (), HostFacts(), "gpu-02", judged=judged)
    assert len(judged) == 1
    assert first.instances == second.instances


@pytest.mark.parametrize(
    ("argv", "option", "words"),
    [
        (["m", "--a", "1", "2", "--b"], "--a", ["1", "2"]),
        (["m", "--a", "1", "--b"], "--b", []),
        (["m", "--a=-x"], "--a", ["-x"]),
        (["m", "--ab", "1"], "--a", []),
    ],
)
def test_the_words_of_an_option_end_at_the_next_one(argv: list[str], option: str, words: list[str]) -> None:
    assert words_of(argv, option) == words


def test_values_of_an_option_are_found_in_either_spelling() -> None:
    assert given(["m", "--port", "1", "--port=2", "--host"], "--port") == ["1", "2"]


def test_a_command_line_without_a_draft_stays_as_it_is() -> None:
    line = ["m", "--a=-1", "--no-b", "--list", "1", "2", "--speculative-config", "{}"]
    assert fold_draft(line) == tuple(line)
