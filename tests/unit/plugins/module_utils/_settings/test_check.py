from __future__ import annotations

import random
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.check import Checked, check
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import RELEASES, table_at


def judge(version: str = "0.26.0", **options: t.Any) -> Checked:
    return check(vllm_version=version, **options)


def parse_findings(checked: Checked) -> list[Finding]:
    return [finding for finding in checked.findings if finding.stage == "parse"]


def errors(checked: Checked) -> list[tuple[str, str | None]]:
    return [(finding.code, finding.setting) for finding in checked.findings if finding.severity == "error"]


def test_settings_come_out_canonical_parsed_and_as_one_command_line() -> None:
    checked = judge(
        model="Qwen/Qwen3-8B",
        settings={
            "max-model-len": "32k",
            "trust_remote_code": True,
            "enable_prefix_caching": False,
            "hf_overrides.rope_scaling.factor": 4,
        },
    )
    assert checked.valid
    assert checked.settings == {
        "enable_prefix_caching": False,
        "hf_overrides": {"rope_scaling": {"factor": 4}},
        "max_model_len": 32000,
        "trust_remote_code": True,
    }
    assert checked.argv == [
        "Qwen/Qwen3-8B",
        "--no-enable-prefix-caching",
        "--hf-overrides",
        '{"rope_scaling":{"factor":4}}',
        "--max-model-len",
        "32000",
        "--trust-remote-code",
    ]


def test_what_equals_the_default_is_written_but_not_returned_as_different() -> None:
    checked = judge(model="m", settings={"gpu_memory_utilization": 0.92, "enforce_eager": False})
    assert checked.settings == {}
    assert checked.argv == ["m", "--no-enforce-eager", "--gpu-memory-utilization", "0.92"]


@pytest.mark.parametrize(
    "argv",
    [
        "vllm serve Qwen/Q --spec-method dflash --spec-model z/D --spec-tokens 8",
        ["Qwen/Q", "--spec-method=dflash", "--spec-model", "z/D", "--spec-tokens", 8],
        "docker run --gpus all vllm/vllm-openai:v0.26.0 --model Qwen/Q --spec-method dflash --spec-model z/D --spec-tokens 8",
        "python3 -m vllm.entrypoints.openai.api_server --spec-method dflash --model Qwen/Q --spec-model z/D --spec-tokens 8",
    ],
)
def test_a_command_line_means_the_same_however_it_is_pasted(argv: t.Any) -> None:
    checked = judge(argv=argv)
    assert parse_findings(checked) == [f for f in checked.findings if f.code == "container_options_dropped"]
    assert checked.argv == ["Qwen/Q", "--spec-method", "dflash", "--spec-model", "z/D", "--spec-tokens", "8"]


def test_settings_are_merged_over_a_command_line() -> None:
    checked = judge(
        argv='vllm serve m --max-num-seqs 8 --seed 1 --hf-overrides \'{"a": 1, "b": 2}\'',
        settings={"max_num_seqs": 16, "seed": None, "hf_overrides": {"b": None, "c": 3}},
    )
    assert checked.settings == {"max_num_seqs": 16, "hf_overrides": {"a": 1, "c": 3}}


def test_json_put_together_from_two_places_is_checked_as_a_whole() -> None:
    checked = judge(
        argv=["m", "--kv-transfer-config", '{"kv_connector": "NixlConnector", "kv_role": "kv_both"}'],
        settings={"kv_transfer_config": {"kv_role": None}},
    )
    assert ("invalid_json_value", "kv_transfer_config") in errors(checked)


def test_all_mistakes_are_told_at_once_with_their_origin() -> None:
    checked = judge(
        model="m",
        settings={"max_num_sekqs": 1, "dtype": "fp16", "compilation_config": {"mode": 9}},
        origins={
            "max_num_sekqs": "vllm_defaults.settings.max_num_sekqs",
            "compilation_config": "vllm_overrides.qwen.settings.compilation_config",
        },
    )
    found = {finding.setting: finding for finding in parse_findings(checked)}
    assert set(found) == {"max_num_sekqs", "dtype", "compilation_config.mode"}
    assert found["max_num_sekqs"].origin == "vllm_defaults.settings.max_num_sekqs"
    assert found["compilation_config.mode"].origin == "vllm_overrides.qwen.settings.compilation_config.mode"
    assert "max_num_seqs" in (found["max_num_sekqs"].fix or "")


def test_a_value_that_comes_later_is_told_with_its_release() -> None:
    (finding,) = parse_findings(judge(model="m", settings={"kv_cache_dtype": "nvfp4_4over6"}))
    assert "0.28.0" in finding.message


@pytest.mark.parametrize("version", ["0.34.0", "latest", "nightly-abc", "our-fork"])
def test_what_an_unknown_future_may_know_is_a_warning_and_reaches_the_server(version: str) -> None:
    checked = judge(version, argv=["m", "--brand-new", "3", "--other", "--kv-cache-dtype", "fp3"])
    assert checked.valid
    assert checked.table_version == RELEASES[-1]
    assert checked.argv == ["m", "--brand-new", "3", "--kv-cache-dtype", "fp3", "--other"]
    assert {f.severity for f in checked.findings if f.code in ("unknown_option", "version_not_known")} == {
        "warning"
    }
    assert any(version in f.message for f in checked.findings if f.code == "unknown_option")


def test_what_no_release_can_take_stays_an_error_in_an_unknown_future() -> None:
    assert errors(judge("latest", argv=["m", "--max-num-seqs", "many"])) == [
        ("invalid_value", "max_num_seqs")
    ]


