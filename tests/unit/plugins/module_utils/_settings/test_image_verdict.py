from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.image_verdict import (
    not_asked,
    other_release,
    refusal,
    veiled,
)

HERE = "0.32.0"


@pytest.mark.parametrize(
    ("message", "settings"),
    [
        pytest.param("unrecognized arguments: --swap-space 4", ["swap_space"], id="unknown option"),
        pytest.param(
            "unrecognized arguments: --swap-space 4 --foo -x", ["swap_space", "foo", "x"], id="several"
        ),
        pytest.param(
            "argument --tensor-parallel-size/-tp: invalid int value: 'two'",
            ["tensor_parallel_size"],
            id="value",
        ),
        pytest.param("argument --kv-cache-dtype: invalid choice: 'q8_0'", ["kv_cache_dtype"], id="choice"),
        pytest.param(
            "ambiguous option: --max-num-s could match --max-num-seqs", ["max_num_s"], id="ambiguous"
        ),
        pytest.param(
            "ambiguous option: --max-num-s=4 could match", ["max_num_s"], id="ambiguous with a value"
        ),
        pytest.param("ValueError: something else", ["argv"], id="names no option"),
    ],
)
def test_a_refusal_is_told_of_the_options_that_it_names(message: str, settings: list[str]) -> None:
    found = refusal(message, ["m"], HERE, HERE, {})
    assert [each.setting for each in found] == settings
    assert all(each.severity == "error" and message in each.message for each in found)


@pytest.mark.parametrize(
    ("message", "argv", "release", "advice"),
    [
        pytest.param(
            "unrecognized arguments: --swap-space 4",
            ["m", "--swap-space", "4"],
            HERE,
            "gone since 0.18.0",
            id="gone in the release that the image holds",
        ),
        pytest.param(
            "unrecognized arguments: --max-num-queued-reqs 4",
            ["m", "--max-num-queued-reqs", "4"],
            "0.26.0",
            "exists since 0.29.0",
            id="not there yet",
        ),
        pytest.param(
            "unrecognized arguments: --max-num-seq 4 --top",
            ["m", "--max-num-seq", "4"],
            HERE,
            "built otherwise",
            id="taken by the release as it was published",
        ),
        pytest.param(
            "argument --kv-cache-dtype: invalid choice: 'q8_0' (choose from 'auto')",
            ["m", "--kv-cache-dtype", "q8_0"],
            HERE,
            "int8_per_token_head",
            id="what is taken instead",
        ),
        pytest.param(
            "unrecognized arguments: --swap-space 4",
            ["m", "--swap-space", "4"],
            "",
            "gone since 0.18.0",
            id="an image that does not tell its release is judged as the planned one",
        ),
    ],
)
def test_the_tables_explain_what_the_image_refuses(
    message: str, argv: list[str], release: str, advice: str
) -> None:
    found = refusal(message, argv, release, HERE, {})
    assert advice in (found[0].fix or "")


@pytest.mark.parametrize(
    ("origins", "origin"),
    [
        (
            {"settings.swap_space": "vllm_overrides.qwen.settings.swap_space"},
            "vllm_overrides.qwen.settings.swap_space",
        ),
        ({"settings.swap-space": "vllm_defaults.settings.swap-space"}, "vllm_defaults.settings.swap-space"),
        ({"argv": "vllm_instances.qwen.argv"}, "vllm_instances.qwen.argv"),
        ({}, None),
    ],
)
def test_the_finding_says_where_the_setting_was_written(origins: dict[str, str], origin: str | None) -> None:
    argv = ["m", "--swap-space", "4"]
    found = refusal("unrecognized arguments: --swap-space 4", argv, HERE, HERE, origins)
    assert (found[0].origin, found[0].value) == (origin, "4")


def test_an_option_in_json_has_its_origin_below() -> None:
    origins = {"settings.compilation_config.mode": "vllm_defaults.settings.compilation_config.mode"}
    found = refusal(
        "argument --compilation-config/-cc: no", ["m", "--compilation-config", "{}"], HERE, HERE, origins
    )
    assert found[0].origin == "vllm_defaults.settings.compilation_config.mode"


@pytest.mark.parametrize(
    "argv",
    [["m", "--api-key", "sk-one", "sk-two", "--port", "1"], ["m", "--api-key=sk-one", "--hf-token=sk-two"]],
)
def test_secrets_in_the_words_of_the_image_are_veiled(argv: list[str]) -> None:
    said = veiled("unrecognized arguments: sk-one sk-two --port 1", argv)
    assert "sk-" not in said
    assert "--port 1" in said


def test_the_value_of_a_secret_option_is_not_shown() -> None:
    found = refusal(
        "unrecognized arguments: --api-key ********", ["m", "--api-key", "sk-one"], HERE, HERE, {}
    )
    assert "sk-one" not in str(found[0])


@pytest.mark.parametrize(
    ("release", "planned", "told"),
    [
        ("0.32.0", "0.26.0", True),
        ("0.32.0+cpu", "0.32.0", False),
        ("0.32.1.dev3+g1234", "0.32.0", True),
        ("", "0.32.0", False),
        ("0.32.0", "latest", False),
        ("0.32.0", None, False),
    ],
)
def test_another_release_than_the_planned_one_is_told(release: str, planned: str | None, told: bool) -> None:
    assert (other_release(release, planned, {}) is not None) is told


def test_whoever_wrote_the_version_is_told_what_to_write() -> None:
    origins = {"version": "vllm_instances.qwen.version", "image": "vllm_defaults.image"}
    found = other_release("0.32.0", "0.26.0", origins)
    assert found is not None
    assert (found.fix, found.origin) == ("version: 0.32.0", "vllm_instances.qwen.version")


def test_an_image_that_was_not_asked_is_only_warned_of() -> None:
    found = not_asked("ImportError: libcuda.so.1:\n cannot open shared object file")
    assert (found.severity, found.code) == ("warning", "image_not_asked")
    assert "libcuda.so.1: cannot open" in found.message


def test_a_message_with_all_choices_fits_into_a_table() -> None:
    found = refusal(
        "argument --dtype: invalid choice: 'x' (choose from " + "'value', " * 300, ["m"], HERE, HERE, {}
    )
    assert len(found[0].message) < 800
