"""Examples of rules about numbers, lengths and how a model is spread over GPUs and hosts."""

from __future__ import annotations

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.examples import (
    H100,
    Example,
)

ALL = "0.10.0 error, 0.33.0 error"

LLAMA, MIXTRAL, DEEPSEEK = "llama", "mixtral", "deepseek"
WINDOW = {
    "architectures": ["MistralForCausalLM"],
    "model_type": "mistral",
    "sliding_window": 4096,
    "max_position_embeddings": 32768,
}
EIGHT = (H100,) * 8
A100 = Gpu("NVIDIA A100-SXM4-80GB", "8.0", 81920)
B200 = Gpu("NVIDIA B200", "10.0", 183359)

_BOUNDS = (
    Example(
        "out_of_bounds",
        {"gpu_memory_utilization": 1.5},
        {"gpu_memory_utilization": 1.0},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "out_of_bounds", {"max_num_seqs": 0}, {"max_num_seqs": 1}, "0.11.0 silent, 0.11.1 error, 0.33.0 error"
    ),
    Example(
        "out_of_bounds", {"block_size": 0}, {"block_size": 16}, "0.22.1 silent, 0.23.0 error, 0.33.0 error"
    ),
    Example("out_of_bounds", {"max_logprobs": -2}, {"max_logprobs": -1}, "0.24.0 silent, 0.25.0 error"),
    Example(
        "out_of_bounds",
        {"enable_lora": True, "max_loras": 0},
        {"max_loras": 0},
        "0.11.0 silent, 0.11.1 error",
    ),
    Example(
        "out_of_bounds",
        {"mm_processor_cache_gb": -1},
        {"mm_processor_cache_gb": -1},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
        model={"architectures": ["X"], "vision_config": {}, "text_config": {"model_type": "x"}},
        silent_model="llama",
    ),
    Example(
        "out_of_bounds",
        {"shutdown_timeout": -3},
        {"shutdown_timeout": 0},
        "0.17.1 silent, 0.18.0 error, 0.33.0 error",
    ),
    Example(
        "out_of_bounds",
        {"data_parallel_size_local": -1},
        {"data_parallel_size_local": 1},
        "0.22.1 silent, 0.23.0 error",
    ),
    Example(
        "out_of_bounds",
        {"data_parallel_size": 2, "data_parallel_rank": -1},
        {"data_parallel_size": 2, "data_parallel_rank": 1},
        "0.22.1 silent, 0.23.0 error",
    ),
    Example(
        "out_of_bounds",
        {"data_parallel_rpc_port": 99999},
        {"data_parallel_rpc_port": 29550},
        "0.27.1 silent, 0.28.0 error, 0.33.0 error",
    ),
    Example("context_length_not_positive", {"max_model_len": 0}, {"max_model_len": 4096}, ALL),
    Example(
        "context_length_not_positive",
        {"max_model_len": -1},
        {"max_model_len": 1},
        "0.13.0 error, 0.14.0 silent",
    ),
    Example(
        "parallel_size_zero",
        {"tensor_parallel_size": 0},
        {"tensor_parallel_size": 1},
        "0.10.0 error, 0.22.1 error, 0.23.0 silent",
    ),
    Example(
        "memory_share_too_large",
        {"gpu_memory_utilization": 1.5},
        {"gpu_memory_utilization": 1.0},
        "0.10.0 error, 0.11.0 error, 0.11.1 silent",
    ),
    Example(
        "offload_negative",
        {"cpu_offload_gb": -1.0},
        {"cpu_offload_gb": 0.0},
        "0.10.0 error, 0.11.0 error, 0.11.1 silent",
    ),
    Example(
        "optimization_level_unknown",
        {"optimization_level": "4"},
        {"optimization_level": "3"},
        "0.11.2 silent, 0.12.0 error, 0.33.0 error",
    ),
)
_LENGTH = (
    Example("context_longer_than_model", {"max_model_len": 8192}, {"max_model_len": 4096}, ALL, model=LLAMA),
    Example(
        "context_longer_than_model",
        {"max_model_len": 8192},
        {"max_model_len": 8192},
        ALL,
        model=LLAMA,
        silent_env={"VLLM_ALLOW_LONG_MAX_MODEL_LEN": "1"},
    ),
    Example(
        "context_longer_than_model",
        {"max_model_len": 8192},
        {"max_model_len": 8192, "hf_overrides": {"rope_scaling": {}}},
        ALL,
        model=LLAMA,
    ),
    Example(
        "context_longer_than_window",
        {"disable_sliding_window": True, "max_model_len": 8192},
        {"disable_sliding_window": True, "max_model_len": 4096},
        ALL,
        model=WINDOW,
    ),
    Example(
        "step_shorter_than_context",
        {"enable_chunked_prefill": False, "max_num_batched_tokens": 1024, "max_model_len": 2048},
        {"enable_chunked_prefill": True, "max_num_batched_tokens": 1024, "max_model_len": 2048},
        ALL,
    ),
    Example(
        "step_shorter_than_context",
        {"enable_chunked_prefill": False, "max_num_batched_tokens": 1024},
        {"enable_chunked_prefill": False, "max_num_batched_tokens": 4096},
        ALL,
        model=LLAMA,
    ),
    Example(
        "step_smaller_than_sequences",
        {"max_num_batched_tokens": 64, "max_num_seqs": 128},
        {"max_num_batched_tokens": 128, "max_num_seqs": 128},
        ALL,
    ),
    Example(
        "long_prefill_longer_than_context",
        {"long_prefill_token_threshold": 9999, "max_model_len": 4096},
        {"long_prefill_token_threshold": 4096, "max_model_len": 4096},
        "0.26.0 silent, 0.27.0 error, 0.33.0 error",
    ),
    Example(
        "long_prefill_longer_than_context",
        {"long_prefill_token_threshold": 9999, "max_model_len": 4096, "max_num_partial_prefills": 2},
        {"long_prefill_token_threshold": 9999, "max_num_partial_prefills": 2},
        "0.10.0 error, 0.26.0 error, 0.27.0 error",
    ),
    Example(
        "active_sequences_above_limit",
        {"max_num_active_seqs": 9, "max_num_seqs": 8},
        {"max_num_active_seqs": 8, "max_num_seqs": 8},
        "0.30.0 silent, 0.31.0 error",
    ),
    Example(
        "partial_prefills_unsupported",
        {"max_num_partial_prefills": 2},
        {"max_num_partial_prefills": 1},
        "0.11.0 silent, 0.11.1 error, 0.26.0 error, 0.27.0 silent",
    ),
    Example(
        "long_partial_prefills_above_limit",
        {"max_long_partial_prefills": 3, "max_num_partial_prefills": 2},
        {"max_long_partial_prefills": 2, "max_num_partial_prefills": 2},
        "0.10.0 error, 0.11.0 error, 0.11.1 silent",
    ),
    Example(
        "more_sequences_than_step",
        {"max_num_seqs": 9000},
        {"max_num_seqs": 8192},
        "0.11.2 silent, 0.12.0 error, 0.33.0 error",
        model=LLAMA,
        gpus=EIGHT,
    ),
    Example(
        "more_sequences_than_step",
        {"max_num_seqs": 4000},
        {"max_num_seqs": 4000},
        "0.12.0 error, 0.33.0 error",
        model=LLAMA,
        gpus=(A100,),
        silent_gpus=(H100,),
    ),
    Example(
        "more_sequences_than_step",
        {"max_num_seqs": 9000},
        {"max_num_seqs": 9000, "performance_mode": "throughput"},
        "0.27.1 error, 0.28.0 silent",
        model=LLAMA,
        gpus=(B200,),
    ),
    Example(
        "step_smaller_than_mamba_block",
        {"mamba_cache_mode": "align", "block_size": 4096, "max_num_batched_tokens": 2048},
        {"mamba_cache_mode": "align", "block_size": 2048, "max_num_batched_tokens": 2048},
        "0.14.1 silent, 0.15.0 error, 0.26.0 error, 0.27.0 silent",
    ),
)
_PARALLEL = (
    Example(
        "heads_not_divisible", {"tensor_parallel_size": 3}, {"tensor_parallel_size": 4}, ALL, model=LLAMA
    ),
    Example(
        "heads_not_divisible",
        {"tensor_parallel_size": 4, "hf_overrides": {"num_attention_heads": 6}},
        {"tensor_parallel_size": 3, "hf_overrides": {"num_attention_heads": 6}},
        ALL,
        model=LLAMA,
    ),
    Example(
        "too_few_gpus",
        {"tensor_parallel_size": 16},
        {"tensor_parallel_size": 8},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
        gpus=EIGHT,
    ),
    Example(
        "too_few_gpus",
        {"tensor_parallel_size": 16},
        {"tensor_parallel_size": 16, "nnodes": 2},
        "0.11.0 silent, 0.11.1 error",
        gpus=EIGHT,
    ),
    Example(
        "unknown_executor",
        {"distributed_executor_backend": "bogus"},
        {"distributed_executor_backend": "my.module.Executor"},
        "0.18.1 warning, 0.19.0 error, 0.33.0 error",
    ),
    Example(
        "unknown_executor",
        {"distributed_executor_backend": "bogus"},
        {"distributed_executor_backend": "mp"},
        "0.10.0 warning, 0.18.1 warning, 0.19.0 error",
    ),
    Example(
        "executor_without_pipeline",
        {"pipeline_parallel_size": 2, "distributed_executor_backend": "uni"},
        {"pipeline_parallel_size": 2, "distributed_executor_backend": "mp"},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "nsight_without_ray",
        {"ray_workers_use_nsight": True},
        {"ray_workers_use_nsight": True, "distributed_executor_backend": "ray"},
        ALL,
    ),
    Example(
        "executor_not_for_nodes",
        {"nnodes": 2, "distributed_executor_backend": "uni"},
        {"nnodes": 2, "distributed_executor_backend": "mp"},
        "0.11.0 silent, 0.11.1 error, 0.12.0 silent",
    ),
    Example(
        "executor_not_for_nodes",
        {"nnodes": 2, "distributed_executor_backend": "ray"},
        {"distributed_executor_backend": "ray"},
        "0.12.0 error, 0.33.0 error",
    ),
    Example(
        "executor_not_for_nodes",
        {"nnodes": 2, "distributed_executor_backend": "external_launcher"},
        {"nnodes": 2},
        "0.12.0 error, 0.13.0 silent",
    ),
    Example(
        "nodes_need_mp",
        {"nnodes": 2, "data_parallel_backend": "ray"},
        {"nnodes": 2, "data_parallel_backend": "mp"},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "nodes_not_divisible",
        {"nnodes": 3, "tensor_parallel_size": 8},
        {"nnodes": 2, "tensor_parallel_size": 8},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "node_rank_out_of_range",
        {"nnodes": 2, "node_rank": 2, "tensor_parallel_size": 8},
        {"nnodes": 2, "node_rank": 1, "tensor_parallel_size": 8},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "numa_without_binding",
        {"numa_bind_nodes": [0]},
        {"numa_bind_nodes": [0], "numa_bind": True},
        "0.19.1 silent, 0.20.0 error, 0.33.0 error",
    ),
    Example(
        "numa_cpus_malformed",
        {"numa_bind_cpus": ["3-0"], "numa_bind": True},
        {"numa_bind_cpus": ["0-3,8"], "numa_bind": True},
        "0.19.1 silent, 0.20.0 error",
    ),
    Example(
        "numa_cpus_malformed",
        {"numa_bind_nodes": [-1], "numa_bind": True},
        {"numa_bind_nodes": [0], "numa_bind": True},
        "0.20.0 error, 0.33.0 error",
    ),
    Example(
        "context_parallel_not_dividing",
        {"decode_context_parallel_size": 3, "tensor_parallel_size": 8},
        {"decode_context_parallel_size": 2, "tensor_parallel_size": 8},
        "0.10.1 silent, 0.10.2 error, 0.33.0 error",
    ),
    Example(
        "context_parallel_combination",
        {"prefill_context_parallel_size": 2, "tensor_parallel_size": 4, "decode_context_parallel_size": 4},
        {"prefill_context_parallel_size": 2, "tensor_parallel_size": 4, "decode_context_parallel_size": 8},
        "0.25.1 silent, 0.26.0 error, 0.33.0 error",
    ),
    Example(
        "prefill_context_parallel_unsupported",
        {"prefill_context_parallel_size": 2},
        {"prefill_context_parallel_size": 1},
        "0.11.2 silent, 0.12.0 error, 0.13.0 silent",
    ),
    Example(
        "prefill_context_parallel_with_data_parallel",
        {"prefill_context_parallel_size": 2, "data_parallel_size": 2},
        {"prefill_context_parallel_size": 2},
        "0.25.1 silent, 0.26.0 error, 0.29.0 error, 0.30.0 silent",
    ),
    Example(
        "prefill_context_parallel_needs_v2",
        {"prefill_context_parallel_size": 2},
        {"prefill_context_parallel_size": 2},
        "0.26.0 silent, 0.27.0 error, 0.33.0 error",
        env={"VLLM_USE_V2_MODEL_RUNNER": "0"},
        silent_env={},
    ),
    Example(
        "prefill_context_parallel_needs_mla",
        {"prefill_context_parallel_size": 2},
        {"prefill_context_parallel_size": 2},
        "0.26.0 silent, 0.27.0 error, 0.28.0 error, 0.29.0 silent",
        model=LLAMA,
        silent_model=DEEPSEEK,
    ),
    Example(
        "context_backend_without_context_parallel",
        {"dcp_comm_backend": "a2a"},
        {"dcp_comm_backend": "a2a", "decode_context_parallel_size": 2, "tensor_parallel_size": 2},
        "0.17.1 silent, 0.18.0 error, 0.28.0 error, 0.29.0 silent",
    ),
    Example(
        "context_parallel_heads",
        {"decode_context_parallel_size": 2, "tensor_parallel_size": 2},
        {"decode_context_parallel_size": 2, "tensor_parallel_size": 8},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
        model=LLAMA,
    ),
    Example(
        "context_parallel_heads",
        {"decode_context_parallel_size": 2, "tensor_parallel_size": 2},
        {"decode_context_parallel_size": 2, "tensor_parallel_size": 2},
        "0.11.0 silent, 0.11.1 error",
        model=LLAMA,
        silent_model=DEEPSEEK,
    ),
)
_DATA = (
    Example(
        "local_replicas_above_all",
        {"data_parallel_size": 4, "data_parallel_size_local": 8},
        {"data_parallel_size": 8, "data_parallel_size_local": 8},
        ALL,
    ),
    Example(
        "replica_rank_out_of_range",
        {"data_parallel_size": 2, "data_parallel_rank": 5},
        {"data_parallel_size": 2, "data_parallel_rank": 1},
        ALL,
    ),
    Example(
        "external_balancing_of_one",
        {"data_parallel_rank": 0},
        {"data_parallel_rank": 0, "data_parallel_size": 2},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "external_balancing_without_rank",
        {"data_parallel_external_lb": True, "data_parallel_size": 2},
        {"data_parallel_external_lb": True, "data_parallel_size": 2, "nnodes": 2},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "external_balancing_of_dense_model",
        {"data_parallel_size": 2, "data_parallel_rank": 0},
        {"data_parallel_size": 2, "data_parallel_rank": 0},
        "0.20.2 silent, 0.21.0 error, 0.33.0 error",
        model=LLAMA,
        silent_model=MIXTRAL,
    ),
    Example(
        "external_balancing_with_local_replicas",
        {"data_parallel_size": 2, "data_parallel_rank": 0, "data_parallel_size_local": 2},
        {"data_parallel_size": 2, "data_parallel_rank": 0, "data_parallel_size_local": 1},
        ALL,
    ),
    Example(
        "hybrid_balancing_without_local_replicas",
        {"data_parallel_size": 2, "data_parallel_hybrid_lb": True},
        {"data_parallel_size": 2, "data_parallel_hybrid_lb": True, "data_parallel_size_local": 1},
        ALL,
    ),
    Example(
        "several_balancing_modes",
        {"data_parallel_hybrid_lb": True, "data_parallel_rank": 0},
        {"data_parallel_rank": 0},
        "0.14.1 silent, 0.15.0 error, 0.33.0 error",
    ),
    Example(
        "several_balancing_modes",
        {"data_parallel_hybrid_lb": True, "data_parallel_external_lb": True},
        {"data_parallel_hybrid_lb": True},
        "0.11.0 silent, 0.11.1 error, 0.14.1 error, 0.15.0 error",
    ),
    Example(
        "headless_with_api_servers",
        {"headless": True, "api_server_count": 2},
        {"headless": True, "api_server_count": 0},
        "0.14.1 warning, 0.15.0 error, 0.33.0 error",
    ),
    Example(
        "headless_with_hybrid_balancing",
        {"headless": True, "data_parallel_hybrid_lb": True},
        {"data_parallel_hybrid_lb": True},
        ALL,
    ),
    Example(
        "fault_tolerance_without_external_balancing",
        {"enable_fault_tolerance": True},
        {"enable_fault_tolerance": True, "data_parallel_rank": 0},
        "0.26.0 silent, 0.27.0 error, 0.33.0 error",
    ),
    Example(
        "fault_tolerance_with_api_servers",
        {"enable_fault_tolerance": True, "api_server_count": 2},
        {"enable_fault_tolerance": True, "api_server_count": 1},
        "0.26.0 silent, 0.27.0 error",
    ),
    Example(
        "runtime_adapters_with_api_servers",
        {"api_server_count": 2},
        {"api_server_count": 1},
        ALL,
        env={"VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1"},
    ),
    Example(
        "multi_port_balancing",
        {"data_parallel_multi_port_external_lb": True, "data_parallel_size": 4},
        {
            "data_parallel_multi_port_external_lb": True,
            "data_parallel_size": 4,
            "data_parallel_size_local": 2,
        },
        "0.21.0 silent, 0.22.0 error, 0.33.0 error",
    ),
    Example(
        "multi_port_balancing",
        {
            "data_parallel_multi_port_external_lb": True,
            "data_parallel_size": 4,
            "data_parallel_size_local": 2,
            "ssl_keyfile": "/k",
        },
        {
            "data_parallel_multi_port_external_lb": True,
            "data_parallel_size": 4,
            "data_parallel_size_local": 2,
            "ssl_keyfile": "/k",
            "ssl_certfile": "/c",
        },
        "0.22.0 error, 0.33.0 error",
    ),
)

SPREAD = (*_BOUNDS, *_LENGTH, *_PARALLEL, *_DATA)
