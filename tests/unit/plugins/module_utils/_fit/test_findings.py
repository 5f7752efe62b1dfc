"""Whether a server fits: errors where that is certain, warnings where it is likely, silence where it is neither."""

from __future__ import annotations

import dataclasses
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.check import fit_and_table
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Case, Gpu
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding

from .cases import GPUS, case, mtp

GIB = 1 << 30


def weights(gib: float) -> dict[str, t.Any]:
    return {"total_bytes": int(gib * GIB)}


def said(of: Case, held: t.Mapping[str, t.Any] | None = None, host: int | None = None) -> dict[str, Finding]:
    """What is said beside rules and advice, by code."""
    return {finding.code: finding for finding in fit_and_table(of, held, host, advise=False)[0]}


ADA, AMPERE = ("RTX 4090",), ("RTX 3090",)
LLAMA = "Llama-3.1-8B"
NO_MEMORY, TOO_LONG, STATES = (
    "no_memory_for_kv_cache",
    "kv_cache_too_small_for_max_model_len",
    "hybrid_mamba_blocks",
)
ALIGNED = {"kv_cache_dtype": "fp8", "enable_prefix_caching": True}
DENSE = {"gpu_memory_utilization": 0.95}


@pytest.mark.parametrize(
    ("of", "gib", "told"),
    [
        pytest.param(case(LLAMA, gpus=ADA, max_model_len=8192), 15.0, None, id="fits"),
        pytest.param(
            case("Qwen3-32B", gpus=ADA, max_model_len=8192), 61.0, (NO_MEMORY, "error"), id="weights alone"
        ),
        pytest.param(
            case(LLAMA, gpus=ADA, max_model_len=131072), 15.0, (TOO_LONG, "error"), id="surely too long"
        ),
        pytest.param(
            case(LLAMA, gpus=ADA, max_model_len=45000), 15.0, (TOO_LONG, "warning"), id="likely too long"
        ),
        pytest.param(
            case("Qwen2.5-32B-Instruct-AWQ", "0.27.0", AMPERE, max_model_len=4096),
            18.14,
            (TOO_LONG, "warning"),
            id="the report of 2026-08",
        ),
        pytest.param(
            case("gpt-oss-120b", "0.11.0"), 60.7, (TOO_LONG, "warning"), id="gpt-oss-120b on an H100"
        ),
        pytest.param(case("Qwen3.6-27B-FP8", "0.20.0", **DENSE), 28.8, (STATES, "error"), id="1024 states"),
        pytest.param(
            case("Qwen3.6-27B-FP8", "0.20.0", **DENSE, max_num_seqs=512), 28.8, None, id="512 states"
        ),
        pytest.param(
            case("Qwen3.6-27B-FP8", "0.20.0", **DENSE, enforce_eager=True),
            28.8,
            None,
            id="states without graphs",
        ),
        pytest.param(case("Qwen3.6-27B-FP8", "0.19.1", **DENSE), 28.8, None, id="states before the check"),
        pytest.param(case(LLAMA, gpus=ADA, max_model_len=-1), 15.0, None, id="vLLM finds the length"),
        pytest.param(
            case(LLAMA, max_model_len=8192, kv_cache_memory_bytes=GIB - 1),
            15.0,
            (TOO_LONG, "error"),
            id="a byte too few",
        ),
        pytest.param(
            case(LLAMA, max_model_len=8192, kv_cache_memory_bytes=GIB), 15.0, None, id="just enough"
        ),
        pytest.param(
            case(LLAMA, gpus=ADA, kv_cache_memory_bytes=12 * GIB, max_model_len=4096),
            15.0,
            ("oom_generic", "error"),
            id="a fixed cache beside the weights",
        ),
    ],
)
def test_a_shortage_is_told_by_the_name_of_its_error(
    of: Case, gib: float, told: tuple[str, str] | None
) -> None:
    found = [each for each in said(of, weights(gib)).values() if each.severity != "info"]
    assert [(each.code, each.severity) for each in found] == ([told] if told else [])


