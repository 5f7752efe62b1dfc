"""A config.json of any family becomes the same few facts, and what it does not say stays unknown."""

from __future__ import annotations

import json
import pathlib
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.config_parts import Quantization, Rope
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model

FIXTURES = pathlib.Path(__file__).parents[4] / "fixtures" / "engine"
CONFIGS: dict[str, dict[str, t.Any]] = json.loads((FIXTURES / "models.json").read_text())
# The shape of a multimodal hybrid with experts, as its repository ships it (shortened to what is read).
QWEN = {
    "architectures": ["Qwen3_5MoeForConditionalGeneration"],
    "model_type": "qwen3_5_moe",
    "vision_config": {"depth": 27},
    "quantization_config": {
        "quant_method": "modelopt",
        "quant_algo": "NVFP4",
        "kv_cache_scheme": {"num_bits": 8},
    },
    "text_config": {
        "model_type": "qwen3_5_moe_text",
        "dtype": "bfloat16",
        "hidden_size": 2048,
        "num_hidden_layers": 8,
        "num_attention_heads": 16,
        "num_key_value_heads": 2,
        "head_dim": 256,
        "full_attention_interval": 4,
        "linear_num_value_heads": 32,
        "num_experts": 256,
        "num_experts_per_tok": 8,
        "moe_intermediate_size": 512,
        "mtp_num_hidden_layers": 1,
        "max_position_embeddings": 262144,
        "vocab_size": 248320,
    },
}


def test_the_language_model_is_read_where_it_is_nested() -> None:
    model = parse_model(QWEN)
    assert (model.model_type, model.text_model_type) == ("qwen3_5_moe", "qwen3_5_moe_text")
    assert (model.layers, model.attention_heads, model.kv_heads, model.head_size) == (8, 16, 2, 256)
    assert (model.experts, model.experts_per_token, model.expert_intermediate_size) == (256, 8, 512)
    assert (model.vocab_size, model.dtype, model.mtp_layers) == (248320, "bfloat16", 1)
    assert model.derived_max_length == 262144


def test_layers_follow_from_the_interval_of_full_attention() -> None:
    state, full = "linear_attention", "full_attention"
    model = parse_model(QWEN)
    assert model.layer_types == (state, state, state, full) * 2
    assert model.is_hybrid is True


def test_four_bit_floats_of_modelopt_are_a_method_of_their_own() -> None:
    quantization = parse_model(QWEN).quantization
    assert quantization == Quantization("modelopt_fp4", algorithm="NVFP4", kv_cache_scheme=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "llama",
            {
                "is_moe": False,
                "is_mla": False,
                "is_hybrid": False,
                "is_multimodal": False,
                "quantization": None,
            },
        ),
        ("mixtral", {"is_moe": True, "experts": 8, "experts_per_token": 2, "sliding_window": None}),
        (
            "deepseek",
            {"is_mla": True, "kv_lora_rank": 512, "qk_rope_head_size": 64, "experts": 16, "mtp_layers": 1},
        ),
        ("llama-gptq", {"quantization": Quantization("gptq", bits=4, group_size=128)}),
        ("llama-awq", {"quantization": Quantization("awq", bits=4, group_size=128)}),
        ("llama-fp8", {"quantization": Quantization("fp8")}),
        (
            "gptoss",
            {
                "sliding_window": 128,
                "quantization": Quantization("mxfp4"),
                "rope": (Rope("yarn", 32.0, 4096),),
            },
        ),
        ("mamba2", {"is_attention_free": True, "attention_heads": None, "is_hybrid": False}),
        ("bert-embed", {"architectures": ("BertModel",), "dtype": "float32", "derived_max_length": 512}),
        ("qwen3-dflash", {"architectures": ("DFlashDraftModel",), "layers": 2}),
    ],
)
def test_every_toy_model_is_read(name: str, expected: dict[str, t.Any]) -> None:
    model = parse_model(CONFIGS[name])
    assert {key: getattr(model, key) for key in expected} == expected


