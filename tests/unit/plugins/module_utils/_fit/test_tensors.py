"""Weights as headers and inventories tell them, and how they are split."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.demand import read_demand
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.tensors import part_of, read_tensors
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.units import GIB, Span
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.weights import matches, weights_per_rank

from .cases import case, mtp

MOE = "Qwen3.6-35B-A3B"


def group(name: str, gib: float, dtype: str = "BF16") -> dict[str, t.Any]:
    return {"name": name, "dtype": dtype, "bytes": int(gib * GIB), "count": 1, "part": part_of(name, None)}


GROUPS = [
    group("model.embed_tokens.weight", 1),
    group("model.layers.*.mlp.experts.*.down_proj.weight", 8),
    group("model.layers.*.mlp.gate.weight", 1),
    group("model.layers.*.self_attn.q_proj.weight", 4),
    group("model.visual.blocks.*.attn.qkv.weight", 1),
    group("mtp.layers.*.mlp.down_proj.weight", 2),
    group("lm_head.weight", 1),
]


def likely_gib(groups: list[dict[str, t.Any]] = GROUPS, model: str = MOE, **settings: t.Any) -> list[float]:
    return [round(span.likely / GIB, 3) for span in spans(groups, model, **settings)]


def spans(groups: list[dict[str, t.Any]] = GROUPS, model: str = MOE, **settings: t.Any) -> tuple[Span, ...]:
    of = case(model, **settings)
    demand = read_demand(of, of.model_facts)
    found = weights_per_rank(
        of.model_facts, read_tensors({"groups": groups}), demand, settings.get("quantization")
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({}, [16], id="all but what MTP drafts with"),
        pytest.param({"speculative_config": mtp(2)}, [18], id="MTP as well"),
        pytest.param({"language_model_only": True}, [15], id="without the encoder"),
        pytest.param({"tensor_parallel_size": 2}, [8.5], id="halved, but every GPU routes"),
        pytest.param({"data_parallel_size": 2}, [12], id="experts are spread over replicas, the rest is not"),
        pytest.param({"pipeline_parallel_size": 2}, [8.5, 7.5], id="embedding and encoder first, head last"),
        pytest.param({"cpu_offload_gb": 4}, [12], id="offloaded, whatever it is"),
        pytest.param({"cpu_offload_gb": 4, "cpu_offload_params": {"experts"}}, [12], id="offloaded experts"),
        pytest.param(
            {"cpu_offload_gb": 4, "cpu_offload_params": {"lm_head"}}, [15], id="no more than what is named"
        ),
        pytest.param(
            {"cpu_offload_gb": 4, "cpu_offload_params": {"experts.*"}}, [16], id="a pattern moves nothing"
        ),
        pytest.param({"quantization": "fp8"}, [12], id="quantized while loading: in between"),
    ],
)
def test_a_gpu_holds_its_part(settings: dict[str, t.Any], expected: list[float]) -> None:
    assert likely_gib(**settings) == expected


def test_a_tied_head_is_not_loaded_twice() -> None:
    assert likely_gib(model="Qwen3-0.6B") == [15]


def test_weights_in_32_bits_are_held_in_the_models_own_format() -> None:
    assert likely_gib([group("model.layers.*.mlp.up_proj.weight", 4, "F32")]) == [2]


def test_the_bounds_enclose_what_is_likely() -> None:
    for span in spans(tensor_parallel_size=2):
        assert span.low < span.likely < span.high


@pytest.mark.parametrize(
    ("name", "layers", "part"),
    [
        ("model.layers.61.mlp.down_proj.weight", 61, "mtp"),
        ("model.layers.60.mlp.down_proj.weight", 61, "layer"),
        ("mtp.fc.weight", 64, "mtp"),
        ("model.visual.blocks.90.attn.qkv.weight", 64, "vision"),
        ("model.language_model.layers.0.mlp.experts.gate_up_proj", 40, "expert"),
        ("model.layers.0.mlp.shared_expert.up_proj.weight", 40, "layer"),
        ("transformer.wte.weight", None, "embedding"),
        ("model.norm.weight", 40, "other"),
    ],
)
def test_a_tensor_belongs_to_a_part(name: str, layers: int | None, part: str) -> None:
    assert part_of(name, layers) == part


@pytest.mark.parametrize(
    ("segments", "does"),
    [
        ("experts", True),
        ("experts.w2_weight", True),
        ("mlp.experts", True),
        ("expert", False),
        ("experts.*", False),
        ("w2", False),
        ("self_attn", False),
    ],
)
def test_offloading_compares_whole_segments(segments: str, does: bool) -> None:
    assert matches(segments, "model.layers.*.mlp.experts.*.down_proj.weight") is does


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        [],
        {"groups": []},
        {"total_bytes": "many"},
        {"total_bytes": -1},
        {"groups": [None, 3, {"name": "x"}]},
    ],
)
def test_facts_that_tell_nothing_are_no_weights(given: t.Any) -> None:
    assert read_tensors(given) is None


def test_an_inventory_may_give_sums_alone() -> None:
    held = read_tensors({"total_bytes": 100, "expert_bytes": 60, "mtp_bytes": 10})
    assert held is not None
    assert (held.bytes_of(), held.bytes_of("expert"), held.has_mtp) == (100, 60, True)


@pytest.mark.parametrize(
    ("model", "gib"),
    [
        pytest.param("Qwen3.6-35B-A3B", 65.4, id="35B in 16 bits: 70.2 GB"),
        pytest.param("Qwen3.6-27B", 51.8, id="27B in 16 bits: 55.6 GB"),
        pytest.param("Qwen3.6-27B-FP8", 28.8, id="27B in FP8: 30.9 GB"),
        pytest.param("Qwen2.5-32B-Instruct-AWQ", 18.14, id="32B in 4 bits: 18.14 GiB printed"),
        pytest.param("gpt-oss-120b", 65.2, id="120B in MXFP4: 64.4 to 66.0 GiB printed"),
    ],
)
def test_a_config_alone_gives_about_the_right_size(model: str, gib: float) -> None:
    of = case(model)
    found = weights_per_rank(of.model_facts, None, read_demand(of, of.model_facts))
    assert found is not None
    assert found[0].likely / GIB == pytest.approx(gib, rel=0.12)
    assert found[0].low / GIB < gib < found[0].high / GIB
