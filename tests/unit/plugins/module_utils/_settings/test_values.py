from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.values import (
    BadValueError,
    convert,
    expand_numbers,
)

NOW, BEFORE_T = (0, 26, 0), (0, 12, 0)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("human_int", "32k", 32000),
        ("human_int", "32K", 32768),
        ("human_int", "1.5k", 1500),
        ("human_int", " 1_000 ", 1000),
        ("human_int_or_auto", "AUTO", -1),
        ("optional human_int", "2G", 2 * 1024**3),
        ("optional int", "None", None),
        ("optional str", "", None),
        ("optional str", "none", "none"),
        ("int", "-5", -5),
        ("float", "nan", pytest.approx(float("nan"), nan_ok=True)),
        ("bool", "false", True),
        ("json", '["*"]', ["*"]),
        ("dict_or_str", "npz", "npz"),
        ("dict_or_str", ' {"a": 1} ', {"a": 1}),
        ("lower_underscore", "Deep-GEMM", "deep_gemm"),
        ("device_ids", "0, 1,GPU-3", [0, 1, "GPU-3"]),
        ("parser_or_none", "None", ""),
        (None, "x", "x"),
    ],
)
def test_a_word_becomes_the_value_of_its_type(kind: str, text: str, value: t.Any) -> None:
    assert convert(kind, text, NOW) == value


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("human_int", "1.5K", "1.5k counts in thousands"),
        ("human_int", "1e3", "32k is 32000"),
        ("human_int", "2GiB", "a whole number"),
        ("human_int", "9" * 400 + "k", "too large"),
        ("int", "1k", "takes a whole number"),
        ("int", "", "takes a whole number"),
        ("float", "4g", "takes a number"),
        ("json", "{'a': 1}", "takes JSON"),
        ("json", "[" * 100_000, "nested too deeply"),
        ("dict_or_str", "{a}", "takes JSON"),
    ],
)
def test_a_word_of_another_type_is_refused_with_what_is_wanted(kind: str, text: str, says: str) -> None:
    with pytest.raises(BadValueError, match=says):
        convert(kind, text, NOW)


def test_tera_is_read_from_0_13_0_on() -> None:
    assert convert("human_int", "1t", (0, 13, 0)) == 10**12
    with pytest.raises(BadValueError):
        convert("human_int", "1t", BEFORE_T)


def test_bare_numbers_with_suffix_in_json_are_written_out_from_0_20_0_on() -> None:
    text = '{"a": 80g, "b": "80g"}'
    assert expand_numbers(text, (0, 20, 0)) == '{"a": 80000000000, "b": "80g"}'
    assert expand_numbers(text, (0, 19, 1)) == text
