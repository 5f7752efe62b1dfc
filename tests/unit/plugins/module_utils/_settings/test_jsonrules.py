"""Checks between the keys of one JSON option: each fires, stays silent, and begins and ends with its releases."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.jsonclass import check_class
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.jsonrules import RULES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import choose

CASES: list[tuple[str, t.Any, t.Any, str, str | None]] = [
    # class, what it refuses, what it takes, a release that refuses, the last one before that takes (None: all refuse)
    ("KVTransferConfig", {"kv_connector": "X"}, {"kv_connector": "X", "kv_role": "kv_both"}, "0.26.0", None),
    ("ECTransferConfig", {"ec_connector": "X"}, {"ec_connector": "X", "ec_role": "ec_both"}, "0.26.0", None),
    ("ProfilerConfig", {"profiler": "torch"}, {"profiler": "torch", "torch_profiler_dir": "/x"}, "0.26.0", None),
    ("ProfilerConfig", {"torch_profiler_dir": "/x"}, {"torch_profiler_dir": ""}, "0.26.0", "0.15.1"),
    ("ProfilerConfig", {"capture_torch_profiler": True}, {"capture_torch_profiler": "no"}, "0.26.0", None),
    ("ProfilerConfig", {"torch_profiler_activities": ["CPU"]}, {"torch_profiler_activities": None}, "0.33.0", None),
    ("ProfilerConfig", {"profiler": "proton"}, {"profiler": "proton", "proton_profiler_dir": "/x"}, "0.28.0", None),
    ("ProfilerConfig", {"proton_data": "trace"}, {"proton_data": "tree"}, "0.28.0", None),
    ("ProfilerConfig", {"proton_mode": ""}, {"proton_mode": None}, "0.33.0", None),
    ("EPLBConfig", {"log_balancedness": True, "log_balancedness_interval": 0}, {"log_balancedness": True}, "0.26.0", None),
    ("EPLBConfig", {"use_async": True, "communicator": "pynccl"}, {"use_async": False, "communicator": "pynccl"}, "0.24.0", None),
    ("StructuredOutputsConfig", {"disable_any_whitespace": True}, {"disable_any_whitespace": True, "backend": "xgrammar"}, "0.26.0", None),
    ("StructuredOutputsConfig", {"disable_additional_properties": "yes"}, {"disable_additional_properties": True, "backend": "guidance"}, "0.26.0", None),
    ("StructuredOutputsConfig", {"reasoning_parser": "bogus"}, {"reasoning_parser": "qwen3"}, "0.12.0", "0.13.0"),
    ("PoolerConfig", {"pooling_type": "CLS", "seq_pooling_type": "CLS"}, {"pooling_type": "CLS"}, "0.14.0", None),
    ("PoolerConfig", {"logit_sigma": 0}, {"logit_sigma": 1}, "0.20.0", None),
    ("PoolerConfig", {"logit_bias": 1, "logit_mean": 1}, {"logit_bias": 1}, "0.22.1", None),
    ("EncoderCacheManagerConfig", {"manager_config": {"a": 1}}, {"manager_config": {}}, "0.28.0", None),
    ("QuantizationConfigArgs", {"targets": {"a": "mxfp8"}, "linear": "mxfp8"}, {"targets": {"a": "mxfp8"}}, "0.30.0", None),
    ("EngramConfig", {"dp_shared_memory": True, "cpu_offload": False}, {"dp_shared_memory": True}, "0.30.0", None),
    ("EngramConfig", {"use_thp": True, "cpu_offload": False}, {"use_thp": True, "cpu_offload": True}, "0.31.0", None),
    ("CompilationConfig", {"custom_ops": ["x"]}, {"custom_ops": ["+x", "none"]}, "0.11.0", "0.10.2"),
    ("CompilationConfig", {"custom_ops": ["all", "all"]}, {"custom_ops": ["all"]}, "0.10.2", None),
    ("CompilationConfig", {"custom_ops": ["all", "none"]}, {"custom_ops": ["all"]}, "0.33.0", None),
    ("CompilationConfig", {"custom_ops": ["+"]}, {"custom_ops": ["+x"]}, "0.27.0", "0.26.0"),
    ("CompilationConfig", {"inductor_passes": {"p": "here"}}, {"inductor_passes": {"p": "a.b"}}, "0.26.0", None),
    ("CompilationConfig", {"custom_ops": ["+x", "-x"]}, {"custom_ops": ["+x", "-y"]}, "0.27.0", "0.26.0"),
    ("CompilationConfig", {"mode": 3, "backend": "x"}, {"mode": 3, "backend": "eager"}, "0.11.1", None),
    ("CompilationConfig", {"encoder_cudagraph_token_budgets": [0]}, {"encoder_cudagraph_token_budgets": [1]}, "0.22.0", None),
    ("CompilationConfig", {"decoder_replay_cudagraph_capture_sizes": [0]}, {"decoder_replay_cudagraph_capture_sizes": [1]}, "0.32.0", None),
    ("AttentionConfig", {"use_fp4_indexer_cache": True, "indexer_kv_dtype": "fp8"}, {"use_fp4_indexer_cache": True}, "0.28.0", None),
]  # fmt: skip


def refused(name: str, value: t.Any, version: str) -> bool:
    return bool(check_class(choose(version).table, name, value))


@pytest.mark.parametrize(("name", "wrong", "right", "release", "other"), CASES)
def test_a_rule_between_keys(name: str, wrong: t.Any, right: t.Any, release: str, other: str | None) -> None:
    assert refused(name, wrong, release)
    assert not refused(name, right, release)
    assert other is None or not refused(name, wrong, other)


def test_every_rule_is_about_a_class_of_some_release() -> None:
    newest = choose("0.33.0").table
    oldest = choose("0.22.0").table
    assert all(newest.json_class(rule.owner) or oldest.json_class(rule.owner) for rule in RULES)
