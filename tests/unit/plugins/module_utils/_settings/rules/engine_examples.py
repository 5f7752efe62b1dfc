"""Examples of rules about experts, memory, quantization, attention and speculation."""

from __future__ import annotations

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._settings.rules.examples import (
    CONFIGS,
    H100,
    Example,
)

ALL = "0.10.0 error, 0.33.0 error"

LLAMA, MIXTRAL, DEEPSEEK = "llama", "mixtral", "deepseek"
T4 = Gpu("Tesla T4", "7.5", 15360)
V100 = Gpu("Tesla V100", "7.0", 16384)
BLACKWELL = Gpu("NVIDIA B200", "10.0", 183359)
HYBRID = {
    "architectures": ["Qwen3NextForCausalLM"],
    "model_type": "qwen3_next",
    "layer_types": ["linear_attention", "full_attention"],
}
DEEPSEEK_V4 = {"architectures": ["DeepseekV4ForCausalLM"], "model_type": "deepseek_v4", "n_routed_experts": 8}
FP32 = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "dtype": "float32"}
GLM = {
    "architectures": ["Glm4MoeForCausalLM"],
    "model_type": "glm4_moe",
    "num_nextn_predict_layers": 2,
    "n_routed_experts": 8,
}
DFLASH2 = {"architectures": ["DFlash2DraftModel"], "model_type": "qwen3"}


def _spec(**keys: object) -> dict[str, object]:
    return {"speculative_config": keys}


