from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.parser import parse
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import choose


def read(line: str, version: str = "0.26.0", **options: t.Any) -> t.Any:
    return parse(line.split(), choose(version).table, **options)


def kinds(line: str, version: str = "0.26.0", **options: t.Any) -> list[str]:
    return [problem.kind for problem in read(line, version, **options).problems]


def test_every_mistake_is_found_not_only_the_first() -> None:
    line = "m --max-num-seqs x --nonsense 1 --dtype fp16 --max-num 3 --port"
    assert sorted(kinds(line)) == sorted(
        ["invalid_value", "unknown_option", "invalid_choice", "ambiguous_option", "missing_value"]
    )


@pytest.mark.parametrize(
    ("line", "version", "expected"),
    [
        pytest.param("m --enforce", "0.26.0", {"enforce_eager": True}, id="a unique prefix"),
        pytest.param("m -tp=2", "0.26.0", {"tensor_parallel_size": 2}, id="a short option with ="),
        pytest.param("m -q8", "0.26.0", {"quantization": "8"}, id="a short option with its value attached"),
        pytest.param("m --seed -1", "0.26.0", {"seed": -1}, id="a negative number is a value"),
        pytest.param("m --api-key a b", "0.26.0", {"api_key": ["a", "b"]}, id="several words"),
        pytest.param("m --api-key a --api-key b", "0.26.0", {"api_key": ["b"]}, id="repeated lists replace"),
        pytest.param(
            "m --middleware a --middleware b", "0.26.0", {"middleware": ["a", "b"]}, id="the one that appends"
        ),
        pytest.param("m --no-enforce-eager", "0.26.0", {"enforce_eager": False}, id="switched off"),
        pytest.param(
            "m --disable-prefix-caching", "0.33.0", {"enable_prefix_caching": False}, id="its inverse, 0.33.0"
        ),
        pytest.param("m --hf-token", "0.26.0", {"hf_token": True}, id="an optional value that is left out"),
        pytest.param(
            "m --lora-modules a=b", "0.26.0", {"lora_modules": [{"name": "a", "path": "b"}]}, id="name=path"
        ),
        pytest.param(
            "m --lora-modules a=b=c",
            "0.30.0",
            {"lora_modules": [{"name": "a", "path": "b=c"}]},
            id="a path with =, since 0.30.0",
        ),
        pytest.param(
            "m --kv-transfer-config None", "0.26.0", {"kv_transfer_config": None}, id="None is nothing"
        ),
        pytest.param("m --device cpu", "0.24.0", {"device_ids": ["cpu"]}, id="an old option read as another"),
    ],
)
def test_options_are_read_as_by_argparse(line: str, version: str, expected: dict[str, t.Any]) -> None:
    parsed = read(line, version)
    assert (parsed.problems, parsed.values) == ([], expected)


@pytest.mark.parametrize(
    ("line", "version", "kind"),
    [
        ("m n", "0.26.0", "unknown_word"),
        ("m --seed 1 --", "0.26.0", "unknown_word"),
        ("m -tp2", "0.26.0", "unknown_option"),
        ("m -d 2", "0.26.0", "ambiguous_option"),
        ("m --disable-prefix-caching", "0.32.0", "unknown_option"),
        ("m --no-headless", "0.33.0", "unknown_option"),
        ("m --enforce-eager=true", "0.26.0", "unexpected_value"),
        ("m --enforce-eager true", "0.26.0", "unknown_word"),
        ("m --max-num-s 4", "0.26.0", "ambiguous_option"),
        ("m --help", "0.26.0", "refused"),
        ("m --lora-modules x", "0.26.0", "invalid_value"),
        ("m --lora-modules a=b=c", "0.29.0", "invalid_value"),
        ('m --lora-modules {"name":"a","path":"b","is_3d_lora_weight":true}', "0.21.0", "invalid_value"),
        ("m --kv-transfer-config null", "0.26.0", "invalid_json_value"),
        ("m --kv-cache-dtype None", "0.30.0", "invalid_choice"),
        ('m --compilation-config {"mode":9}', "0.26.0", "invalid_json_value"),
        ('m --compilation-config {"modes":1}', "0.26.0", "unknown_json_key"),
        ("m --compilation-config {", "0.26.0", "invalid_json"),
    ],
)
def test_what_the_real_parser_refuses_is_refused(line: str, version: str, kind: str) -> None:
    assert kinds(line, version) == [kind]


def test_a_prefix_that_was_unique_turns_ambiguous_with_a_release() -> None:
    assert read("m --max-num-s 4", "0.25.1").values == {"max_num_seqs": 4}
    assert kinds("m --max-num-s 4", "0.26.0") == ["ambiguous_option"]


@pytest.mark.parametrize(
    ("line", "model"),
    [
        ("m", "m"),
        ("--port 1 m", "m"),
        ("-- m", "m"),
        ("m --", "m"),
        ("--port 1 -- m", "m"),
        ("", None),
    ],
)
def test_the_model_is_the_first_free_word(line: str, model: str | None) -> None:
    parsed = read(line)
    assert (parsed.ok, parsed.model) == (True, model)


def test_the_model_behind_an_unknown_option_is_not_lost() -> None:
    parsed = read("--enable-reasoning m")
    assert (parsed.model, [problem.kind for problem in parsed.problems]) == ("m", ["unknown_option"])


def test_the_module_of_the_api_server_takes_the_model_as_an_option() -> None:
    assert read("--model x", "0.10.2", serve=False).values == {"model": "x"}
    assert kinds("--model x", "0.10.2") == ["refused"]


def test_a_refused_file_does_not_hide_the_other_mistakes() -> None:
    assert kinds("m --config missing.yaml --nonsense") == ["refused", "unknown_option"]


def test_defaults_are_not_shared_between_readings() -> None:
    read("m --middleware a")
    assert read("m --middleware b").values == {"middleware": ["b"]}
