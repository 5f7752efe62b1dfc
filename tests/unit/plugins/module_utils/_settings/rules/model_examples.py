"""Examples of rules about what a model is run as, its state layers, and KV caches that travel."""

from __future__ import annotations

import typing as t

from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.examples import (
    CONFIGS,
    Example,
)

LLAMA, MIXTRAL, MAMBA = "llama", "mixtral", "mamba2"


def stored(method: str, **keys: t.Any) -> dict[str, t.Any]:
    """A Llama whose weights are stored in that way."""
    return {**CONFIGS["llama"], "quantization_config": {"quant_method": method, "group_size": 128, **keys}}


CONNECTOR = {"kv_connector": "NixlConnector", "kv_role": "kv_both"}
UNKNOWN = {"kv_connector": "Bogus", "kv_role": "kv_both"}
MODELS = (
    Example(
        "runner_not_of_model",
        {"runner": "generate"},
        {"runner": "pooling"},
        "0.10.0 silent, 0.10.1 error, 0.33.0 error",
        model="bert-embed",
    ),
    Example(
        "runner_not_of_model",
        {"runner": "generate"},
        {"runner": "generate"},
        "0.10.1 error, 0.33.0 error",
        model="bert-embed",
        silent_model=LLAMA,
    ),
    Example(
        "store_needs_streamer",
        {"load_format": "safetensors"},
        {"load_format": "runai_streamer"},
        "0.21.0 silent, 0.22.0 error, 0.33.0 error",
        name="gs://bucket/model",
    ),
    Example(
        "store_needs_streamer",
        {"load_format": "safetensors"},
        {"load_format": "auto"},
        "0.11.0 silent, 0.11.1 error, 0.21.0 error, 0.22.0 error",
        name="s3://bucket/model",
    ),
    Example(
        "state_block_without_prefix_caching",
        {"mamba_block_size": 16, "enable_prefix_caching": False},
        {"mamba_block_size": 16, "enable_prefix_caching": True},
        "0.11.2 silent, 0.12.0 error, 0.33.0 error",
    ),
    Example(
        "state_block_without_prefix_caching",
        {"mamba_block_size": 16},
        {"mamba_block_size": 16},
        "0.11.2 silent, 0.12.0 error, 0.33.0 error",
        model=MAMBA,
        silent_model=LLAMA,
    ),
    Example(
        "chunked_input_with_aligned_states",
        {"mamba_cache_mode": "align", "disable_chunked_mm_input": True},
        {"mamba_cache_mode": "align"},
        "0.14.1 silent, 0.15.0 error",
        model=MAMBA,
    ),
    Example(
        "stochastic_rounding_needs_float16",
        {"enable_mamba_cache_stochastic_rounding": True},
        {"enable_mamba_cache_stochastic_rounding": True, "mamba_ssm_cache_dtype": "float16"},
        "0.19.1 silent, 0.20.0 error",
    ),
    Example(
        "state_algorithm_needs_flashinfer",
        {"mamba_ssu_algorithm": "simple"},
        {"mamba_ssu_algorithm": "simple", "mamba_backend": "flashinfer"},
        "0.26.0 silent, 0.27.0 warning",
    ),
    Example(
        "device_ids_invalid", {"device_ids": [0, 0]}, {"device_ids": [0, 1]}, "0.23.0 silent, 0.24.0 error"
    ),
    Example(
        "device_ids_invalid",
        {"device_ids": [0, "GPU-1"]},
        {"device_ids": ["GPU-0", "GPU-1"]},
        "0.23.0 silent, 0.24.0 error",
    ),
    Example(
        "unknown_connector",
        {"kv_transfer_config": UNKNOWN},
        {"kv_transfer_config": {**UNKNOWN, "kv_connector_module_path": "my.module"}},
        "0.16.0 warning, 0.17.0 error, 0.33.0 error",
    ),
    Example(
        "unknown_connector",
        {"kv_transfer_config": UNKNOWN},
        {"kv_transfer_config": {**UNKNOWN, "kv_connector": "OffloadingConnector"}},
        "0.11.1 warning, 0.16.0 warning, 0.17.0 error",
    ),
    Example(
        "connector_with_moving_memory",
        {"kv_transfer_config": CONNECTOR},
        {"kv_transfer_config": CONNECTOR},
        "0.20.2 silent, 0.21.0 error, 0.33.0 error",
        env={"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"},
        silent_env={},
    ),
    Example(
        "replay_with_connector",
        {"use_replayssm": True, "kv_transfer_config": CONNECTOR},
        {"use_replayssm": True},
        "0.26.0 silent, 0.27.0 error, 0.28.0 error, 0.29.0 silent",
    ),
    Example(
        "routed_experts_of_dense_model",
        {"enable_return_routed_experts": True},
        {"enable_return_routed_experts": True},
        "0.30.0 silent, 0.31.0 error, 0.33.0 error",
        model=LLAMA,
        silent_model=MIXTRAL,
    ),
    Example(
        "routed_experts_with_pipeline",
        {"enable_return_routed_experts": True, "pipeline_parallel_size": 2},
        {"enable_return_routed_experts": True},
        "0.21.0 silent, 0.22.0 error",
    ),
    Example(
        "routed_experts_with_async",
        {"enable_return_routed_experts": True},
        {"enable_return_routed_experts": True, "async_scheduling": False},
        "0.20.2 silent, 0.21.0 error, 0.22.0 silent",
    ),
    Example(
        "routed_experts_with_context_parallel",
        {"enable_return_routed_experts": True, "decode_context_parallel_size": 2},
        {"enable_return_routed_experts": True},
        "0.27.1 silent, 0.28.0 error",
    ),
    Example(
        "routed_experts_with_connector",
        {"enable_return_routed_experts": True, "kv_transfer_config": CONNECTOR},
        {"enable_return_routed_experts": True},
        "0.21.0 silent, 0.22.0 error, 0.30.0 error, 0.31.0 silent",
    ),
    Example(
        "routed_experts_without_prefix_caching",
        {"enable_return_routed_experts": True, "enable_prefix_caching": False},
        {"enable_return_routed_experts": True, "enable_prefix_caching": True},
        "0.30.0 silent, 0.31.0 error",
    ),
    *(
        Example(
            "context_longer_than_model",
            {"max_model_len": length, "hf_overrides": overrides},
            {"max_model_len": 8192, "hf_overrides": overrides},
            "0.10.0 error, 0.33.0 error",
            model=LLAMA,
        )
        for length, overrides in (
            (8193, {"max_position_embeddings": 8192}),
            (8193, {"max_position_embeddings": 8192, "architectures": ["LlamaForCausalLM"]}),
        )
    ),
    Example(
        "quantization_differs_from_checkpoint",
        {"quantization": "inc"},
        {"quantization": "inc"},
        "0.15.1 silent, 0.16.0 error, 0.33.0 error",
        model="llama-awq",
        silent_model=stored("auto-round", bits=4),
    ),
    Example(
        "gptq_layout_not_supported",
        {},
        {},
        "0.10.0 error, 0.21.0 error, 0.33.0 error",
        model=stored("gptq", bits=5),
        silent_model=stored("gptq", bits=4),
    ),
    Example(
        "gptq_layout_not_supported",
        {},
        {},
        "0.21.0 silent, 0.22.0 error, 0.33.0 error",
        model=stored("gptq", bits=3, sym=True),
        silent_model=stored("gptq", bits=8, sym=True),
    ),
    Example(
        "gptq_layout_not_supported",
        {},
        {},
        "0.21.0 silent, 0.22.0 error, 0.33.0 error",
        model=stored("gptq", bits=4, sym=False),
        silent_model=stored("gptq", bits=4),
    ),
    Example(
        "awq_layout_not_supported",
        {},
        {},
        "0.10.0 error, 0.23.0 error, 0.33.0 error",
        model=stored("awq", bits=3),
        silent_model=stored("awq", bits=8),
    ),
    Example(
        "awq_layout_not_supported",
        {"quantization": "awq"},
        {"quantization": "awq_marlin"},
        "0.10.0 error, 0.23.0 error, 0.24.0 silent",
        model=stored("awq", bits=8),
    ),
    Example(
        "quantization_in_half",
        {"dtype": "float16"},
        {"dtype": "bfloat16"},
        "0.10.0 silent, 0.10.1 error, 0.33.0 error",
        model="gptoss",
    ),
)