NGRAM = _spec(method="ngram", num_speculative_tokens=3)
_EXPERTS = (
    Example(
        "experts_of_dense_model",
        {"enable_expert_parallel": True},
        {"enable_expert_parallel": True},
        ALL,
        model=LLAMA,
        silent_model=MIXTRAL,
    ),
    Example(
        "balancer_without_expert_parallel",
        {"enable_eplb": True, "tensor_parallel_size": 2},
        {"enable_eplb": True, "enable_expert_parallel": True, "tensor_parallel_size": 2},
        ALL,
    ),
    Example(
        "balancer_on_one_gpu",
        {"enable_eplb": True, "enable_expert_parallel": True},
        {"enable_eplb": True, "enable_expert_parallel": True, "tensor_parallel_size": 2},
        ALL,
    ),
    Example(
        "balancer_on_one_gpu",
        {"enable_eplb": True, "enable_expert_parallel": True, "prefill_context_parallel_size": 2},
        {"enable_eplb": True, "tensor_parallel_size": 2},
        "0.25.1 error, 0.26.0 silent",
    ),
    Example(
        "redundant_experts_without_balancer",
        {"eplb_config": {"num_redundant_experts": 2}},
        {"eplb_config": {"num_redundant_experts": 0}},
        "0.10.1 silent, 0.10.2 error, 0.33.0 error",
    ),
    Example(
        "redundant_experts_without_balancer",
        {"num_redundant_experts": 2},
        {"num_redundant_experts": 2, "enable_eplb": True},
        "0.10.0 error, 0.10.1 error, 0.10.2 silent",
    ),
    Example(
        "microbatching_backend",
        {"enable_dbo": True},
        {"enable_dbo": True, "all2all_backend": "deepep_low_latency"},
        "0.10.2 silent, 0.11.0 error, 0.33.0 error",
    ),
    Example(
        "microbatching_backend",
        {"enable_dbo": True, "all2all_backend": "nixl_ep"},
        {"all2all_backend": "nixl_ep"},
        "0.23.0 error, 0.24.0 silent",
    ),
    Example(
        "microbatching_thresholds",
        {"ubatch_size": 64, "all2all_backend": "deepep_low_latency"},
        {"ubatch_size": 2, "all2all_backend": "deepep_low_latency"},
        "0.29.0 silent, 0.30.0 error",
    ),
    Example(
        "elastic_without_balancer",
        {"enable_elastic_ep": True},
        {"enable_elastic_ep": True, "enable_eplb": True},
        "0.16.0 silent, 0.17.0 error, 0.33.0 error",
    ),
    Example(
        "elastic_with_pipeline",
        {"enable_elastic_ep": True, "pipeline_parallel_size": 2},
        {"enable_elastic_ep": True},
        "0.16.0 silent, 0.17.0 error",
    ),
    Example(
        "elastic_with_balancing",
        {"enable_elastic_ep": True, "data_parallel_external_lb": True},
        {"enable_elastic_ep": True},
        "0.16.0 silent, 0.17.0 error, 0.32.0 error, 0.33.0 silent",
    ),
    Example(
        "elastic_with_balancing",
        {"enable_elastic_ep": True, "data_parallel_hybrid_lb": True},
        {"data_parallel_hybrid_lb": True},
        "0.17.0 error, 0.33.0 error",
    ),
    Example(
        "elastic_size_below_start",
        {"enable_elastic_ep": True, "elastic_ep_max_dp_size": 2, "data_parallel_size": 4},
        {"enable_elastic_ep": True, "elastic_ep_max_dp_size": 4, "data_parallel_size": 4},
        "0.29.0 silent, 0.30.0 error",
    ),
    Example(
        "passing_backend_with_all2all",
        {"moe_backend": "flashinfer_moe_ep_cutedsl", "all2all_backend": "deepep_v2"},
        {"moe_backend": "flashinfer_moe_ep_cutedsl"},
        "0.31.0 silent, 0.32.0 error",
    ),
    Example(
        "passing_backend_of_other_model",
        {"moe_backend": "flashinfer_moe_ep_mega_deep_gemm"},
        {"moe_backend": "flashinfer_moe_ep_mega_deep_gemm"},
        "0.28.0 silent, 0.29.0 error",
        model=MIXTRAL,
        silent_model=DEEPSEEK_V4,
    ),
    Example(
        "adapters_on_mega_backend",
        {"enable_lora": True, "moe_backend": "deep_gemm_mega_moe"},
        {"moe_backend": "deep_gemm_mega_moe"},
        "0.32.0 silent, 0.33.0 error",
    ),
    Example(
        "moonep_conditions",
        {"all2all_backend": "moonep", "enable_eplb": True},
        {"all2all_backend": "moonep"},
        "0.30.0 silent, 0.31.0 error",
        model=MIXTRAL,
    ),
)
_MEMORY = (
    Example(
        "offload_group_too_small",
        {"offload_backend": "prefetch"},
        {"offload_backend": "prefetch", "offload_group_size": 2},
        "0.16.0 silent, 0.17.0 error, 0.33.0 error",
    ),
    Example(
        "offload_step_too_small",
        {"offload_group_size": 2, "offload_prefetch_step": 0},
        {"offload_group_size": 2},
        "0.16.0 silent, 0.17.0 error",
    ),
    Example(
        "offloading_backend_without_size",
        {"kv_offloading_backend": "lmcache"},
        {"kv_offloading_backend": "lmcache", "kv_offloading_size": 4.0},
        "0.11.0 silent, 0.11.1 error, 0.13.0 error, 0.14.0 silent",
    ),
    Example(
        "cache_type_with_latent_attention",
        {"kv_cache_dtype": "nvfp4"},
        {"kv_cache_dtype": "fp8"},
        "0.20.2 silent, 0.21.0 error, 0.33.0 error",
        model=DEEPSEEK,
    ),
    Example(
        "cache_type_with_latent_attention",
        {"kv_cache_dtype": "nvfp4_ds_mla"},
        {"kv_cache_dtype": "fp8"},
        "0.29.0 error, 0.30.0 silent",
        model=DEEPSEEK,
    ),
    Example(
        "cache_type_with_state_layers",
        {"kv_cache_dtype": "turboquant_k8v4"},
        {"kv_cache_dtype": "turboquant_k8v4"},
        "0.19.1 silent, 0.20.0 error, 0.20.2 error, 0.21.0 silent",
        model=HYBRID,
        silent_model=LLAMA,
    ),
    Example(
        "cache_type_differs_from_model",
        {"kv_cache_dtype": "float16"},
        {"kv_cache_dtype": "bfloat16"},
        "0.32.0 silent, 0.33.0 error",
        model=LLAMA,
    ),
    Example(
        "cache_type_differs_from_model",
        {"kv_cache_dtype": "bfloat16", "dtype": "half"},
        {"kv_cache_dtype": "bfloat16"},
        "0.32.0 silent, 0.33.0 error",
        model=FP32,
    ),
    Example(
        "bfloat16_on_old_gpu",
        {"dtype": "bfloat16"},
        {"dtype": "bfloat16"},
        "0.10.1 silent, 0.10.2 error, 0.33.0 error",
        gpus=(T4,),
        silent_gpus=(H100,),
    ),
    Example(
        "unknown_cache_type",
        {"kv_cache_dtype": "q8_0"},
        {"kv_cache_dtype": "octave_k3v4"},
        "0.32.0 silent, 0.33.0 error",
    ),
    Example(
        "cache_type_not_for_gpu",
        {"kv_cache_dtype": "nvfp4"},
        {"kv_cache_dtype": "nvfp4"},
        "0.19.1 silent, 0.20.0 warning, 0.32.0 warning, 0.33.0 silent",
        gpus=(H100,),
        silent_gpus=(BLACKWELL,),
    ),
    Example(
        "cache_type_without_backend",
        {"kv_cache_dtype": "nvfp4"},
        {"kv_cache_dtype": "fp8"},
        "0.19.1 silent, 0.20.0 warning, 0.20.2 warning, 0.21.0 silent",
    ),
)
_QUANTIZATION = (
    Example("unknown_quantization", {"quantization": "bogus"}, {"quantization": "FP8"}, ALL),
    Example(
        "unknown_quantization",
        {},
        {},
        "0.14.1 silent, 0.15.0 error, 0.33.0 error",
        model={**CONFIGS["llama"], "quantization_config": {"quant_method": "hqq"}},
        silent_model="llama-gptq",
    ),
    Example(
        "unknown_quantization",
        {"quantization": "bitsandbytes"},
        {"quantization": "awq"},
        "0.27.1 silent, 0.28.0 error",
    ),
    Example(
        "unknown_quantization",
        {"quantization": "gguf"},
        {"quantization": "awq"},
        "0.23.0 silent, 0.24.0 error",
    ),
    Example(
        "unknown_quantization",
        {"quantization": "nvfp4_per_token"},
        {"quantization": "fp8"},
        "0.25.1 error, 0.26.0 silent",
    ),
    Example(
        "unknown_quantization",
        {"quantization": "auto_round"},
        {"quantization": "inc"},
        "0.10.0 warning, 0.33.0 warning",
    ),
    Example(
        "unknown_quantization",
        {"quantization": "bogus"},
        {"quantization": "modelopt_fp4"},
        "0.10.0 warning, 0.33.0 warning",
        model="llama-nvfp4",
    ),
    Example(
        "deprecated_quantization",
        {"quantization": "fp_quant"},
        {"quantization": "fp_quant", "allow_deprecated_quantization": True},
        "0.13.0 silent, 0.14.0 error, 0.33.0 error",
    ),
    Example(
        "deprecated_quantization",
        {"quantization": "fbgemm_fp8"},
        {"quantization": "fbgemm_fp8"},
        "0.13.0 silent, 0.14.0 error",
        silent_model="gptoss",
    ),
    Example(
        "quantization_of_plain_checkpoint",
        {"quantization": "torchao"},
        {"quantization": "torchao", "hf_overrides": {"quantization_config_file": "/x.json"}},
        "0.11.2 error, 0.33.0 error",
        model="llama",
    ),
    Example(
        "quantization_of_plain_checkpoint",
        {"quantization": "online"},
        {"quantization": "online", "quantization_config": {"linear": "fp8_per_tensor"}},
        "0.19.1 silent, 0.20.0 error, 0.33.0 error",
        model="llama",
    ),
    Example(
        "quantization_of_plain_checkpoint",
        {"quantization": "online"},
        {"quantization": "online"},
        "0.20.0 error",
        model="llama",
        silent_model="llama-nvfp4",
    ),
    Example(
        "quantization_differs_from_checkpoint",
        {"quantization": "fp8_per_block"},
        {"quantization": "auto_gptq"},
        "0.26.0 error, 0.33.0 error",
        model="llama-gptq",
    ),
    Example(
        "quantization_differs_from_checkpoint",
        {"quantization": "gptq"},
        {"quantization": "gptq"},
        "0.20.2 error, 0.33.0 error",
        model="llama-mxfp4",
        silent_model="gptoss",
    ),
    Example(
        "deprecated_quantization",
        {"quantization": "experts_int8"},
        {"quantization": "fp8"},
        "0.13.0 silent, 0.14.0 error, 0.19.1 error, 0.20.0 silent",
    ),
    Example(
        "quantization_differs_from_checkpoint",
        {"quantization": "awq"},
        {"quantization": "gptq_marlin"},
        ALL,
        model="llama-gptq",
    ),
    Example(
        "quantization_differs_from_checkpoint",
        {"quantization": "awq"},
        {"quantization": "awq"},
        ALL,
        model="llama-fp8",
        silent_model="llama-nvfp4",
    ),
    Example(
        "quantization_of_plain_checkpoint", {"quantization": "awq"}, {"quantization": "fp8"}, ALL, model=LLAMA
    ),
    Example(
        "quantization_of_plain_checkpoint",
        {"quantization": "gptq"},
        {"quantization": "gptq"},
        ALL,
        model=LLAMA,
        silent_model="llama-gptq",
    ),
    Example(
        "quantization_not_for_gpu",
        {"quantization": "fp8"},
        {"quantization": "fp8"},
        "0.13.0 error, 0.14.0 silent",
        gpus=(T4,),
        silent_gpus=(H100,),
    ),
    Example(
        "quantization_not_for_gpu",
        {"quantization": "awq"},
        {"quantization": "awq"},
        ALL,
        gpus=(V100,),
        silent_gpus=(T4,),
    ),
    Example(
        "quantization_not_for_gpu",
        {"quantization": "mxfp8"},
        {"quantization": "mxfp8"},
        "0.19.1 error, 0.20.0 silent",
        gpus=(H100,),
        silent_gpus=(BLACKWELL,),
    ),
    Example(
        "quantization_not_for_gpu",
        {"quantization": "mxfp4"},
        {"quantization": "mxfp4"},
        "0.27.1 error, 0.28.0 silent, 0.33.0 silent",
        model="llama",
        gpus=(T4,),
        silent_gpus=(H100,),
    ),
    Example(
        "checkpoint_not_for_gpu",
        {"max_num_seqs": 8},
        {"max_num_seqs": 8},
        ALL,
        model="llama-awq",
        gpus=(V100,),
        silent_gpus=(T4,),
    ),
    Example("quantization_in_float32", {"dtype": "float32"}, {"dtype": "half"}, ALL, model="llama-awq"),
    Example(
        "dtype_not_for_family",
        {"dtype": "half"},
        {"dtype": "bfloat16"},
        ALL,
        model={"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2"},
    ),
)
_ATTENTION = (
    Example(
        "unknown_attention_backend",
        {"attention_backend": "bogus"},
        {"attention_backend": "flash_attn"},
        "0.12.0 silent, 0.13.0 error, 0.33.0 error",
    ),
    Example(
        "attention_backend_not_for_gpu",
        {"attention_backend": "FLASHMLA"},
        {"attention_backend": "FLASHMLA"},
        "0.12.0 silent, 0.13.0 warning, 0.33.0 warning",
        gpus=(T4,),
        silent_gpus=(H100,),
    ),
    Example(
        "attention_backend_not_for_gpu",
        {"attention_config": {"backend": "flash_attn"}},
        {"attention_config": {"backend": "triton_attn"}},
        "0.12.0 silent, 0.13.0 warning",
        gpus=(T4,),
    ),
    Example(
        "attention_backend_twice",
        {"attention_backend": "FLASH_ATTN", "attention_config": {"backend": "FLASHINFER"}},
        {"attention_backend": "FLASH_ATTN"},
        "0.12.0 silent, 0.13.0 error",
    ),
    Example(
        "autotune_twice",
        {"enable_flashinfer_autotune": True, "kernel_config": {"enable_flashinfer_autotune": True}},
        {"enable_flashinfer_autotune": True},
        "0.15.1 silent, 0.16.0 error",
    ),
    Example(
        "capture_sizes_twice",
        {"cudagraph_capture_sizes": [1, 2], "compilation_config": {"cudagraph_capture_sizes": [1, 2]}},
        {"cudagraph_capture_sizes": [1, 2]},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "largest_capture_size_twice",
        {"max_cudagraph_capture_size": 8, "compilation_config": {"max_cudagraph_capture_size": 8}},
        {"max_cudagraph_capture_size": 8},
        "0.11.0 silent, 0.11.1 error",
    ),
    Example(
        "capture_sizes_disagree",
        {"max_cudagraph_capture_size": 8, "cudagraph_capture_sizes": [1, 2, 16]},
        {"max_cudagraph_capture_size": 16, "cudagraph_capture_sizes": [1, 2, 16]},
        "0.11.0 silent, 0.11.1 error, 0.33.0 error",
    ),
    Example(
        "capture_sizes_disagree",
        {"max_cudagraph_capture_size": 8, "cudagraph_capture_sizes": [1, 2, 16]},
        {"max_cudagraph_capture_size": 8, "cudagraph_capture_sizes": [1, 2, 16], "enforce_eager": True},
        "0.11.1 error, 0.33.0 error",
    ),
    Example(
        "capture_size_not_positive",
        {"max_cudagraph_capture_size": 0},
        {"max_cudagraph_capture_size": 0, "enforce_eager": True},
        "0.11.0 silent, 0.11.1 error",
    ),
    Example(
        "piecewise_graphs_without_compilation",
        {"compilation_config": {"cudagraph_mode": "PIECEWISE", "mode": 0}},
        {"compilation_config": {"mode": 0}},
        "0.11.0 silent, 0.11.1 error, 0.11.2 error, 0.12.0 silent",
    ),
)
EAGLE3 = {"method": "eagle3", "model": "org/draft", "num_speculative_tokens": 3}
_SPECULATION = (
    Example("invalid_speculative_config", _spec(method="bogus", num_speculative_tokens=3), NGRAM, ALL),
    Example(
        "invalid_speculative_config",
        _spec(method="dflash", model="d", num_speculative_tokens=8),
        NGRAM,
        "0.19.1 error, 0.20.0 silent",
    ),
    Example(
        "invalid_speculative_config",
        _spec(method="ngram", num_speculative_tokens=3, bogus=1),
        NGRAM,
        "0.15.1 silent, 0.16.0 error",
    ),
    Example(
        "invalid_speculative_config",
        {"speculative_config": {"method": "ngram", "num-speculative-tokens": 3}},
        NGRAM,
        "0.16.0 error, 0.25.1 error, 0.26.0 silent",
    ),
    Example(
        "invalid_speculative_config",
        _spec(method="medusa", model="m", num_speculative_tokens=3),
        NGRAM,
        "0.32.0 silent, 0.33.0 error",
    ),
    Example(
        "speculative_key_ignored",
        _spec(method="ngram", num_speculative_tokens=3, bogus=1),
        NGRAM,
        "0.10.0 warning, 0.15.1 warning, 0.16.0 silent",
    ),
    Example(
        "speculative_setting_twice",
        {"spec_method": "ngram", **NGRAM},
        {"spec_method": "ngram", "spec_tokens": 3},
        "0.21.0 silent, 0.22.0 error, 0.33.0 error",
    ),
    Example("draft_tokens_missing", _spec(), NGRAM, ALL),
    Example("draft_tokens_missing", _spec(method="ngram"), NGRAM, ALL),
    Example(
        "draft_tokens_missing", _spec(method="eagle3", model="org/draft"), {"speculative_config": EAGLE3}, ALL
    ),
    Example("draft_tokens_not_positive", _spec(method="ngram", num_speculative_tokens=0), NGRAM, ALL),
    Example(
        "draft_model_missing",
        _spec(method="eagle3", num_speculative_tokens=3),
        {"speculative_config": EAGLE3},
        "0.10.2 silent, 0.11.0 error, 0.33.0 error",
    ),
    Example(
        "draft_model_missing",
        {"spec_tokens": 8},
        {"spec_tokens": 8, "spec_model": "org/dflash"},
        "0.22.0 error, 0.33.0 error",
    ),
    Example(
        "draft_model_missing",
        _spec(method="custom_class", num_speculative_tokens=3),
        _spec(method="custom_class", num_speculative_tokens=3, model="my.Proposer"),
        "0.21.0 silent, 0.22.0 error",
    ),
    Example(
        "lookup_bounds_crossed",
        _spec(method="ngram", num_speculative_tokens=3, prompt_lookup_min=6, prompt_lookup_max=2),
        _spec(method="ngram", num_speculative_tokens=3, prompt_lookup_min=6),
        ALL,
    ),
    Example(
        "suffix_numbers",
        _spec(method="suffix", num_speculative_tokens=3, suffix_decoding_min_token_prob=2),
        _spec(method="suffix", num_speculative_tokens=3),
        "0.11.0 silent, 0.11.1 error",
    ),
    Example(
        "suffix_needs_package",
        _spec(method="suffix", num_speculative_tokens=3),
        NGRAM,
        "0.11.0 silent, 0.11.1 warning, 0.33.0 warning",
    ),
    Example(
        "draft_model_unsupported",
        _spec(method="draft_model", model="org/small", num_speculative_tokens=3),
        NGRAM,
        "0.10.0 error, 0.11.0 error, 0.14.1 error, 0.15.0 silent",
    ),
    Example(
        "draft_method_unnamed",
        _spec(model="org/small", num_speculative_tokens=3),
        _spec(method="draft_model", model="org/small", num_speculative_tokens=3),
        "0.14.1 silent, 0.15.0 error, 0.16.0 error, 0.17.0 silent",
        draft=LLAMA,
    ),
    Example(
        "own_layers_missing",
        _spec(method="mtp", num_speculative_tokens=1),
        _spec(method="mtp", num_speculative_tokens=1),
        "0.10.2 silent, 0.11.0 error, 0.33.0 error",
        model=LLAMA,
        silent_model=DEEPSEEK,
    ),
    Example(
        "draft_tokens_not_multiple",
        _spec(method="mtp", num_speculative_tokens=3),
        _spec(method="mtp", num_speculative_tokens=4),
        "0.10.0 silent, 0.11.0 error, 0.33.0 error",
        model=GLM,
    ),
    Example(
        "draft_vocabulary_differs",
        _spec(method="draft_model", model="org/small", num_speculative_tokens=3),
        _spec(method="draft_model", model="org/small", num_speculative_tokens=3),
        "0.14.1 silent, 0.15.0 error, 0.33.0 error",
        model=LLAMA,
        draft="llama-vocab2",
        silent_draft=LLAMA,
    ),
    Example(
        "draft_with_pipeline",
        {"pipeline_parallel_size": 2, "speculative_config": EAGLE3},
        {"speculative_config": EAGLE3},
        "0.10.0 error, 0.29.0 error, 0.30.0 silent",
    ),
    Example(
        "draft_parallel_size",
        {"tensor_parallel_size": 4, "speculative_config": {**EAGLE3, "draft_tensor_parallel_size": 2}},
        {"tensor_parallel_size": 4, "speculative_config": {**EAGLE3, "draft_tensor_parallel_size": 4}},
        ALL,
    ),
    Example(
        "draft_parallel_key",
        _spec(method="ngram", num_speculative_tokens=3, tensor_parallel_size=1),
        NGRAM,
        "0.14.1 silent, 0.15.0 error, 0.33.0 error",
    ),
    Example(
        "draft_architecture_too_new",
        _spec(method="dflash", model="org/d", num_speculative_tokens=8),
        _spec(method="dflash", model="org/d", num_speculative_tokens=8),
        "0.20.0 error, 0.27.1 error, 0.28.0 silent",
        draft=DFLASH2,
        silent_draft="qwen3-dflash",
    ),
    Example(
        "mixed_vocabularies_method",
        {"speculative_config": {**EAGLE3, "use_heterogeneous_vocab": True}},
        {"speculative_config": EAGLE3},
        "0.24.0 silent, 0.25.0 error",
    ),
    Example(
        "mixed_vocabularies_sampling",
        _spec(
            method="draft_model",
            model="d",
            num_speculative_tokens=3,
            use_heterogeneous_vocab=True,
            draft_sample_method="probabilistic",
        ),
        _spec(method="draft_model", model="d", num_speculative_tokens=3, use_heterogeneous_vocab=True),
        "0.24.0 silent, 0.25.0 error",
    ),
    Example(
        "synthetic_rates_unused",
        {"speculative_config": {**EAGLE3, "synthetic_acceptance_length": 2}},
        {"speculative_config": EAGLE3},
        "0.19.1 silent, 0.20.0 error",
    ),
    Example(
        "synthetic_rates_missing",
        {"speculative_config": {**EAGLE3, "rejection_sample_method": "synthetic"}},
        {
            "speculative_config": {
                **EAGLE3,
                "rejection_sample_method": "synthetic",
                "synthetic_acceptance_length": 2,
            }
        },
        "0.19.1 silent, 0.20.0 error",
    ),
    Example(
        "fly_needs_two_tokens",
        {"speculative_config": {**EAGLE3, "num_speculative_tokens": 1, "rejection_sample_method": "fly"}},
        {"speculative_config": {**EAGLE3, "rejection_sample_method": "fly"}},
        "0.32.0 silent, 0.33.0 error",
    ),
    Example(
        "topk_of_other_method",
        {"speculative_config": {**EAGLE3, "dspark_draft_topk": 4}},
        {"speculative_config": EAGLE3},
        "0.27.1 silent, 0.28.0 error",
    ),
    Example(
        "adaptive_verification_method",
        {"speculative_config": {**EAGLE3, "enable_adaptive_verification": True}},
        {"speculative_config": EAGLE3},
        "0.27.1 silent, 0.28.0 error, 0.29.0 error, 0.30.0 silent",
    ),
)
PROBABILISTIC = {**EAGLE3, "draft_sample_method": "probabilistic"}
_SCHEDULING = (
    Example(
        "async_scheduling_with_speculation",
        {"async_scheduling": True, "speculative_config": EAGLE3},
        {"async_scheduling": True},
        "0.10.0 error, 0.11.0 error, 0.11.1 silent",
    ),
    Example(
        "async_scheduling_with_speculation",
        {"async_scheduling": True, **NGRAM},
        NGRAM,
        "0.11.0 error, 0.11.1 error, 0.32.0 error, 0.33.0 silent",
    ),
    Example(
        "async_scheduling_with_speculation",
        {
            "async_scheduling": True,
            "speculative_config": {"method": "ngram_gpu", "num_speculative_tokens": 3},
        },
        {"async_scheduling": True, "speculative_config": EAGLE3},
        "0.17.1 error, 0.18.0 silent",
    ),
    Example(
        "async_scheduling_with_unpadded_drafts",
        {"async_scheduling": True, "speculative_config": {**EAGLE3, "disable_padded_drafter_batch": True}},
        {"async_scheduling": True, "speculative_config": EAGLE3},
        "0.11.0 silent, 0.11.1 error, 0.32.0 error, 0.33.0 silent",
    ),
    Example(
        "async_scheduling_with_pipeline",
        {"async_scheduling": True, "pipeline_parallel_size": 2},
        {"async_scheduling": True},
        "0.10.0 error, 0.14.1 error, 0.15.0 silent",
    ),
    Example(
        "async_scheduling_executor",
        {"async_scheduling": True, "distributed_executor_backend": "ray"},
        {"async_scheduling": True, "distributed_executor_backend": "mp"},
        "0.11.0 silent, 0.11.1 error, 0.18.1 error, 0.19.0 silent",
    ),
    Example(
        "adapters_and_drafts_overfill_step",
        {
            "enable_lora": True,
            "max_num_batched_tokens": 128,
            "max_num_seqs": 64,
            "speculative_config": EAGLE3,
        },
        {
            "enable_lora": True,
            "max_num_batched_tokens": 256,
            "max_num_seqs": 64,
            "speculative_config": EAGLE3,
        },
        "0.11.0 silent, 0.11.1 error",
    ),
    Example(
        "fast_prefill_with_drafts",
        {"kv_sharing_fast_prefill": True, "speculative_config": EAGLE3},
        {"kv_sharing_fast_prefill": True},
        "0.10.1 silent, 0.10.2 error",
    ),
    Example(
        "draft_metrics_without_drafts",
        {"per_request_spec_decode_metrics": "summary"},
        {"per_request_spec_decode_metrics": "summary", **NGRAM},
        "0.28.0 silent, 0.29.0 error",
    ),
    Example(
        "watermark_with_drafts",
        {"watermark_config": {"key": 1}, "speculative_config": EAGLE3},
        {"watermark_config": {"key": 1}, "speculative_config": PROBABILISTIC},
        "0.29.0 silent, 0.30.0 error",
    ),
    Example(
        "watermark_with_method",
        {"watermark_config": {"key": 1}, **NGRAM},
        {"watermark_config": {"key": 1}, "speculative_config": PROBABILISTIC},
        "0.29.0 silent, 0.30.0 error",
    ),
    Example(
        "watermark_with_method",
        {"watermark_config": {"key": 1}, "speculative_config": {**PROBABILISTIC, "method": "dflash"}},
        {"watermark_config": {"key": 1}},
        "0.32.0 error, 0.33.0 silent",
    ),
)

ENGINE = (*_EXPERTS, *_MEMORY, *_QUANTIZATION, *_ATTENTION, *_SPECULATION, *_SCHEDULING)
