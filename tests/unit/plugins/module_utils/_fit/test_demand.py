"""What vLLM would work with where settings are absent."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.demand import Demand, read_demand
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu

from .cases import case, mtp


def demand(
    model: str = "Llama-3.1-8B", release: str = "0.26.0", gpu: Gpu | str = "H100", **settings: t.Any
) -> Demand:
    of = case(model, release, (gpu,), settings.pop("env", None), **settings)
    return read_demand(of, of.model_facts)


@pytest.mark.parametrize(
    ("gpu", "release", "settings", "expected"),
    [
        pytest.param("RTX 4090", "0.26.0", {}, (256, 2048), id="24 GB"),
        pytest.param("H100", "0.26.0", {}, (1024, 8192), id="80 GB"),
        pytest.param("A100", "0.26.0", {}, (256, 2048), id="80 GB, but an A100"),
        pytest.param("B200", "0.27.1", {}, (1024, 8192), id="180 GB until 0.27"),
        pytest.param("B200", "0.28.0", {}, (1024, 16384), id="180 GB since 0.28"),
        pytest.param(Gpu("NVIDIA GB10", "12.1", 122880), "0.26.0", {}, (256, 2048), id="a GPU that NVML tells no memory of"),
        pytest.param(Gpu("NVIDIA GB10", "12.1", 122880), "0.33.0", {}, (256, 2048), id="kept small since"),
        pytest.param(Gpu("NVIDIA Thor", "11.0", 122880), "0.33.0", {}, (1024, 8192), id="told by CUDA since 0.33"),
        pytest.param("H100", "0.26.0", {"performance_mode": "throughput"}, (2048, 16384), id="twice for throughput"),
        pytest.param("H100", "0.26.0", {"max_num_seqs": 4}, (4, 8192), id="sequences given"),
        pytest.param("H100", "0.26.0", {"max_num_batched_tokens": 512}, (512, 512), id="tokens given"),
        pytest.param("H100", "0.26.0", {"max_num_seqs": 1, "max_model_len": 4096}, (1, 4096), id="no more than all sequences"),
        pytest.param("RTX 4090", "0.26.0", {"enable_chunked_prefill": False, "max_model_len": 9000}, (256, 9000), id="whole prompts"),
    ],
)  # fmt: skip
def test_sequences_and_tokens_of_a_step_follow_the_gpu(
    gpu: Gpu | str, release: str, settings: dict[str, t.Any], expected: tuple[int, int]
) -> None:
    found = demand(release=release, gpu=gpu, **settings)
    assert (found.sequences, found.step_tokens) == expected


@pytest.mark.parametrize(
    ("model", "release", "settings", "mode"),
    [
        pytest.param("Qwen3.6-27B", "0.27.1", {}, "none", id="opt-in until 0.27"),
        pytest.param("Qwen3.6-27B", "0.28.0", {}, "align", id="on since 0.28"),
        pytest.param("Qwen3.6-27B", "0.28.0", {"enable_prefix_caching": False}, "none", id="switched off"),
        pytest.param("Qwen3.6-27B", "0.20.0", {"enable_prefix_caching": True}, "align", id="asked for"),
        pytest.param("Qwen3.6-27B", "0.20.0", {"enable_prefix_caching": True, "mamba_cache_mode": "all"}, "all", id="in its other mode"),
        pytest.param("Nemotron-3-Nano-30B-A3B", "0.28.0", {}, "align", id="a hybrid by its pattern"),
        pytest.param("Llama-3.1-8B", "0.28.0", {}, "none", id="no states"),
    ],
)  # fmt: skip
def test_states_are_kept_by_prefix_caching(
    model: str, release: str, settings: dict[str, t.Any], mode: str
) -> None:
    assert demand(model, release, **settings).states.mode == mode


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        pytest.param({}, 51, id="512 at most"),
        pytest.param({"max_num_seqs": 4}, 4, id="twice the sequences"),
        pytest.param({"max_num_seqs": 2, "speculative_config": mtp(3)}, 5, id="and the drafted tokens"),
        pytest.param({"max_cudagraph_capture_size": 256}, 35, id="up to a size"),
        pytest.param({"cudagraph_capture_sizes": [1, 8, 16]}, 3, id="as listed"),
        pytest.param({"compilation_config": {"cudagraph_capture_sizes": [1, 8]}}, 2, id="as listed in JSON"),
    ],
)
def test_sizes_of_graphs_are_counted_as_vllm_counts_them(settings: dict[str, t.Any], count: int) -> None:
    assert demand(**settings).graphs.sizes == count


@pytest.mark.parametrize(
    ("release", "env", "charged"),
    [
        ("0.19.1", {}, False),
        ("0.20.0", {}, True),
        ("0.20.0", {"VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS": "0"}, False),
        ("0.18.0", {"VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS": "1"}, True),
    ],
)
def test_graphs_are_charged_since_0_20(release: str, env: dict[str, str], charged: bool) -> None:
    assert demand(release=release, env=env).graphs.charged is charged


@pytest.mark.parametrize(("release", "share"), [("0.19.1", 0.9), ("0.20.0", 0.92)])
def test_the_default_share_grew_with_0_20(release: str, share: float) -> None:
    assert demand(release=release).utilization == share


@pytest.mark.parametrize(
    ("settings", "length"),
    [
        pytest.param({}, 131072, id="the model's"),
        pytest.param({"max_model_len": 4096}, 4096, id="as asked"),
        pytest.param({"hf_overrides": {"x": 1}}, None, id="overridden: not known"),
    ],
)
def test_the_length_is_the_one_that_is_asked_for_or_the_models(
    settings: dict[str, t.Any], length: int | None
) -> None:
    assert demand(**settings).length == length


@pytest.mark.parametrize(
    "settings",
    [
        {"max_num_seqs": "many", "gpu_memory_utilization": "0.9", "tensor_parallel_size": None},
        {"max_num_seqs": True, "block_size": "16", "cpu_offload_gb": "4", "kv_cache_dtype": 8},
        {
            "speculative_config": "mtp",
            "compilation_config": 3,
            "cpu_offload_params": "experts",
            "max_model_len": "32k",
        },
        {"tensor_parallel_size": 0, "pipeline_parallel_size": -1},
    ],
)
def test_values_of_a_wrong_type_count_as_absent(settings: dict[str, t.Any]) -> None:
    found = demand(**settings)
    assert found.tensor_parallel == found.pipeline_parallel == 1
    assert found.sequences == 1024
    assert found.utilization == 0.92
