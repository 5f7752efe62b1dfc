"""How layers share the cache: groups, pages, windows, ranks of a pipeline."""

from __future__ import annotations

import dataclasses

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.units import GIB

from .cases import caches, case, mtp


def test_padding_layers_of_a_drafting_hybrid_are_paid_for() -> None:
    """16 layers and MTP's one attend, 48 keep a state: four groups of 17, three of them padded."""
    first = caches(case("Qwen3.6-27B", speculative_config=mtp(3)))[0]
    assert sorted(len(group.members) for group in first.groups) == [16, 16, 16, 17]
    assert first.stack == 17 * first.page


@pytest.mark.parametrize(
    ("settings", "states"),
    [
        pytest.param({}, 3, id="one page per group"),
        pytest.param({"enable_prefix_caching": True}, 6, id="two with prefix caching"),
        pytest.param({"speculative_config": mtp(3)}, 12, id="one more for every drafted token"),
    ],
)
def test_a_sequence_takes_pages_for_its_states(settings: dict[str, object], states: int) -> None:
    first = caches(case("Qwen3.6-35B-A3B", **settings))[0]
    assert first.blocks_of(first.block) - 1 == states


def test_a_window_bounds_what_its_layers_keep() -> None:
    first = caches(case("gpt-oss-120b", "0.20.0", max_num_batched_tokens=1024))[0]
    longer = first.needed(131072) - first.needed(131056)
    assert longer == 18 * 16 * 2048  # the layers without a window alone


def test_steps_under_way_count_since_0_26() -> None:
    before = caches(case("gpt-oss-120b", "0.25.1", max_num_batched_tokens=8192))[0]
    since = caches(case("gpt-oss-120b", "0.26.0", max_num_batched_tokens=8192))[0]
    assert since.needed(131072) - before.needed(131072) == 18 * 8192 * 2048


def test_a_pipeline_is_held_against_its_own_layers_since_0_17() -> None:
    whole = caches(case("Llama-3.1-8B", "0.16.0", pipeline_parallel_size=2))
    ranks = caches(case("Llama-3.1-8B", "0.17.0", pipeline_parallel_size=2))
    assert [cache.needed(16) for cache in whole] == [32 * 16 * 4096]
    assert [cache.needed(16) for cache in ranks] == [16 * 16 * 4096] * 2


def test_uneven_layers_go_to_the_ranks_before_the_last() -> None:
    ranks = caches(case("Qwen3-Coder-30B-A3B-Instruct-FP8", pipeline_parallel_size=5))
    assert [len(cache.sizes) for cache in ranks] == [9, 10, 10, 10, 9]


def test_a_partition_of_the_environment_is_followed() -> None:
    of = case(
        "Qwen3-Coder-30B-A3B-Instruct-FP8", pipeline_parallel_size=2, env={"VLLM_PP_LAYER_PARTITION": "16,32"}
    )
    assert [len(cache.sizes) for cache in caches(of)] == [16, 32]


def test_one_block_is_kept_back_since_0_29() -> None:
    before, since = (caches(case("Llama-3.1-8B", release))[0] for release in ("0.28.0", "0.29.0"))
    assert before.longest(GIB, 131072) - since.longest(GIB, 131072) == 16


def test_context_parallelism_divides_a_sequence() -> None:
    one = caches(case("Qwen3-32B", tensor_parallel_size=8))[0]
    two = caches(case("Qwen3-32B", tensor_parallel_size=8, decode_context_parallel_size=2))[0]
    assert one.needed(32768) == 2 * two.needed(32768)


def test_a_block_size_that_was_asked_for_is_kept_where_it_is_large_enough() -> None:
    assert caches(case("Llama-3.1-8B", block_size=64))[0].block == 64
    assert caches(case("Qwen3.6-35B-A3B", block_size=64))[0].block == 1088


def test_nothing_fits_where_not_even_a_token_does() -> None:
    first = caches(case("Qwen3.6-35B-A3B"))[0]
    assert first.longest(first.stack * 3, 262144) == 0
    assert dataclasses.replace(first, groups=(), page=0).blocks_in(GIB) == 0