def test_an_earlier_check_that_would_probably_fail_is_told_beside_the_certain_one() -> None:
    settings = {"max_model_len": 262144, "kv_cache_dtype": "fp8", "gpu_memory_utilization": 0.98}
    told = said(case("Qwen3.6-27B-NVFP4", "0.27.0", ("RTX 5090",), **settings), weights(22.2))
    assert (told[STATES].severity, told[TOO_LONG].severity) == ("error", "warning")
    assert told[TOO_LONG].fix is not None
    assert told[TOO_LONG].fix.startswith("max_model_len: ")


def test_without_weights_nothing_but_the_cache_is_certain() -> None:
    """61 GiB by a config are an estimate; 40 GiB for one sequence on a GPU of 24 are not."""
    estimate = said(case("Qwen3-32B", gpus=ADA, max_model_len=8192))
    certain = said(case("Qwen2.5-72B-Instruct", gpus=ADA, max_model_len=131072))
    assert estimate[NO_MEMORY].severity == "warning"
    assert certain[TOO_LONG].severity == "error"


def test_an_overridden_config_makes_nothing_certain() -> None:
    of = case("Qwen3-32B", gpus=ADA, max_model_len=8192, hf_overrides={"num_hidden_layers": 2})
    assert all(each.severity != "error" for each in said(of, weights(61)).values())


def test_a_family_that_we_do_not_know_makes_nothing_certain() -> None:
    of = case("Qwen3-32B", gpus=ADA, max_model_len=8192)
    model = dataclasses.replace(of.model_facts, text_model_type="brand_new")
    assert all(
        each.severity != "error"
        for each in said(dataclasses.replace(of, model_facts=model), weights(61)).values()
    )


@pytest.mark.parametrize(
    ("of", "gib", "change"),
    [
        pytest.param(case(LLAMA, gpus=ADA, max_model_len=45000), 15.0, "max_model_len: ", id="shorter"),
        pytest.param(case(LLAMA, gpus=ADA, max_model_len=45000), 15.0, "kv_cache_dtype: fp8", id="a smaller cache"),
        pytest.param(case(LLAMA, gpus=("H100",), max_model_len=8192, gpu_memory_utilization=0.2), 15.0, "gpu_memory_utilization: 0.9", id="more of the GPU"),
        pytest.param(case("Qwen3-32B", max_model_len=8192, gpu_memory_utilization=0.6), 61.0, "tensor_parallel_size: 2 (2 such GPUs)", id="more GPUs"),
        pytest.param(case("Qwen3.6-27B-FP8", "0.20.0", gpu_memory_utilization=0.95), 28.8, "max_num_seqs: 512", id="fewer sequences"),
        pytest.param(case(LLAMA, gpus=("RTX 5070 Ti",), max_model_len=8192, max_num_seqs=4), 14.5, "cpu_offload_gb: ", id="some weights in the host"),
    ],
)  # fmt: skip
def test_the_change_that_would_fit_is_named(of: Case, gib: float, change: str) -> None:
    table = fit_and_table(of, weights(gib), advise=False)[1]
    assert table is not None
    assert any(each.startswith(change) for each in table["changes_that_fit"]), table["changes_that_fit"]


def test_every_named_change_does_fit() -> None:
    """What is advised is tried with the same arithmetic."""
    of = case(LLAMA, gpus=ADA, max_model_len=45000)
    table = fit_and_table(of, weights(15), advise=False)[1]
    assert table is not None
    for each in table["changes_that_fit"]:
        setting, value = each.split(" ")[0].rstrip(":"), each.split(" ")[1]
        parsed: t.Any = value if value == "fp8" else float(value) if "." in value else int(value)
        changed = dataclasses.replace(of, values={**of.values, setting: parsed})
        after = fit_and_table(changed, weights(15), advise=False)[1]
        assert after is not None
        assert after["shortage"] is None, each


