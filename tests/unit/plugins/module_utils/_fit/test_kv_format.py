"""Bytes of one token in one layer, by the format of the cache."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.kv_format import (
    heads_bytes,
    latent_bytes,
    turboquant_slot,
)


@pytest.mark.parametrize(
    ("kv_dtype", "expected"),
    [
        pytest.param("auto", 4096, id="the model's own 16 bits"),
        pytest.param("bfloat16", 4096, id="bfloat16"),
        pytest.param("fp8", 2048, id="fp8"),
        pytest.param("fp8_e5m2", 2048, id="e5m2"),
        pytest.param("int8_per_token_head", 2048 + 32, id="8 bits and a scale per head"),
        pytest.param("int4_per_token_head", 1024 + 32, id="4 bits and a scale per head"),
        pytest.param("nvfp4", 4 * 2 * (128 + 16), id="4-bit floats with their block scales"),
        pytest.param("octave_k3v4", None, id="a format that we do not know"),
    ],
)
def test_four_heads_of_256_take_these_bytes(kv_dtype: str, expected: int | None) -> None:
    assert heads_bytes(kv_dtype, 4, 256, 256, 2) == expected


@pytest.mark.parametrize(
    ("kv_dtype", "slot"),
    [
        ("turboquant_k8v4", 196),
        ("turboquant_4bit_nc", 134),
        ("turboquant_k3v4_nc", 118),
        ("turboquant_3bit_nc", 102),
    ],
)
def test_turboquant_packs_a_head_of_128_into_these_bytes(kv_dtype: str, slot: int) -> None:
    assert turboquant_slot(kv_dtype, 128) == slot


@pytest.mark.parametrize(
    ("kv_dtype", "expected"),
    [("auto", 1152), ("fp8", 576), ("fp8_ds_mla", 656), ("nvfp4", None)],
)
def test_a_latent_vector_of_576_is_one_for_all_heads(kv_dtype: str, expected: int | None) -> None:
    assert latent_bytes(kv_dtype, 576, 2) == expected
