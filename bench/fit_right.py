"""Which of our codes say what a public report of a failure is about. Data of fit_score.py."""

from __future__ import annotations

# By the failure class of the report.
RIGHT: dict[str, set[str]] = {
    "kv_cache_too_small_for_max_model_len": {"kv_cache_too_small_for_max_model_len", "no_memory_for_kv_cache"},
    "no_memory_for_kv_cache": {"no_memory_for_kv_cache", "kv_cache_too_small_for_max_model_len"},
    "hybrid_mamba_blocks": {"hybrid_mamba_blocks", "step_smaller_than_mamba_block", "advice_hybrid_sequences"},
    "free_memory_below_utilization": {"free_memory_below_utilization"},
    "oom_warmup_or_graph_capture": {"no_memory_for_kv_cache", "kv_cache_too_small_for_max_model_len"},
    "driver_older_than_image_cuda": {"driver_older_than_image_cuda", "image_cuda_newer_than_driver"},
    "kv_dtype_not_supported_for_model": {"kv_dtype_not_supported_for_model", "cache_type_with_state_layers"},
    "kv_dtype_conflicts_with_checkpoint": {"kv_dtype_conflicts_with_checkpoint"},
    "parallel_size_not_divisible": {
        *("heads_not_divisible", "experts_not_divisible", "kv_heads_not_divisible", "fp8_block_not_divisible"),
        *("marlin_tile_not_divisible", "awq_group_not_divisible"),
    },
    "removed_or_unknown_argument": {"unknown_option", "no_model"},
    "max_model_len_above_model": {"context_longer_than_model", "context_forced_beyond_model"},
    "quantization_mismatch": {"quantization_differs_from_checkpoint", "quantization_mismatch", "unknown_quantization", "quantization_not_for_model"},
    "mtp_weights": {"mtp_weights"},
    "lora": {"lora"},
    "cpu_offload": {"offload_without_experts"},
    "kernel_not_for_gpu": {"kernel_not_for_gpu"},
    "kernel_limit": {"kernel_limit"},
    "env_invalid": {"env_invalid"},
    "env_ignored": {"variable_without_effect"},
    "model_arch_unsupported": {"model_arch_unsupported"},
    "speculative_config_invalid": {"speculative_config_invalid", "unknown_option"},
    "model_access": {"model_access"},
    "parser_unknown": {"unknown_tool_parser"},
    "attention_backend_invalid_for_config": {
        "attention_backend_invalid_for_config",
        "attention_backend_not_for_gpu",
        "kv_dtype_not_supported_on_gpu",
    },
    "kv_dtype_not_supported_on_gpu": {
        "kv_dtype_not_supported_on_gpu",
        "attention_backend_invalid_for_config",
        "cache_type_not_for_gpu",
    },
    "kv_connector_with_hybrid_model": {"kv_connector_with_hybrid_model"},
    "allocator_env": {"allocator_env", "connector_with_moving_memory"},
    "draft_model_arch_unsupported": {"draft_model_arch_unsupported", "speculative_config_invalid"},
    "pipeline_not_supported": {"pipeline_not_supported", "draft_pipeline_not_supported"},
    "quant_scheme_not_for_gpu": {"quant_scheme_not_for_gpu", "checkpoint_not_for_gpu"},
    "block_size": {"block_size"},
}  # fmt: skip