@pytest.mark.parametrize(
    ("config", "length"),
    [
        pytest.param({"max_position_embeddings": 4096}, 4096, id="plain"),
        pytest.param({"n_positions": 1024}, 1024, id="gpt2"),
        pytest.param({"max_position_embeddings": 4096, "seq_length": 2048}, 2048, id="the smallest counts"),
        pytest.param(
            {"max_position_embeddings": 4096, "rope_scaling": {"type": "linear", "factor": 4}},
            16384,
            id="linear",
        ),
        pytest.param(
            {
                "max_position_embeddings": 32768,
                "rope_scaling": {
                    "rope_type": "yarn",
                    "factor": 4.0,
                    "original_max_position_embeddings": 32768,
                },
            },
            131072,
            id="yarn over the trained length",
        ),
        pytest.param(
            {
                "max_position_embeddings": 163840,
                "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096},
            },
            163840,
            id="yarn already counted in",
        ),
        pytest.param(
            {"max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 8.0}},
            131072,
            id="llama3",
        ),
        pytest.param(
            {
                "max_position_embeddings": 4096,
                "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 2.0}},
            },
            8192,
            id="per kind of layer",
        ),
        pytest.param(
            {
                "max_position_embeddings": 131072,
                "model_type": "gemma3_text",
                "rope_scaling": {"rope_type": "linear", "factor": 8.0},
            },
            131072,
            id="gemma3",
        ),
        pytest.param(
            {"model_type": "cohere", "max_position_embeddings": 8192, "model_max_length": 4096},
            4096,
            id="cohere",
        ),
        pytest.param({}, None, id="not said"),
    ],
)
def test_the_longest_context_is_the_trained_one_stretched(
    config: dict[str, t.Any], length: int | None
) -> None:
    assert parse_model(config).derived_max_length == length


def test_heads_divide_the_hidden_size_where_no_head_size_is_stated() -> None:
    model = parse_model({"hidden_size": 4096, "num_attention_heads": 32})
    assert (model.head_size, model.kv_heads) == (128, 32)


@pytest.mark.parametrize(
    ("config", "fact", "value"),
    [
        pytest.param(
            {"model_type": "strange", "kv_lora_rank": 256},
            "is_mla",
            None,
            id="latent attention of a family we do not know",
        ),
        pytest.param(
            {"model_type": "strange", "expert_count": 8},
            "is_moe",
            None,
            id="experts under a name we do not know",
        ),
        pytest.param({"model_type": "strange"}, "is_multimodal", None, id="a family that may take pictures"),
        pytest.param(
            {"model_type": "strange", "ssm_state": 1},
            "is_hybrid",
            None,
            id="states under a name we do not know",
        ),
        pytest.param({"num_experts": [64, 64]}, "experts", 64, id="experts per layer"),
        pytest.param(
            {"use_sliding_window": False, "sliding_window": 4096},
            "sliding_window",
            None,
            id="a window that is off",
        ),
        pytest.param(
            {"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}},
            "quantization",
            Quantization("fp8", block_shape=(128, 128)),
            id="blocks",
        ),
        pytest.param(
            {
                "quantization_config": {
                    "quant_method": "compressed-tensors",
                    "config_groups": {
                        "group_0": {"weights": {"strategy": "block", "block_structure": [128, 128]}}
                    },
                }
            },
            "quantization",
            Quantization("compressed-tensors", block_shape=(128, 128)),
            id="blocks of a group",
        ),
        pytest.param(
            {
                "quantization_config": {
                    "quant_method": "compressed-tensors",
                    "config_groups": {
                        "a": None,
                        "b": {"weights": 8},
                        "c": {"weights": {"strategy": "group", "block_structure": [128, 128]}},
                    },
                }
            },
            "quantization",
            Quantization("compressed-tensors"),
            id="groups without blocks",
        ),
        pytest.param({"torch_dtype": "torch.float16"}, "dtype", "float16", id="torch's own name"),
        pytest.param(
            {"num_attention_heads": "8", "hidden_size": None}, "attention_heads", None, id="text for a number"
        ),
    ],
)
def test_what_is_not_certain_stays_unknown(config: dict[str, t.Any], fact: str, value: object) -> None:
    assert getattr(parse_model(config), fact) == value


@pytest.mark.parametrize(
    "config",
    [
        {
            "architectures": None,
            "text_config": None,
            "rope_scaling": "x",
            "quantization_config": [],
            "layer_types": 3,
        },
        {"rope_scaling": {"factor": 2}, "num_experts": [], "full_attention_interval": 0},
        {
            "text_config": {"text_config": {"hidden_size": True}},
            "quantization_config": {"weight_block_size": [1]},
        },
    ],
)
def test_a_config_that_makes_no_sense_ends_in_no_traceback(config: dict[str, t.Any]) -> None:
    assert parse_model(config).derived_max_length is None


def test_a_number_of_layers_that_no_model_has_is_not_reckoned_with() -> None:
    model = parse_model({"num_hidden_layers": 10**12, "full_attention_interval": 4})
    assert (model.layers, model.layer_types) == (None, ())
