"""Nearest names help: slips of the finger, words in another order, and nothing where nothing is near."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.suggest import (
    meant_option,
    meant_value,
    nearest_names,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import choose

SETTINGS = [dest for dest, option in choose("0.26.0").table.options.items() if option.names]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("max_num_seq", "max_num_seqs"),
        ("max-modle-len", "max_model_len"),
        ("max_len_model", "max_model_len"),
        ("tensor_paralell_size", "tensor_parallel_size"),
        ("gpu_memory_utilisation", "gpu_memory_utilization"),
        ("enable_prefix_cacheing", "enable_prefix_caching"),
        ("Enforce_Eager", "enforce_eager"),
        ("kv_cache_type", "kv_cache_dtype"),
    ],
)
def test_a_slip_finds_the_name_that_was_meant_first(written: str, meant: str) -> None:
    assert nearest_names(written, SETTINGS)[0] == meant


@pytest.mark.parametrize("written", ["zzz", "banana", "x"])
def test_what_resembles_nothing_finds_nothing(written: str) -> None:
    assert nearest_names(written, SETTINGS) == ()


def test_the_name_itself_is_nearest_to_itself() -> None:
    assert [name for name in SETTINGS[::9] if nearest_names(name, SETTINGS)[0] != name] == []


def test_no_more_names_come_than_were_asked_for() -> None:
    assert len(nearest_names("max_num", SETTINGS, limit=2)) == 2


def test_no_valid_name_means_no_suggestion() -> None:
    assert nearest_names("max_num_seqs", []) == ()


@pytest.mark.parametrize(
    ("written", "setting"),
    [
        ("--ctx-size", "max_model_len"),
        ("n_gpu_layers", "cpu_offload_gb"),
        ("mem-fraction-static", "gpu_memory_utilization"),
        ("--no-radix", None),
        ("disable_log_requests", "enable_log_requests"),
        ("cpu_offload_gate", "cpu_offload_gb"),
        ("session_len", "max_model_len"),
        ("num-shard", "tensor_parallel_size"),
    ],
)
def test_names_of_other_servers_are_understood(written: str, setting: str | None) -> None:
    meaning = meant_option(written.lstrip("-"))
    assert (meaning.write[0] if meaning else None) == setting


def test_a_value_is_understood_only_for_its_setting() -> None:
    meaning = meant_value("kv_cache_dtype", "Q8_0")
    assert meaning is not None
    assert meaning.write == ("fp8", "int8_per_token_head", "turboquant_k8v4")
    assert meant_value("dtype", "q8_0") is None
