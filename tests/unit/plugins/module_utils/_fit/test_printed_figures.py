"""The arithmetic against figures that real servers printed, in public reports."""

from __future__ import annotations

import dataclasses
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.units import GIB

from .cases import caches, case, mtp


@dataclasses.dataclass(frozen=True)
class Printed:
    """What a log said of a server; where it comes from."""

    source: str
    model: str
    release: str
    settings: dict[str, t.Any]
    needed_gib: float | None = None
    available_gib: float | None = None
    longest: int | None = None  # "the estimated maximum model length is …"
    block: int | None = None  # "Setting attention block size to … tokens", "block_size (…)"
    tokens: int | None = None  # "GPU KV cache size: … tokens"
    page: int | None = None
    decimals: int = 2  # of GiB, as that release printed them


_AUTOROUND = dict(tensor_parallel_size=2, kv_cache_dtype="fp8_e5m2", enable_prefix_caching=True, max_model_len=262144)

PRINTED = [
    Printed("vllm#34076", "Qwen3-Coder-30B-A3B-Instruct-FP8", "0.15.1", dict(max_model_len=262144, pipeline_parallel_size=2), 24.0, 3.18, 34736),
    Printed("vllm#16118", "Llama-4-Maverick", "0.10.0", dict(max_model_len=1048576, tensor_parallel_size=8, disable_hybrid_kv_cache_manager=True), 24.0, 9.97),
    Printed("club-3090 v769-codex-r1", "Qwen3.6-27B", "0.20.1", dict(max_model_len=200000, kv_cache_dtype="turboquant_3bit_nc", speculative_config=mtp(3), enable_prefix_caching=True), 3.31, 2.19, 111456),
    Printed("club-3090 issue 102", "Qwen3.6-27B", "0.20.1", dict(max_model_len=180000, kv_cache_dtype="fp8_e5m2", speculative_config=mtp(3), enable_prefix_caching=True), 6.64, 4.36),
    Printed("Qwen3-32B w4a16 on 0.9.0", "Qwen3-32B-w4a16", "0.10.0", dict(max_model_len=40960), 10.0, 1.25),
    Printed("Qwen2.5-32B-AWQ, 2026-08", "Qwen2.5-32B-Instruct-AWQ", "0.27.0", dict(max_model_len=4096), 1.0, 0.58, 2368),
    Printed("vllm#27508", "gpt-oss-120b", "0.11.0", dict(max_model_len=131072, max_num_batched_tokens=1024), 4.54, 1.71),
    Printed("vllm-metal#505, all layers as full attention", "gemma-4-31B-it-int4", "0.24.0", dict(max_model_len=262144, disable_hybrid_kv_cache_manager=True), 220.0, 20.13, 23984),
    Printed("vllm#36734", "Qwen3.5-122B-A10B-GPTQ-Int4", "0.17.1", dict(max_model_len=131072, tensor_parallel_size=2, enable_prefix_caching=True), block=2096),
    Printed("tunix#2326", "Qwen3.6-35B-A3B", "0.20.2", dict(max_model_len=131072, kv_cache_dtype="fp8"), block=2096, page=2146304),
    Printed("club-3090#1047", "Qwen3.6-27B-NVFP4", "0.25.1", dict(max_model_len=131072, kv_cache_dtype="fp8"), block=1568),
    Printed("qwen38-27b-rtx3090#102, 15 drafts", "Qwen3.6-27B", "0.25.1", dict(max_model_len=65536, mamba_ssm_cache_dtype="bfloat16", speculative_config=dict(method="dflash", model="d", num_speculative_tokens=15)), block=480),
    Printed("qwen38-27b-rtx3090#102, 7 drafts", "Qwen3.6-27B", "0.25.1", dict(max_model_len=65536, mamba_ssm_cache_dtype="bfloat16", kv_cache_dtype="int8_per_token_head", speculative_config=dict(method="dflash", model="d", num_speculative_tokens=7)), block=864),
    Printed("club-3090#612", "Qwen3.6-35B-A3B-NVFP4", "0.24.0", dict(max_model_len=131072, kv_cache_dtype="fp8", enable_prefix_caching=True, max_num_seqs=1), available_gib=5.98, tokens=567978),
    Printed("club-3090#652", "Qwen3.6-35B-A3B-NVFP4", "0.24.0", dict(max_model_len=131072, kv_cache_dtype="fp8", enable_prefix_caching=True, max_num_seqs=1), available_gib=6.01, tokens=569878),
    Printed("club-3090#642", "Qwen3.6-27B", "0.24.0", dict(_AUTOROUND, speculative_config=mtp(3)), available_gib=11.05, tokens=623873),
]  # fmt: skip


def ids(printed: Printed) -> str:
    return f"{printed.source}: {printed.model}"


def rounding(printed: Printed) -> float:
    """Half of the last digit that the log printed."""
    return 0.5 * 10**-printed.decimals * GIB


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.needed_gib], ids=ids)
def test_the_cache_of_one_sequence_is_what_vllm_says_it_needs(printed: Printed) -> None:
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    needed = first.needed(printed.settings["max_model_len"])
    assert needed == pytest.approx(t.cast("float", printed.needed_gib) * GIB, abs=rounding(printed) * 1.001)


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.longest], ids=ids)
def test_the_longest_sequence_is_vllms_estimate(printed: Printed) -> None:
    """What is available was printed with two digits: the estimate must lie within that rounding."""
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    available, limit = t.cast("float", printed.available_gib) * GIB, printed.settings["max_model_len"]
    shortest = first.longest(available - rounding(printed), limit)
    assert shortest <= t.cast("int", printed.longest) <= first.longest(available + rounding(printed), limit)


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.block], ids=ids)
def test_the_block_that_holds_a_state_is_the_one_that_vllm_sets(printed: Printed) -> None:
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    assert first.block == printed.block
    assert printed.page is None or first.page == printed.page


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.tokens], ids=ids)
def test_the_tokens_of_the_cache_are_those_that_vllm_prints(printed: Printed) -> None:
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    available, length = t.cast("float", printed.available_gib) * GIB, printed.settings["max_model_len"]
    fewest, most = (
        int(first.concurrency(available + side * rounding(printed), length) * length) for side in (-1, 1)
    )
    assert fewest <= t.cast("int", printed.tokens) <= most


@pytest.mark.parametrize(
    ("model", "settings", "gib_at_262144"),
    [
        pytest.param("Qwen3.6-27B", {}, 16.0, id="27B: 65,536 bytes a token"),
        pytest.param("Qwen3.6-35B-A3B", {}, 5.0, id="35B-A3B: 20,480 bytes a token"),
        pytest.param("Qwen3.6-35B-A3B", {"kv_cache_dtype": "fp8"}, 2.5, id="half of it in fp8"),
    ],
)
def test_full_attention_of_hybrid_models_takes_the_worked_bytes(
    model: str, settings: dict[str, t.Any], gib_at_262144: float
) -> None:
    """States aside: the difference of two lengths is what tokens take."""
    first = caches(case(model, max_model_len=262144, **settings))[0]
    block = first.block
    grown = first.needed(block * 101) - first.needed(block)
    assert grown / (block * 100) * 262144 == pytest.approx(gib_at_262144 * GIB, rel=1e-9)
