"""Examples of rules about the API server, and of advice of our own."""

from __future__ import annotations

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.examples import (
    Example,
)

ALL = "0.10.0 error, 0.33.0 error"

WARN = "0.10.0 warning, 0.33.0 warning"
LLAMA, MIXTRAL = "llama", "mixtral"
ADA = Gpu("NVIDIA L4", "8.9", 23034)
DFLASH = {"speculative_config": {"method": "dflash", "model": "org/d"}}
_SERVER = (
    Example(
        "unknown_tool_parser",
        {"enable_auto_tool_choice": True, "tool_call_parser": "bogus"},
        {"enable_auto_tool_choice": True, "tool_call_parser": "hermes"},
        ALL,
    ),
    Example(
        "unknown_tool_parser",
        {"enable_auto_tool_choice": True, "tool_call_parser": "bogus"},
        {"enable_auto_tool_choice": True, "tool_call_parser": "bogus", "tool_parser_plugin": "/p.py"},
        ALL,
    ),
    Example(
        "unknown_reasoning_parser",
        {"reasoning_parser": "bogus"},
        {"reasoning_parser": "qwen3"},
        "0.10.2 silent, 0.11.0 error, 0.12.0 error, 0.13.0 warning",
    ),
    Example(
        "unknown_reasoning_parser",
        {"reasoning_parser": "bogus"},
        {"reasoning_parser": "bogus", "reasoning_parser_plugin": "/p.py"},
        "0.12.0 error, 0.13.0 warning, 0.19.1 warning, 0.20.0 error",
    ),
    Example(
        "unknown_reasoning_parser",
        {"structured_outputs_config": {"reasoning_parser": "bogus"}},
        {"structured_outputs_config": {"reasoning_parser": "qwen3"}},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "tool_parser_missing",
        {"enable_auto_tool_choice": True},
        {"enable_auto_tool_choice": True, "tool_call_parser": "hermes"},
        ALL,
    ),
    Example(
        "output_log_without_request_log",
        {"enable_log_outputs": True},
        {"enable_log_outputs": True, "enable_log_requests": True},
        "0.10.2 silent, 0.11.0 error, 0.33.0 error",
    ),
    Example(
        "request_metrics_without_stats",
        {"enable_per_request_metrics": True, "disable_log_stats": True},
        {"enable_per_request_metrics": True},
        "0.24.0 silent, 0.25.0 error",
    ),
    Example(
        "keep_alive_negative",
        {"sse_keep_alive_interval": -1},
        {"sse_keep_alive_interval": 0},
        "0.28.0 silent, 0.29.0 error",
    ),
    Example("served_name_empty", {"served_model_name": [None]}, {"served_model_name": ["a"]}, ALL),
    Example(
        "detailed_traces_without_endpoint",
        {"collect_detailed_traces": ["all"]},
        {"collect_detailed_traces": ["all"], "otlp_traces_endpoint": "http://x:4317"},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "unknown_config_format",
        {"config_format": "bogus"},
        {"config_format": "mistral"},
        "0.10.1 silent, 0.10.2 error, 0.33.0 error",
    ),
    Example(
        "grpc_port_with_grpc",
        {"grpc_port": 9000, "grpc": True},
        {"grpc": True},
        "0.31.0 silent, 0.32.0 error",
    ),
    Example(
        "grpc_port_without_frontend",
        {"grpc_port": 9000},
        {"grpc_port": 9000},
        "0.31.0 silent, 0.32.0 error",
        silent_env={"VLLM_USE_RUST_FRONTEND": "1"},
    ),
    Example(
        "grpc_port_without_server",
        {"grpc_port": 9000, "headless": True},
        {"grpc_port": 9000},
        "0.31.0 silent, 0.32.0 error",
    ),
    Example(
        "grpc_port_invalid",
        {"grpc_port": 8000, "port": 8000},
        {"grpc_port": 9000, "port": 8000},
        "0.31.0 silent, 0.32.0 error",
    ),
    Example(
        "template_is_no_template", {"chat_template": "chatml"}, {"chat_template": "{{ messages }}"}, WARN
    ),
    Example(
        "template_is_no_template", {"chat_template": "chatml"}, {"chat_template": "/templates/chatml"}, WARN
    ),
    Example(
        "cpu_adapters_below_gpu_adapters",
        {"enable_lora": True, "max_loras": 4, "max_cpu_loras": 2},
        {"enable_lora": True, "max_loras": 2, "max_cpu_loras": 2},
        ALL,
    ),
    Example(
        "cpu_adapters_below_gpu_adapters",
        {"enable_lora": True, "max_loras": 4, "max_cpu_loras": 1},
        {"enable_lora": True, "max_loras": 4, "max_cpu_loras": 0},
        ALL,
    ),
    Example(
        "adapters_below_one",
        {"enable_lora": True, "max_loras": 0},
        {"enable_lora": True, "max_loras": 1},
        "0.10.0 error, 0.11.0 error, 0.11.1 silent",
    ),
    Example(
        "adapter_rank_unsupported",
        {"enable_lora": True, "max_lora_rank": 7},
        {"enable_lora": True, "max_lora_rank": 8},
        "0.10.0 error, 0.11.0 error, 0.11.1 silent",
    ),
    Example(
        "modality_adapters_of_text_model",
        {"default_mm_loras": {"image": "x"}},
        {"default_mm_loras": {"image": "x"}},
        ALL,
        model=LLAMA,
        silent_model={"architectures": ["X"], "vision_config": {}, "model_type": "x"},
    ),
)
_ADVICE = (
    Example(
        "draft_belongs_to_target",
        {"speculative_config": {"method": "dflash", "model": "org/d", "num_speculative_tokens": 8}},
        {"speculative_config": {"method": "ngram", "num_speculative_tokens": 8}},
        WARN,
    ),
    Example(
        "draft_belongs_to_target",
        {"speculative_config": {"method": "eagle", "model": "org/d", "num_speculative_tokens": 8}},
        {"speculative_config": {"method": "eagle", "model": "org/d", "num_speculative_tokens": 8}},
        WARN,
        model="llama",
        draft="bert-embed",
        silent_draft="eagle-draft",
    ),
    Example(
        "draft_attention_backend",
        DFLASH,
        {"speculative_config": {"method": "ngram", "num_speculative_tokens": 8}},
        "0.19.1 silent, 0.20.0 info, 0.33.0 info",
    ),
    Example(
        "draft_attention_backend",
        {"speculative_config": {"method": "dflash", "model": "org/d", "attention_backend": "triton_attn"}},
        {"speculative_config": {"method": "dflash", "model": "org/d", "attention_backend": "flash_attn"}},
        "0.19.1 silent, 0.21.0 warning, 0.23.0 warning, 0.24.0 silent",
    ),
    Example(
        "draft_attention_backend",
        {"attention_backend": "FLASHINFER", **DFLASH},
        {"speculative_config": {"method": "dflash", "model": "org/d", "attention_backend": "flash_attn"}},
        "0.19.1 silent, 0.20.0 warning, 0.21.0 info",
    ),
    Example(
        "draft_cache_type",
        {"kv_cache_dtype": "fp8", **DFLASH},
        DFLASH,
        "0.19.1 silent, 0.20.0 warning, 0.23.0 warning, 0.24.0 silent",
        gpus=(ADA,),
    ),
    Example(
        "draft_cache_type",
        {
            "kv_cache_dtype": "fp8",
            "speculative_config": {"method": "dflash", "model": "org/d", "attention_backend": "flash_attn"},
        },
        {
            "kv_cache_dtype": "fp8",
            "speculative_config": {
                "method": "dflash",
                "model": "org/d",
                "attention_backend": "flash_attn",
                "kv_cache_dtype": "auto",
            },
        },
        "0.23.0 warning, 0.33.0 warning",
        gpus=(ADA,),
    ),
    Example(
        "swap_space_on_small_host",
        {"tensor_parallel_size": 8},
        {"tensor_parallel_size": 8, "swap_space": 0},
        "0.10.0 warning, 0.17.1 warning, 0.18.0 silent",
    ),
    Example(
        "offload_pattern_matches_nothing",
        {"cpu_offload_params": ["experts.*"]},
        {"cpu_offload_params": ["experts", "experts.w13_weight"]},
        "0.16.0 silent, 0.17.0 warning, 0.33.0 warning",
    ),
    Example(
        "offload_pattern_matches_nothing",
        {"offload_params": ["expert"]},
        {"offload_params": ["experts"]},
        "0.17.0 warning, 0.33.0 warning",
    ),
    Example(
        "offload_without_experts",
        {"cpu_offload_gb": 4.0},
        {"cpu_offload_gb": 4.0, "cpu_offload_params": ["experts"]},
        "0.16.0 silent, 0.17.0 info",
        model=MIXTRAL,
    ),
    Example(
        "more_stages_than_layers",
        {"pipeline_parallel_size": 5},
        {"pipeline_parallel_size": 4},
        WARN,
        model=LLAMA,
    ),
    Example(
        "tool_parser_without_choice",
        {"tool_call_parser": "bogus"},
        {"tool_call_parser": "hermes", "enable_auto_tool_choice": True},
        WARN,
    ),
    Example("port_out_of_range", {"port": 70000}, {"port": 8000}, WARN),
    Example("no_cache_blocks", {"num_gpu_blocks_override": 0}, {"num_gpu_blocks_override": 100}, WARN),
    Example("api_servers_negative", {"api_server_count": -1}, {"api_server_count": 1}, WARN),
    Example(
        "no_time_to_connect",
        {"distributed_timeout_seconds": 0},
        {"distributed_timeout_seconds": 60},
        "0.17.1 silent, 0.18.0 warning",
    ),
    Example(
        "adapters_without_lora",
        {"lora_modules": [["a", "b"]]},
        {"lora_modules": [["a", "b"]], "enable_lora": True},
        WARN,
    ),
    Example(
        "node_rank_without_nodes",
        {"node_rank": 1},
        {"node_rank": 1, "nnodes": 2},
        "0.11.0 silent, 0.11.1 warning",
    ),
    Example(
        "key_without_certificate", {"ssl_keyfile": "/k"}, {"ssl_keyfile": "/k", "ssl_certfile": "/c"}, WARN
    ),
    Example(
        "unknown_load_format",
        {"load_format": "bogus"},
        {"load_format": "safetensors"},
        "0.10.1 warning, 0.33.0 warning",
    ),
    Example(
        "executor_needs_ray",
        {"distributed_executor_backend": "ray"},
        {"distributed_executor_backend": "mp"},
        WARN,
    ),
    Example(
        "length_beyond_training",
        {"max_model_len": 8192},
        {"max_model_len": 4096},
        WARN,
        env={"VLLM_ALLOW_LONG_MAX_MODEL_LEN": "1"},
        model=LLAMA,
    ),
    Example(
        "variable_without_effect",
        {},
        {},
        "0.14.1 silent, 0.15.0 warning",
        env={"VLLM_ATTENTION_BACKEND": "FLASHINFER"},
        silent_env={},
    ),
    Example(
        "unknown_backend_variable",
        {},
        {},
        "0.10.0 silent, 0.10.1 warning, 0.11.0 warning, 0.11.1 silent",
        env={"VLLM_ATTENTION_BACKEND": "BOGUS"},
        silent_env={"VLLM_ATTENTION_BACKEND": "FLASHINFER_VLLM_V1"},
    ),
    Example(
        "unknown_tokenizer_mode",
        {"tokenizer_mode": "bogus"},
        {"tokenizer_mode": "mistral"},
        "0.11.2 silent, 0.12.0 warning",
    ),
    Example(
        "generation_key_ignored",
        {"override_generation_config": {"bogus": 1}},
        {"override_generation_config": {"temperature": 1}},
        WARN,
    ),
)

SERVER = (*_SERVER, *_ADVICE)
