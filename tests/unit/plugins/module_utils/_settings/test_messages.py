"""Refusals teach: since when, until when, what was meant, what to write."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings import messages
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.messages import Lesson

RELEASES = ("0.10.0", "0.11.0", "0.12.0", "0.13.0", "0.14.0")
LIVES = {
    "old_one": [("0.10.0", "0.11.0")],
    "new_one": [("0.13.0", None)],
    "back_again": [("0.10.0", "0.10.0"), ("0.13.0", None)],
    "always": [("0.10.0", None)],
    "enable_log_requests": [("0.11.0", None)],
    "disable_log_requests": [("0.10.0", "0.11.0")],
}


@pytest.mark.parametrize(
    ("name", "release", "told"),
    [
        ("old_one", "0.11.0", ""),
        ("old_one", "0.12.0", "it is gone since 0.12.0"),
        ("new_one", "0.12.0", "it exists since 0.13.0"),
        ("new_one", "0.13.0", ""),
        ("back_again", "0.12.0", "it exists since 0.13.0"),
        ("back_again", "0.10.0", ""),
        ("always", "0.14.0", ""),
        ("never", "0.14.0", ""),
    ],
)
def test_the_life_of_a_name_is_told_from_the_release_that_is_asked(
    name: str, release: str, told: str
) -> None:
    assert messages.life(LIVES.get(name, ()), release, RELEASES) == told


def test_ranges_of_a_table_become_lives_of_values() -> None:
    ranges = {"0.10.0-": "auto fp8", "0.11.0-0.12.0": (1, None)}
    assert messages.spans_by_value(ranges) == {
        "auto": [("0.10.0", None)],
        "fp8": [("0.10.0", None)],
        "1": [("0.11.0", "0.12.0")],
        "None": [("0.11.0", "0.12.0")],
    }


def _option(name: str, release: str = "0.12.0") -> Lesson:
    valid = [setting for setting, spans in LIVES.items() if not messages.life(spans, release, RELEASES)]
    return messages.unknown_option(name, valid, LIVES, release, RELEASES)


def test_an_option_of_a_later_release_says_since_when() -> None:
    assert _option("--new-one") == Lesson(
        "it exists since 0.13.0", "vLLM 0.13.0 or newer, or leave new_one out"
    )


def test_an_option_that_is_gone_says_since_when_and_what_replaces_it() -> None:
    lesson = _option("--disable-log-requests")
    assert lesson.note.startswith("it is gone since 0.12.0")
    assert lesson.fix == "write enable_log_requests"


def test_an_option_that_is_gone_without_heir_is_left_out() -> None:
    assert _option("--old-one") == Lesson("it is gone since 0.12.0", "leave old_one out")


def test_an_option_of_another_server_is_translated() -> None:
    lesson = messages.unknown_option("--n_gpu_layers", ["cpu_offload_gb"], {}, "0.12.0", RELEASES)
    assert lesson.fix == "write cpu_offload_gb"
    assert "llama.cpp" in lesson.note


def test_a_replacement_that_this_release_does_not_have_either_is_told_with_its_release() -> None:
    lives = {"numa_bind": [("0.13.0", None)]}
    lesson = messages.unknown_option("--numa", [], lives, "0.12.0", RELEASES)
    assert lesson.fix is None
    assert "numa_bind (it exists since 0.13.0)" in lesson.note


def test_a_slip_names_what_is_near() -> None:
    assert _option("--alwyas") == Lesson("nearest: always", "write always")


def test_a_slip_in_a_name_of_another_release_says_so() -> None:
    assert _option("--new-oen").note == "nearest in other releases: new_one (it exists since 0.13.0)"


def test_what_nobody_knows_teaches_nothing() -> None:
    assert _option("--zzzzzzzz") == Lesson()


CACHE = ("auto", "fp8", "int8_per_token_head")
CACHE_LIVES = {"nvfp4_4over6": [("0.14.0", None)], "fp8": [("0.10.0", None)], "q4": [("0.10.0", "0.11.0")]}


@pytest.mark.parametrize(
    ("value", "note", "fix"),
    [
        ("q8_0", "llama.cpp", "kv_cache_dtype: fp8 or int8_per_token_head"),
        (
            "nvfp4_4over6",
            "it exists since 0.14.0",
            "vLLM 0.14.0 or newer, or leave kv_cache_dtype: nvfp4_4over6 out",
        ),
        ("fp88", "nearest: fp8", "kv_cache_dtype: fp8"),
        ("FP8", "nearest: fp8", "kv_cache_dtype: fp8"),
        ("int8-per-token-head", "nearest: int8_per_token_head", "kv_cache_dtype: int8_per_token_head"),
        ("zzzzzz", "", None),
    ],
)
def test_a_wrong_choice_says_what_was_meant(value: str, note: str, fix: str | None) -> None:
    lesson = messages.invalid_choice("kv_cache_dtype", value, CACHE, CACHE_LIVES, "0.12.0", RELEASES)
    assert note in lesson.note
    assert lesson.fix == fix


def test_a_wrong_key_names_what_is_near_or_when_it_comes() -> None:
    near = messages.unknown_key(
        "compilation_config", "cudagraph_modes", ["cudagraph_mode"], {}, "0.12.0", RELEASES
    )
    later = messages.unknown_key(
        "x", "attention_backend", [], {"attention_backend": [("0.13.0", None)]}, "0.12.0", RELEASES
    )
    assert near == Lesson("nearest: cudagraph_mode", "write cudagraph_mode")
    assert later.note == "it exists since 0.13.0"


@pytest.mark.parametrize(
    ("written", "number"),
    [("32k", 32000), ("32K", 32768), ("1.5m", 1500000), ("2GiB", 2 * 1024**3), ("x", None)],
)
def test_units_are_counted_as_vllm_counts_them(written: str, number: int | None) -> None:
    assert messages.plain_number(written) == number


@pytest.mark.parametrize(
    ("value", "wanted", "part"),
    [
        ("1k", "takes a whole number", "max_num_seqs: 1000"),
        ("true", "takes a whole number", "without quotes"),
        ('{"a": 1}', "takes a mapping", "YAML mapping"),
    ],
)
def test_a_value_of_the_wrong_type_is_written_rightly(value: str, wanted: str, part: str) -> None:
    lesson = messages.invalid_value("max_num_seqs", value, wanted)
    assert part in f"{lesson.note} {lesson.fix}"