def test_a_patch_release_that_is_not_listed_says_so() -> None:
    checked = judge("0.26.9", model="m", settings={})
    assert [f.code for f in parse_findings(checked)] == ["version_of_its_minor"]
    assert checked.table_version == "0.26.0"


def test_a_release_before_all_tables_is_an_error() -> None:
    assert ("version_too_old", "vllm_version") in errors(judge("0.8.5", model="m", settings={}))


def test_the_environment_of_a_pasted_line_gives_way_to_env() -> None:
    line = "VLLM_ALLOW_LONG_MAX_MODEL_LEN=0 vllm serve m"
    assert judge(argv=line, env={"VLLM_ALLOW_LONG_MAX_MODEL_LEN": "1"}).valid


def test_a_line_without_a_model_is_told_what_vllm_would_serve() -> None:
    found = [f for f in judge(argv=["--port", "1"]).findings if f.code == "no_model"]
    assert [("Qwen/Qwen3-0.6B" in f.message, f.severity) for f in found] == [(True, "warning")]


def test_the_positional_model_of_the_api_server_module_is_told_to_be_ignored() -> None:
    checked = judge(argv="python -m vllm.entrypoints.openai.api_server m")
    assert (checked.model, [f.code for f in parse_findings(checked)]) == ("m", ["ignored_model"])


def test_the_entrypoint_of_an_image_was_the_api_server_up_to_0_11_0() -> None:
    line = "docker run vllm/vllm-openai --model m"
    assert errors(judge("0.11.0", argv=line)) == []
    assert errors(judge("0.11.0", argv="vllm serve --model m")) == [("refused", "model")]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["m", "--seed", "1", "--seed", "2"], "repeated_option"),
        (["m", "--enforce"], "abbreviated_option"),
        (["m", "--config=x.yaml"], "config_not_read"),
        (["m", "--config", "x.yaml"], "false_dropped"),
        (["m", "--hf-overrides", '{"a":1}', "--hf-overrides.b", "2"], "dotted_replaces_json"),
        (["m", "-q.x", "1"], "dotted_on_text"),
        (["m", "--revision", "none"], "text_none"),
    ],
)
def test_what_vllm_takes_without_doing_what_it_says_is_a_warning(argv: list[str], code: str) -> None:
    checked = judge(argv=argv, config_files={"x.yaml": {"enable-prefix-caching": False}})
    assert [(f.severity, f.code) for f in parse_findings(checked)] == [("warning", code)]


def test_keys_that_an_old_release_ignores_are_a_warning_there() -> None:
    settings = {"compilation_config": {"levle": 3}}
    assert [f.code for f in parse_findings(judge("0.12.0", model="m", settings=settings))] == [
        "ignored_json_key"
    ]
    assert [f.code for f in parse_findings(judge("0.13.0", model="m", settings=settings))] == [
        "unknown_json_key"
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"argv": ["m", "--api-key", "sk-secret", "--api-key", "sk-secret"]},
        {"argv": ["m", "--api-keyy", "sk-secret"]},
        {"argv": "vllm serve m --api-key 'sk-secret"},
        {"argv": "docker run -e HF_TOKEN=sk-secret"},
        {"settings": {"api_key": {"a": "sk-secret"}}},
        {"settings": {"hf_token": ["sk-secret"]}, "model": "m"},
    ],
)
def test_a_secret_is_never_part_of_a_finding(options: dict[str, t.Any]) -> None:
    checked = judge(**options)
    assert parse_findings(checked)
    assert "sk-secret" not in str([finding.as_dict() for finding in checked.findings])


def test_the_origin_of_a_json_option_that_was_written_with_dots() -> None:
    settings, origins = (
        {"compilation-config.mode": 9},
        {"compilation-config.mode": "vllm_defaults.settings.x"},
    )
    (finding,) = parse_findings(judge(model="m", settings=settings, origins=origins))
    assert (finding.setting, finding.origin) == ("compilation_config.mode", "vllm_defaults.settings.x")


def test_a_config_file_is_no_setting() -> None:
    assert errors(judge(model="m", settings={"config": "x.yaml"})) == [("refused", "config")]


GARBAGE: tuple[t.Any, ...] = (
    None, True, -1, 1.5, float("nan"), "", " ", "none", "-x", "--x", "{", "{}", '"', "'", "a b", "é", "\0", "\n", [], [[]],
    {}, {1: 2}, {"a": {"b": None}}, "..", "=", "--=", "-.", "-O", "-O.", "--model", "--config", "x.yaml", "docker", "run",
    "vllm", "serve", "python", "-m", "bash", "-c", "-c.x", "--.x", "--help", "--lora-modules", "&&", "|", "9" * 5000, "1" * 400 + "k",
)  # fmt: skip


def test_no_input_whatever_ends_in_a_traceback() -> None:
    source = random.Random(7)
    for _ in range(1500):
        table = table_at(source.randrange(len(RELEASES)))
        names = sorted(table.by_name)
        keys = [source.choice([*table.options, "a.b", "x", ""]) for _ in range(source.randrange(4))]
        words = [
            source.choice(GARBAGE if source.random() < 0.5 else names) for _ in range(source.randrange(7))
        ]
        options: dict[str, t.Any] = {"settings": {key: source.choice(GARBAGE) for key in keys}}
        if source.random() < 0.6:
            options["argv"] = words if source.random() < 0.5 else " ".join(map(str, words))
        if source.random() < 0.2:
            options["config_files"] = {"x.yaml": source.choice(GARBAGE)}
        checked = check(vllm_version=table.version, model=source.choice([None, "m"]), **options)
        assert all(isinstance(word, str) for word in checked.argv)