def test_fp8_is_not_advised_below_8_9() -> None:
    table = fit_and_table(case(LLAMA, gpus=AMPERE, max_model_len=45000), weights(15), advise=False)[1]
    assert table is not None
    assert "kv_cache_dtype: fp8" not in table["changes_that_fit"]


def test_an_estimate_gives_its_parts_and_bounds() -> None:
    of = case("Qwen2.5-32B-Instruct-AWQ", "0.27.0", ("RTX 3090",), max_model_len=4096)
    message = said(of, weights(18.14))["kv_cache_too_small_for_max_model_len"].message
    for part in (
        "An estimate",
        "budget",
        "weights 18.1",
        "activations and workspaces",
        "CUDA graphs",
        " to ",
    ):
        assert part in message


@pytest.mark.parametrize(
    ("settings", "release", "says"),
    [
        pytest.param(ALIGNED, "0.26.0", True, id="2096 in a step of 2048"),
        pytest.param({**ALIGNED, "max_num_batched_tokens": 2096}, "0.26.0", False, id="2096 in 2096"),
        pytest.param({**ALIGNED, "max_num_batched_tokens": 2095}, "0.26.0", True, id="2096 in 2095"),
        pytest.param({"enable_prefix_caching": True}, "0.26.0", False, id="1056 in 2048"),
        pytest.param({"kv_cache_dtype": "fp8"}, "0.26.0", False, id="without prefix caching"),
        pytest.param(ALIGNED, "0.27.0", False, id="no check since 0.27"),
        pytest.param(ALIGNED, "0.16.0", False, id="no check before 0.17"),
    ],
)  # fmt: skip
def test_a_step_must_hold_the_block_of_a_state(settings: dict[str, t.Any], release: str, says: bool) -> None:
    found = said(case("Qwen3.6-35B-A3B-FP8", release, ("RTX 5090",), max_model_len=4096, **settings))
    assert ("step_smaller_than_mamba_block" in found) is says
    if says:
        assert found["step_smaller_than_mamba_block"].fix == "max_num_batched_tokens: 2096 or more"


@pytest.mark.parametrize(
    ("free", "settings", "says"),
    [
        pytest.param(22118, {}, True, id="a MiB less than 0.9"),
        pytest.param(22119, {}, False, id="0.9 is free"),
        pytest.param(None, {}, False, id="not known"),
        pytest.param(100, {"kv_cache_memory_bytes": GIB}, False, id="utilization does not count"),
    ],
)
def test_what_others_hold_is_told_with_their_names(
    free: int | None, settings: dict[str, t.Any], says: bool
) -> None:
    gpu = Gpu("NVIDIA GeForce RTX 3090", "8.6", 24576, free, ("gnome-shell",))
    found = said(case("Qwen3-0.6B", gpus=(gpu,), max_model_len=4096, gpu_memory_utilization=0.9, **settings))
    assert ("free_memory_below_utilization" in found) is says
    if says:
        told = found["free_memory_below_utilization"]
        assert "gnome-shell" in told.message
        assert told.fix is not None
        assert "gpu_memory_utilization: 0.899 at most" in told.fix


@pytest.mark.parametrize(
    ("release", "settings", "says"),
    [
        pytest.param("0.19.1", {"gpu_memory_utilization": 0.97}, True, id="51 sizes in what 0.97 leaves"),
        pytest.param("0.19.1", {"gpu_memory_utilization": 0.97, "max_num_seqs": 4}, False, id="4 sizes"),
        pytest.param(
            "0.19.1", {"gpu_memory_utilization": 0.97, "enforce_eager": True}, False, id="no graphs"
        ),
        pytest.param("0.19.1", {"gpu_memory_utilization": 0.85}, False, id="51 sizes in what 0.85 leaves"),
        pytest.param("0.20.0", {"gpu_memory_utilization": 0.97}, False, id="charged to the budget"),
    ],
)
def test_graphs_that_nobody_charged_need_room(release: str, settings: dict[str, t.Any], says: bool) -> None:
    of = case("Qwen2.5-32B-Instruct-AWQ", release, AMPERE, max_model_len=2048, **settings)
    assert ("oom_warmup_or_graph_capture" in said(of, weights(18.14))) is says


