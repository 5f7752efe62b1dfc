"""The lessons of real releases: what the tables know of since and until reaches the operator."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.check import check


@pytest.mark.parametrize(
    ("release", "settings", "parts"),
    [
        pytest.param(
            "0.26.0", {"kv_cache_dtype": "nvfp4_4over6"}, ["it exists since 0.28.0"], id="value not yet"
        ),
        pytest.param(
            "0.26.0",
            {"kv_cache_dtype": "q8_0"},
            ["llama.cpp", "fp8", "int8_per_token_head", "turboquant_k8v4"],
            id="llama.cpp's 8 bits",
        ),
        pytest.param(
            "0.33.0",
            {"kv_cache_dtype": "q8_0"},
            ["llama.cpp", "fp8"],
            id="the same where only the engine refuses",
        ),
        pytest.param(
            "0.21.0", {"spec_method": "dflash"}, ["it exists since 0.22.0"], id="short options not yet"
        ),
        pytest.param(
            "0.19.1",
            {"speculative_config": {"method": "dflash", "model": "m", "num_speculative_tokens": 8}},
            ["it exists since 0.20.0"],
            id="method not yet",
        ),
        pytest.param(
            "0.33.0",
            {"speculative_config": {"method": "medusa", "model": "m", "num_speculative_tokens": 8}},
            ["it is gone since 0.33.0"],
            id="method gone",
        ),
        pytest.param(
            "0.26.0",
            {"disable_log_requests": True},
            ["it is gone since 0.17.0", "enable_log_requests"],
            id="option gone",
        ),
        pytest.param(
            "0.26.0",
            {"cpu_offload_gate": 4},
            ["cpu_offload_gb", "cpu_offload_params"],
            id="option that never was",
        ),
        pytest.param(
            "0.26.0", {"n_gpu_layers": 99}, ["llama.cpp", "cpu_offload_gb"], id="option of llama.cpp"
        ),
        pytest.param("0.26.0", {"task": "embed"}, ["it is gone since 0.13.0", "runner"], id="task"),
        pytest.param("0.26.0", {"ctx_size": 4096}, ["max_model_len"], id="context of llama.cpp"),
        pytest.param("0.26.0", {"dtype": "fp16"}, ["float16"], id="dtype slang"),
        pytest.param(
            "0.24.0", {"quantization": "gguf"}, ["it is gone since 0.24.0", "plug-in"], id="registry gone"
        ),
        pytest.param(
            "0.25.1",
            {"quantization": "nvfp4_per_token"},
            ["it exists since 0.26.0", "plug-in"],
            id="registry not yet",
        ),
        pytest.param(
            "0.26.0",
            {"enable_auto_tool_choice": True, "tool_call_parser": "herms"},
            ["nearest: hermes", "plug-in"],
            id="parser slip",
        ),
        pytest.param(
            "0.26.0", {"max_num_seqs": "1k"}, ["max_num_seqs: 1000"], id="units where none are read"
        ),
    ],
)
def test_a_refusal_teaches(release: str, settings: dict[str, object], parts: list[str]) -> None:
    checked = check(vllm_version=release, model="org/model", settings=settings)
    said = " ".join(
        f"{finding.message} {finding.fix}" for finding in checked.findings if finding.severity == "error"
    )
    assert [part for part in parts if part not in said] == []


def test_a_name_that_a_plug_in_provides_is_taken() -> None:
    settings = {"enable_auto_tool_choice": True, "tool_call_parser": "mine", "quantization": "ours"}
    checked = check(
        vllm_version="0.26.0", model="org/model", settings=settings, plugin_names={"mine", "ours"}
    )
    assert checked.valid


def test_what_could_not_be_checked_is_one_finding_that_names_rules_and_facts() -> None:
    checked = check(vllm_version="0.26.0", model="org/model", settings={"tensor_parallel_size": 2})
    told = [finding for finding in checked.findings if finding.code == "not_checked"]
    assert len(told) == 1
    assert told[0].severity == "info"
    assert "heads_not_divisible" in told[0].value["model"]
    assert "too_few_gpus" in told[0].value["gpu"]
