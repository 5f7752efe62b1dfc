"""What each layer keeps, for every kind of layer, and silence where we do not know."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.demand import read_demand
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.layers import Layer, layers_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model

from .cases import case, configs, mtp


def layers(name: str, release: str = "0.26.0", **settings: t.Any) -> tuple[Layer, ...] | None:
    of = case(name, release, **settings)
    return layers_of(of.model_facts, read_demand(of, of.model_facts))


def told(found: tuple[Layer, ...] | None) -> dict[Layer, int]:
    assert found is not None
    return {layer: found.count(layer) for layer in dict.fromkeys(found)}


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        pytest.param("Llama-3.1-8B", {}, {Layer("full", 4096): 32}, id="grouped heads"),
        pytest.param("Llama-3.1-8B", {"tensor_parallel_size": 8}, {Layer("full", 512): 32}, id="one head per GPU"),
        pytest.param("Llama-3.1-8B", {"tensor_parallel_size": 16}, {Layer("full", 512): 32}, id="heads are copied"),
        pytest.param("DeepSeek-V3", {"tensor_parallel_size": 8}, {Layer("full", 1152): 61}, id="latent vectors are not divided"),
        pytest.param("DeepSeek-V3", {"speculative_config": mtp(1)}, {Layer("full", 1152): 62}, id="MTP adds its layer"),
        pytest.param("DeepSeek-V3.2-Exp", {}, {Layer("full", 1152 + 132): 61}, id="sparse attention keeps an index"),
        pytest.param("DeepSeek-V3.2-Exp", {"kv_cache_dtype": "fp8"}, {Layer("full", 656 + 132): 61}, id="in its own fp8 layout"),
        pytest.param("gpt-oss-120b", {}, {Layer("sliding", 2048, 128): 18, Layer("full", 2048): 18}, id="every second layer has a window"),
        pytest.param("gemma-3-12b-it", {}, {Layer("sliding", 8192, 1024): 40, Layer("full", 8192): 8}, id="five of six have a window"),
        pytest.param("gemma-4-26B-A4B-it", {}, {Layer("sliding", 8192, 1024): 25, Layer("full", 4096): 5}, id="global layers have other heads"),
        pytest.param("Qwen3.6-35B-A3B", {}, {Layer("state", state_bytes=2146304): 30, Layer("full", 2048): 10}, id="three of four keep a state"),
        pytest.param("Nemotron-3-Nano-30B-A3B", {}, {Layer("state", state_bytes=2134016): 23, Layer("full", 1024): 6}, id="a pattern of letters"),
        pytest.param("Llama-4-Maverick", {}, {Layer("chunked", 4096, 8192): 36, Layer("full", 4096): 12}, id="chunks"),
        pytest.param("Llama-3.1-8B", {"kv_cache_dtype": "turboquant_k8v4"}, {Layer("full", 4096): 4, Layer("full", 8 * 196): 28}, id="spares the ends"),
        pytest.param("MiniMax-M3", {"tensor_parallel_size": 2}, {Layer("full", 1024): 60, Layer("full", 256): 57}, id="an index beside the heads"),
        pytest.param("Falcon-H1-7B", {}, {Layer("full", 1024): 44, Layer("state", state_bytes=1594368): 44}, id="both in every layer"),
    ],
)  # fmt: skip
def test_layers_keep_what_vllm_keeps(
    name: str, settings: dict[str, t.Any], expected: dict[Layer, int]
) -> None:
    assert told(layers(name, **settings)) == expected


def test_qwen3_next_keeps_its_state_in_16_bits() -> None:
    """Its config does not ask for more, Qwen3.5's does."""
    assert Layer("state", state_bytes=32 * 128 * 128 * 2 + 3 * 8192 * 2) in (
        layers("Qwen3-Next-80B-A3B-Instruct") or ()
    )


def test_drafted_tokens_lengthen_the_convolution() -> None:
    plain, drafting = layers("Qwen3.6-27B"), layers("Qwen3.6-27B", speculative_config=mtp(3))
    assert plain is not None
    assert drafting is not None
    assert drafting[0].state_bytes - plain[0].state_bytes == 3 * 10240 * 2


def test_a_checkpoint_that_asks_for_an_fp8_cache_gets_one() -> None:
    config = {**configs()["Llama-3.1-8B"], "quantization_config": {"quant_method": "compressed-tensors", "kv_cache_scheme": {"num_bits": 8}}}  # fmt: skip
    model = parse_model(config)
    of = case("Llama-3.1-8B")
    assert layers_of(model, read_demand(of, model)) == (Layer("full", 2048),) * 32


@pytest.mark.parametrize(
    "config",
    [
        pytest.param({"model_type": "deepseek_v4", "num_hidden_layers": 4, "num_attention_heads": 4}, id="compressed"),
        pytest.param({"model_type": "whisper", "num_hidden_layers": 4, "num_attention_heads": 4}, id="encoder"),
        pytest.param({"model_type": "new", "num_hidden_layers": 2, "mamba_x": 1}, id="perhaps a hybrid"),
        pytest.param({"model_type": "new", "num_hidden_layers": 2, "layer_types": ["full_attention", "wavelet"]}, id="an unknown kind"),
        pytest.param({"model_type": "new", "num_attention_heads": 4}, id="no layers"),
        pytest.param({"model_type": "new", "num_hidden_layers": 2, "kv_lora_rank": 512, "num_attention_heads": 4, "hidden_size": 64}, id="perhaps latent"),
        pytest.param({"model_type": "minimax_m3_text", "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 8}, id="an index of no known size"),
        pytest.param({}, id="nothing"),
    ],
)  # fmt: skip
def test_nothing_is_said_of_layers_that_we_do_not_know(config: dict[str, t.Any]) -> None:
    model = parse_model(config)
    assert layers_of(model, read_demand(case(None), model)) is None