def test_the_smallest_of_unlike_gpus_counts_and_is_named() -> None:
    of = case(
        "Qwen3-Coder-30B-A3B-Instruct-FP8", "0.15.1", ("RTX 5070 Ti", "RTX 5090 D"), pipeline_parallel_size=2
    )
    found = said(of)
    assert "RTX 5070 Ti" in found["kv_cache_too_small_for_max_model_len"].message
    assert "gpus_differ" in found


def test_a_gpu_without_memory_of_its_own_takes_the_hosts() -> None:
    found = said(
        case("Qwen3.6-35B-A3B-FP8", gpus=("GB10",), max_num_seqs=4, max_model_len=8192), None, 122880
    )
    assert found["memory_shared_with_host"].severity == "info"
    assert "120.00 GiB" in found["memory_shared_with_host"].message


def test_without_any_memory_figure_nothing_is_reckoned() -> None:
    assert set(said(case("Qwen3-0.6B", gpus=("GB10",)))) == {"gpu_memory_unknown"}


def test_more_offloading_than_the_host_has_is_told() -> None:
    of = case(
        "Llama-3.1-70B", gpus=("H100", "H100"), tensor_parallel_size=2, cpu_offload_gb=40, max_model_len=4096
    )
    assert "host_memory" in said(of, weights(131), 65536)
    assert "host_memory" not in said(of, weights(131), 131072)


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(case(None, gpus=()), id="nothing known"),
        pytest.param(case(None), id="no model"),
        pytest.param(case(LLAMA, gpus=()), id="no GPU"),
        pytest.param(
            case("DeepSeek-V4-Flash", gpus=(GPUS["H200"],) * 8, tensor_parallel_size=8), id="an unknown cache"
        ),
    ],
)
def test_what_is_not_known_is_not_guessed(of: Case) -> None:
    assert all(each.severity == "info" for each in said(of).values())


def test_mig_slices_are_gpus_of_their_size() -> None:
    slice_ = Gpu("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "9.0", 9856)
    assert "no_memory_for_kv_cache" in said(case(LLAMA, gpus=(slice_,)), weights(15))


def test_the_table_has_every_figure_of_every_gpu() -> None:
    of = case("Qwen3-32B", gpus=("H100", "H100"), pipeline_parallel_size=2, max_model_len=8192)
    table = fit_and_table(of, weights(61), advise=False)[1]
    assert table is not None
    assert table["outcome"] in ("fits", "tight")
    assert len(table["gpus"]) == 2
    assert set(table["gpus"][0]["parts_gib"]) >= {"weights", "activations and workspaces", "CUDA graphs"}
    assert table["gpus"][0]["kv_cache_gib"]["low"] < table["gpus"][0]["kv_cache_gib"]["high"]
    assert table["kv_cache_needed_gib"] == 1.0
    assert table["longest_sequence"] == 8192


def test_no_value_that_a_parser_lets_through_ends_in_a_traceback() -> None:
    odd = {"tensor_parallel_size": 7, "gpu_memory_utilization": 0.0001, "max_model_len": 1, "block_size": 1}
    for model in ("Qwen3.6-27B", "DeepSeek-V3", "gemma-4-31B-it", "gpt-oss-120b", "Nemotron-3-Nano-30B-A3B"):
        fit_and_table(case(model, **odd, speculative_config=mtp(9)), {"groups": [{"name": "x", "bytes": 1}]})
