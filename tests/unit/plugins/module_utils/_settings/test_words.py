from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings import words
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.words import RefusedError

OLD, NOW = (0, 11, 0), (0, 26, 0)


@pytest.mark.parametrize(
    ("line", "release", "expected"),
    [
        (["--max_num_seqs", "1"], NOW, ["--max-num-seqs", "1"]),
        (["--max_num_seqs=a_b"], NOW, ["--max-num-seqs=a_b"]),
        (["--hf_overrides.rope_scaling", "x"], NOW, ["--hf-overrides.rope_scaling", "x"]),
        (["-t_p"], NOW, ["-t_p"]),
        (["--help=model"], NOW, ["--help"]),
        (["-O3"], NOW, ["--optimization-level", "3"]),
        (["-O=3"], NOW, ["--optimization-level", "3"]),
        (["-O", "3"], NOW, ["--optimization-level", "3"]),
        (["-O", "9"], NOW, ["-O", "9"]),
        (["-O3"], OLD, ["-O.level=3"]),
        (["-O3"], (0, 11, 2), ["-O.mode=3"]),
        (["-O.level", "3"], OLD, ["-O.level", "3"]),
        (["-O.mode", "3"], (0, 12, 0), ["-cc.mode", "3"]),
        (["-O.mode", "3"], (0, 13, 0), ["--optimization-level", ".mode", "3"]),
    ],
)
def test_names_are_spelled_as_the_release_spells_them(
    line: list[str], release: t.Any, expected: list[str]
) -> None:
    assert words.dashes(line, release) == expected


@pytest.mark.parametrize(
    ("line", "release", "expected"),
    [
        (["--a.b", "1", "x"], NOW, ["x", "--a", '{"b": 1}']),
        (["--a.b=1", "--a.c.d", "x"], NOW, ["--a", '{"b": 1, "c": {"d": "x"}}']),
        (["--a.b+", "x,y", "--a.b+=z"], NOW, ["--a", '{"b": ["x", "y", "z"]}']),
        (["--a.b", "8G"], NOW, ["--a", '{"b": 8589934592}']),
        (["--a.b", "8G"], (0, 19, 1), ["--a", '{"b": "8G"}']),
        (["--a=x.y", "m-1.5"], NOW, ["--a=x.y", "m-1.5"]),
    ],
)
def test_keys_with_dots_become_one_json_behind_everything_else(
    line: list[str], release: t.Any, expected: list[str]
) -> None:
    assert words.gather_dotted(line, release)[0] == expected


def test_a_dotted_option_without_value_is_refused() -> None:
    with pytest.raises(RefusedError, match="takes a value"):
        words.gather_dotted(["--a.b"], NOW)


def test_the_model_option_moves_to_the_front_from_0_11_1_on() -> None:
    assert words.model_to_front(["-tp", "2", "--model", "x"], (0, 11, 1)) == ["x", "-tp", "2"]
    assert words.model_to_front(["--model=x", "-tp", "2"], (0, 11, 1)) == ["x", "-tp", "2"]
    with pytest.raises(RefusedError, match="as the first word"):
        words.model_to_front(["--model", "x"], (0, 11, 0))


def test_the_served_name_without_a_model_in_front_is_refused_from_0_17_0_on() -> None:
    line = ["--served_model_name", "a", "m"]
    assert words.model_to_front(line, (0, 16, 0)) == line
    with pytest.raises(RefusedError, match="first word"):
        words.model_to_front(line, (0, 17, 0))


FILES = {
    "a.yaml": {
        "port": 1,
        "enable-lora": True,
        "enforce-eager": False,
        "api-key": ["x", "y"],
        "hf-overrides": {"a": 1},
    },
    "model.yml": {"model": "m"},
    "list.yaml": ["a"],
    "empty.yaml": None,
}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            ["m", "--seed", "1", "--config", "a.yaml"],
            [
                "m",
                "--port",
                "1",
                "--enable-lora",
                "--api-key",
                "x",
                "y",
                "--hf-overrides",
                '{"a": 1}',
                "--seed",
                "1",
            ],
            id="right behind the model, so that the line wins; false is dropped",
        ),
        pytest.param(
            ["--config", "model.yml", "--seed", "1"],
            ["--model", "m", "--seed", "1"],
            id="model from the file",
        ),
        pytest.param(["m", "--config=a.yaml"], ["m", "--config=a.yaml"], id="with = it is never read"),
    ],
)
def test_a_config_file_stands_where_it_gives_way(line: list[str], expected: list[str]) -> None:
    assert words.read_config(line, NOW, FILES, (), serve=True) == expected


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["m", "--config"], "takes a file"),
        (["m", "--config", "a.yaml", "--config", "a.yaml"], "takes one file"),
        (["m", "--config", "a.json"], "ends in .yaml"),
        (["m", "--config", "missing.yaml"], "cannot be read here"),
        (["m", "--config", "list.yaml"], "no mapping"),
        (["m", "--config", "empty.yaml"], "no mapping"),
        (["--config", "a.yaml"], "needs a model"),
    ],
)
def test_a_config_file_that_vllm_would_not_take_is_refused(line: list[str], says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        words.read_config(line, NOW, FILES, (), serve=True)


def test_a_mapping_in_a_config_file_is_json_only_from_0_16_0_on() -> None:
    line = ["m", "--config", "a.yaml"]
    assert "{'a': 1}" in words.read_config(line, (0, 15, 1), FILES, (), serve=True)
    assert '{"a": 1}' in words.read_config(line, (0, 16, 0), FILES, (), serve=True)


def test_false_in_a_config_file_reaches_only_the_api_server_module_from_0_28_0_on() -> None:
    line, known = ["--config", "a.yaml"], {"--no-enforce-eager"}
    assert "--no-enforce-eager" in words.read_config(line, (0, 28, 0), FILES, known, serve=False)
    assert "--no-enforce-eager" not in words.read_config(line, (0, 27, 1), FILES, known, serve=False)
    assert "--no-enforce-eager" not in words.read_config(["m", *line], (0, 28, 0), FILES, known, serve=True)
