from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.jsonclass import check_class
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import choose


def said(name: str, value: t.Any, version: str = "0.26.0") -> list[tuple[str, str | None]]:
    return [(problem.kind, problem.setting) for problem in check_class(choose(version).table, name, value)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CompilationConfig", {}),
        ("CompilationConfig", {"mode": 3}),
        ("CompilationConfig", {"mode": "vllm_compile"}),
        (
            "CompilationConfig",
            {"cudagraph_mode": "full_and_piecewise", "cudagraph_capture_sizes": [1, "2", 4.0]},
        ),
        ("CompilationConfig", {"pass_config": {"fuse_norm_quant": "true"}}),
        ("CompilationConfig", {"mode": None}),
        ("AttentionConfig", {"backend": "flash_attn"}),
        ("AttentionConfig", {"backend": "auto"}),
        ("AttentionConfig", {"backend_per_kind": {"mamba": "triton_attn"}}),
        ("KernelConfig", {"moe_backend": "Deep-GEMM"}),
        ("KVTransferConfig", {"kv_connector": "X", "kv_role": "kv_both", "kv_port": "14579"}),
        ("EPLBConfig", {"window_size": 10, "use_async": False}),
        ("QuantizationConfigArgs", {"linear": "fp8_per_tensor", "moe": {"weight": "mxfp8"}}),
    ],
)
def test_what_pydantic_takes_is_taken(name: str, value: t.Any) -> None:
    assert said(name, value) == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("CompilationConfig", [], [("invalid_json_value", None)]),
        ("CompilationConfig", {"mode": 9}, [("invalid_json_value", "mode")]),
        ("CompilationConfig", {"debug_dump_path": 1}, [("invalid_json_value", "debug_dump_path")]),
        ("EPLBConfig", {"step_interval": 1e30}, [("invalid_json_value", "step_interval")]),
        ("CompilationConfig", {"cudagraph_mode": "BOGUS"}, [("invalid_json_value", "cudagraph_mode")]),
        ("CompilationConfig", {"pass_config": {"x": 1}}, [("unknown_json_key", "pass_config.x")]),
        (
            "CompilationConfig",
            {"cudagraph_capture_sizes": [1, "x"]},
            [("invalid_json_value", "cudagraph_capture_sizes.1")],
        ),
        ("AttentionConfig", {"backend": "BOGUS"}, [("invalid_json_value", "backend")]),
        (
            "AttentionConfig",
            {"backend_per_kind": {"x": "BOGUS"}},
            [("invalid_json_value", "backend_per_kind")] * 2,
        ),
        ("KernelConfig", {"moe_backend": "bogus"}, [("invalid_json_value", "moe_backend")]),
        ("KVTransferConfig", {"kv_connector": "X"}, [("invalid_json_value", None)]),
        (
            "KVTransferConfig",
            {"kv_port": "x", "kv_role": "y"},
            [("invalid_json_value", "kv_port"), ("invalid_json_value", "kv_role")],
        ),
        ("EPLBConfig", {"window_size": True, "x": 1}, [("unknown_json_key", "x")]),
        ("EPLBConfig", {"use_async": "maybe"}, [("invalid_json_value", "use_async")]),
        (
            "QuantizationConfigArgs",
            {"linear": "int8_per_channel_weight_only"},
            [("invalid_json_value", "linear")],
        ),
        ("QuantizationConfigArgs", {"moe": {"weight": "x"}}, [("invalid_json_value", "moe.weight")]),
    ],
)
def test_what_pydantic_refuses_is_refused_where_it_stands(name: str, value: t.Any, expected: t.Any) -> None:
    found = said(name, value)
    assert [kind for kind, _path in found] == [kind for kind, _path in expected]
    assert all((path or "").startswith(wanted or "") for (_, path), (_, wanted) in zip(found, expected))


@pytest.mark.parametrize(
    ("name", "first"),
    [("CompilationConfig", "0.13.0"), ("KVTransferConfig", "0.16.0"), ("EPLBConfig", "0.16.0")],
)
def test_unknown_keys_are_refused_from_a_release_on(name: str, first: str) -> None:
    before = {"0.13.0": "0.12.0", "0.16.0": "0.15.1"}[first]
    assert said(name, {"bogus": 1}, before) == []
    assert said(name, {"bogus": 1}, first) == [("unknown_json_key", "bogus")]


def test_a_class_that_the_release_does_not_have_is_not_judged() -> None:
    assert said("WatchdogConfig", {"x": 1}, "0.32.0") == []


def test_auto_as_attention_backend_is_taken_from_0_18_0_on() -> None:
    assert said("AttentionConfig", {"backend": "auto"}, "0.17.1") == [("invalid_json_value", "backend")]
    assert said("AttentionConfig", {"backend": "auto"}, "0.18.0") == []


def test_custom_is_an_attention_backend_also_where_it_was_a_second_name() -> None:
    assert said("AttentionConfig", {"backend": "custom"}, "0.13.0") == []
    assert said("AttentionConfig", {"backend": "CUSTOM"}, "0.14.0") == []
