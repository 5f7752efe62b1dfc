"""What operators write who come from another server or an old vLLM, and what vLLM calls it. Data only.

Keys are plain: lower case, underscores, no leading dashes.
"""

from __future__ import annotations

import dataclasses
import typing as t


@dataclasses.dataclass(frozen=True)
class Meaning:
    """One confusion: where the word comes from, what to write (settings or values), and what is different."""

    origin: str
    write: tuple[str, ...] = ()
    note: str = ""


_LLAMA = "llama.cpp"
_OLLAMA = "Ollama"
_TGI = "TGI"
_SGLANG = "SGLang"
_LMDEPLOY = "LMDeploy"
_TRTLLM = "TensorRT-LLM"
_OLD = "an older vLLM"
_HEARSAY = "guides that nobody tried"
_USAGE = "common usage"

_NO_LAYERS = (
    "vLLM places whole models: weights that do not fit go to the host with cpu_offload_gb (GiB per GPU)"
)
_PARTIAL = "concurrent partial prefills are gone since 0.27.0"
_GUIDED = "structured output has one JSON option now"
_EPLB = "the load balancer of experts has one JSON option now"


def _from(origin: str, rows: t.Mapping[str, tuple[tuple[str, ...], str]]) -> dict[str, Meaning]:
    return {name: Meaning(origin, write, note) for name, (write, note) in rows.items()}


OPTIONS: dict[str, Meaning] = {
    **_from(
        _LLAMA,
        {
            "n_gpu_layers": (("cpu_offload_gb",), _NO_LAYERS),
            "gpu_layers": (("cpu_offload_gb",), _NO_LAYERS),
            "ngl": (("cpu_offload_gb",), _NO_LAYERS),
            "n_cpu_moe": (
                ("cpu_offload_gb", "cpu_offload_params"),
                "experts go to the host by name: cpu_offload_params: [experts] (since 0.17.0)",
            ),
            "cpu_moe": (
                ("cpu_offload_gb", "cpu_offload_params"),
                "experts go to the host by name: cpu_offload_params: [experts] (since 0.17.0)",
            ),
            "override_tensor": (
                ("cpu_offload_gb", "cpu_offload_params"),
                "vLLM takes parts of parameter names between dots, no regular expressions",
            ),
            "ctx_size": (("max_model_len",), "it is the length of one sequence, not of all together"),
            "n_ctx": (("max_model_len",), "it is the length of one sequence, not of all together"),
            "c": (("max_model_len",), ""),
            "parallel": (("max_num_seqs",), "sequences share the cache, none is divided by their number"),
            "n_parallel": (("max_num_seqs",), "sequences share the cache, none is divided by their number"),
            "batch_size": (("max_num_batched_tokens",), ""),
            "ubatch_size": (
                ("max_num_batched_tokens",),
                "ubatch_size of vLLM is another thing: microbatches",
            ),
            "n_batch": (("max_num_batched_tokens",), ""),
            "cache_type_k": (("kv_cache_dtype",), "one type for keys and values"),
            "cache_type_v": (("kv_cache_dtype",), "one type for keys and values"),
            "ctk": (("kv_cache_dtype",), "one type for keys and values"),
            "ctv": (("kv_cache_dtype",), "one type for keys and values"),
            "flash_attn": (("attention_backend",), "FLASH_ATTN is chosen by itself where it works"),
            "fa": (("attention_backend",), "FLASH_ATTN is chosen by itself where it works"),
            "tensor_split": (("tensor_parallel_size",), "GPUs always carry equal parts"),
            "split_mode": (("tensor_parallel_size", "pipeline_parallel_size"), ""),
            "main_gpu": ((), "choose GPUs by the instance's `gpus`"),
            "model_draft": (
                ("speculative_config",),
                "{method: draft_model, model: …, num_speculative_tokens: n}",
            ),
            "draft_max": (("speculative_config",), "its key num_speculative_tokens"),
            "draft": (("speculative_config",), "its key num_speculative_tokens"),
            "cont_batching": ((), "vLLM always batches continuously"),
            "mlock": ((), "weights live on the GPU"),
            "no_mmap": (("safetensors_load_strategy",), "eager reads whole files (since 0.10.2)"),
            "numa": (("numa_bind",), "since 0.20.0"),
            "jinja": ((), "chat templates are always on"),
            "chat_template_file": (("chat_template",), "it takes a path or the template itself"),
            "alias": (("served_model_name",), ""),
            "embedding": (("runner",), "runner: pooling (since 0.10.1)"),
            "embeddings": (("runner",), "runner: pooling (since 0.10.1)"),
            "reasoning_format": (("reasoning_parser",), ""),
            "reasoning_budget": ((), "it is a parameter of a request"),
            "temp": (("override_generation_config",), "{temperature: …}"),
            "rope_freq_base": (("hf_overrides",), "{rope_theta: …}"),
            "yarn_orig_ctx": (("hf_overrides",), "{rope_scaling: {original_max_position_embeddings: …}}"),
            "hf_repo": ((), "the model is the instance's `model`"),
            "mmproj": ((), "the projector belongs to the model's repository"),
            "threads": ((), "the environment variable OMP_NUM_THREADS"),
            "metrics": ((), "/metrics is always on"),
        },
    ),
    **_from(
        _OLLAMA,
        {
            "num_ctx": (("max_model_len",), ""),
            "num_gpu": (("tensor_parallel_size", "cpu_offload_gb"), "layers are not placed one by one"),
            "num_parallel": (("max_num_seqs",), ""),
            "ollama_num_parallel": (("max_num_seqs",), ""),
            "kv_cache_type": (("kv_cache_dtype",), ""),
            "ollama_kv_cache_type": (("kv_cache_dtype",), ""),
            "num_batch": (("max_num_batched_tokens",), ""),
            "num_predict": (("override_generation_config",), "{max_new_tokens: n}"),
            "keep_alive": ((), "a server keeps its model until it is stopped"),
            "flash_attention": (("attention_backend",), "FLASH_ATTN is chosen by itself where it works"),
        },
    ),
    **_from(
        _TGI,
        {
            "model_id": ((), "the model is the instance's `model`"),
            "num_shard": (("tensor_parallel_size",), ""),
            "sharded": (("tensor_parallel_size",), ""),
            "quantize": (("quantization",), ""),
            "speculate": (("speculative_config",), "{method: ngram, num_speculative_tokens: n}"),
            "max_concurrent_requests": (("max_num_seqs",), ""),
            "max_input_length": (("max_model_len",), "of prompt and answer together"),
            "max_input_tokens": (("max_model_len",), "of prompt and answer together"),
            "max_total_tokens": (("max_model_len",), ""),
            "max_batch_prefill_tokens": (("max_num_batched_tokens",), ""),
            "max_batch_total_tokens": (
                ("max_num_batched_tokens",),
                "cache size follows from the free memory",
            ),
            "max_batch_size": (("max_num_seqs",), ""),
            "cuda_memory_fraction": (("gpu_memory_utilization",), ""),
            "cuda_graphs": (("cudagraph_capture_sizes",), "since 0.11.1"),
            "huggingface_hub_cache": (("download_dir",), ""),
            "hostname": (("host",), ""),
            "json_output": ((), "the environment variable VLLM_LOGGING_CONFIG_PATH"),
            "lora_adapters": (("lora_modules", "enable_lora"), ""),
            "disable_grammar_support": (("structured_outputs_config",), ""),
        },
    ),
    **_from(
        _SGLANG,
        {
            "model_path": ((), "the model is the instance's `model`"),
            "tp": (("tensor_parallel_size",), "the short form is -tp, with one dash"),
            "tp_size": (("tensor_parallel_size",), ""),
            "pp": (("pipeline_parallel_size",), "the short form is -pp, with one dash"),
            "pp_size": (("pipeline_parallel_size",), ""),
            "dp": (("data_parallel_size",), "the short form is -dp, with one dash"),
            "dp_size": (("data_parallel_size",), ""),
            "ep": (("enable_expert_parallel",), "a switch: experts are spread over TP x DP"),
            "ep_size": (("enable_expert_parallel",), "a switch: experts are spread over TP x DP"),
            "context_length": (("max_model_len",), ""),
            "mem_fraction_static": (("gpu_memory_utilization",), "vLLM counts activations and graphs in"),
            "max_running_requests": (("max_num_seqs",), ""),
            "max_total_tokens": (("max_num_batched_tokens",), "cache size follows from the free memory"),
            "max_prefill_tokens": (("max_num_batched_tokens",), ""),
            "chunked_prefill_size": (("max_num_batched_tokens",), ""),
            "disable_radix_cache": (("enable_prefix_caching",), "enable_prefix_caching: false"),
            "disable_cuda_graph": (("enforce_eager",), ""),
            "cuda_graph_max_bs": (("max_cudagraph_capture_size",), "since 0.11.1"),
            "cuda_graph_bs": (("cudagraph_capture_sizes",), "since 0.11.1"),
            "enable_torch_compile": (("compilation_config",), "on by itself"),
            "schedule_policy": (("scheduling_policy",), "fcfs or priority"),
            "grammar_backend": (("structured_outputs_config",), "{backend: …}"),
            "sampling_backend": ((), "chosen by itself"),
            "moe_runner_backend": (("moe_backend",), "since 0.17.0"),
            "speculative_algorithm": (("speculative_config",), "its key method"),
            "speculative_algo": (("speculative_config",), "its key method"),
            "speculative_draft_model_path": (("speculative_config",), "its key model"),
            "speculative_num_draft_tokens": (("speculative_config",), "its key num_speculative_tokens"),
            "speculative_num_steps": (("speculative_config",), "its key num_speculative_tokens"),
            "speculative_eagle_topk": ((), "vLLM drafts one chain"),
            "enable_dp_attention": (("data_parallel_size", "enable_expert_parallel"), "both together"),
            "enable_metrics": ((), "/metrics is always on"),
            "is_embedding": (("runner",), "runner: pooling (since 0.10.1)"),
            "enable_hierarchical_cache": (("kv_offloading_size",), "GiB; since 0.11.1"),
            "hicache_size": (("kv_offloading_size",), "GiB; since 0.11.1"),
            "lora_paths": (("lora_modules", "enable_lora"), ""),
            "dist_init_addr": (("master_addr", "master_port"), "since 0.11.1"),
        },
    ),
    **_from(
        _HEARSAY,
        {
            "cpu_offload_gate": (
                ("cpu_offload_gb", "cpu_offload_params"),
                "no release has it; experts go to the host by name: cpu_offload_params: [experts]",
            ),
            "enable_mm": ((), "no release has it; multimodal input needs no switch"),
        },
    ),
    **_from(
        _LMDEPLOY,
        {
            "session_len": (("max_model_len",), ""),
            "cache_max_entry_count": (
                ("gpu_memory_utilization",),
                "of the whole memory, not of what is free",
            ),
            "quant_policy": (
                ("kv_cache_dtype",),
                "8 is fp8 or int8_per_token_head, 4 is int4_per_token_head",
            ),
            "max_prefill_token_num": (("max_num_batched_tokens",), ""),
            "cache_block_seq_len": (("block_size",), ""),
            "server_port": (("port",), ""),
            "server_name": (("host",), ""),
            "model_format": (("quantization",), ""),
        },
    ),
    **_from(
        _TRTLLM,
        {
            "max_seq_len": (("max_model_len",), ""),
            "max_num_tokens": (("max_num_batched_tokens",), ""),
            "kv_cache_free_gpu_memory_fraction": (("gpu_memory_utilization",), "of the whole memory"),
        },
    ),
    **_from(
        _OLD,
        {
            "disable_log_requests": (("enable_log_requests",), "requests are not logged unless it is set"),
            "task": (("runner", "convert"), "e.g. runner: pooling, convert: embed"),
            "swap_space": ((), "sequences are recomputed, no longer swapped: leave it out"),
            "device": ((), "the image decides: leave it out"),
            "num_scheduler_steps": ((), "multi-step scheduling is gone: leave it out"),
            "multi_step_stream_outputs": ((), "multi-step scheduling is gone: leave it out"),
            "preemption_mode": ((), "sequences are always recomputed: leave it out"),
            "use_v2_block_manager": ((), "there is only one: leave it out"),
            "worker_use_ray": (("distributed_executor_backend",), "distributed_executor_backend: ray"),
            "engine_use_ray": (("distributed_executor_backend",), "distributed_executor_backend: ray"),
            "max_context_len_to_capture": (("max_cudagraph_capture_size",), ""),
            "max_seq_len_to_capture": (
                ("max_cudagraph_capture_size",),
                "a number of sequences, not a length",
            ),
            "cuda_graph_sizes": (("cudagraph_capture_sizes",), ""),
            "rope_scaling": (("hf_overrides",), "hf_overrides: {rope_scaling: …}"),
            "rope_theta": (("hf_overrides",), "hf_overrides: {rope_theta: …}"),
            "enable_reasoning": (("reasoning_parser",), "the parser alone switches it on"),
            "guided_decoding_backend": (("structured_outputs_config",), f"{{backend: …}}; {_GUIDED}"),
            "guided_decoding_disable_fallback": (("structured_outputs_config",), _GUIDED),
            "guided_decoding_disable_any_whitespace": (("structured_outputs_config",), _GUIDED),
            "guided_decoding_disable_additional_properties": (("structured_outputs_config",), _GUIDED),
            "speculative_model": (("speculative_config",), "its key model"),
            "num_speculative_tokens": (
                ("speculative_config",),
                "it is a key of it; spec_tokens since 0.22.0",
            ),
            "speculative_draft_tensor_parallel_size": (("speculative_config",), "draft_tensor_parallel_size"),
            "ngram_prompt_lookup_max": (("speculative_config",), "its key prompt_lookup_max"),
            "ngram_prompt_lookup_min": (("speculative_config",), "its key prompt_lookup_min"),
            "num_lookahead_slots": ((), "it follows from the speculative settings: leave it out"),
            "num_redundant_experts": (("eplb_config",), f"{{num_redundant_experts: n}}; {_EPLB}"),
            "eplb_window_size": (("eplb_config",), _EPLB),
            "eplb_step_interval": (("eplb_config",), _EPLB),
            "eplb_log_balancedness": (("eplb_config",), _EPLB),
            "override_pooler_config": (("pooler_config",), ""),
            "disable_frontend_multiprocessing": ((), "leave it out"),
            "disable_mm_preprocessor_cache": (("mm_processor_cache_gb",), "mm_processor_cache_gb: 0"),
            "enable_multimodal_encoder_data_parallel": (("mm_encoder_tp_mode",), "mm_encoder_tp_mode: data"),
            "max_num_partial_prefills": (("long_prefill_token_threshold",), _PARTIAL),
            "max_long_partial_prefills": (("long_prefill_token_threshold",), _PARTIAL),
            "calculate_kv_scales": ((), "scales come from the checkpoint: leave it out"),
            "override_attention_dtype": ((), "leave it out"),
            "enable_prompt_adapter": ((), "prompt adapters are gone; use LoRA"),
            "lora_extra_vocab_size": ((), "adapters no longer bring tokens: leave it out"),
            "enable_lora_bias": ((), "leave it out"),
            "long_lora_scaling_factors": ((), "leave it out"),
            "tokenizer_pool_size": ((), "leave it out"),
            "scheduler_delay_factor": ((), "leave it out"),
            "disable_async_output_proc": (("async_scheduling",), ""),
            "logits_processor_pattern": (("logits_processors",), ""),
            "override_neuron_config": (("additional_config",), ""),
            "kv_transfer": (("kv_transfer_config",), ""),
        },
    ),
}

_FLOAT_KV = ("auto",)
_EIGHT_BIT = ("fp8", "int8_per_token_head", "turboquant_k8v4")
_FOUR_BIT = ("int4_per_token_head", "turboquant_4bit_nc", "nvfp4")
_KV_ROWS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "q8_0": (_LLAMA, _EIGHT_BIT, "8 bits per value"),
    "q8": (_LLAMA, _EIGHT_BIT, "8 bits per value"),
    "int8": (_LMDEPLOY, ("int8_per_token_head", "fp8"), "8 bits per value"),
    "fp8_e4m3fn": ("PyTorch", ("fp8_e4m3", "fp8"), ""),
    "q4_0": (_LLAMA, _FOUR_BIT, "4 bits per value"),
    "q4_1": (_LLAMA, _FOUR_BIT, "4 bits per value"),
    "q5_0": (_LLAMA, _FOUR_BIT, "there are no 5 bits"),
    "q5_1": (_LLAMA, _FOUR_BIT, "there are no 5 bits"),
    "iq4_nl": (_LLAMA, _FOUR_BIT, "4 bits per value"),
    "q4": (_LLAMA, _FOUR_BIT, "4 bits per value"),
    "int4": (_LMDEPLOY, _FOUR_BIT, "4 bits per value"),
    "fp4": (_SGLANG, ("nvfp4",), "4 bits per value"),
    "fp4_e2m1": (_SGLANG, ("nvfp4",), "4 bits per value"),
    "f16": (_LLAMA, (*_FLOAT_KV, "float16"), "auto takes the model's own type"),
    "fp16": (_LLAMA, (*_FLOAT_KV, "float16"), "auto takes the model's own type"),
    "half": ("--dtype", (*_FLOAT_KV, "float16"), "auto takes the model's own type"),
    "bf16": (_LLAMA, (*_FLOAT_KV, "bfloat16"), "auto takes the model's own type"),
    "f32": (_LLAMA, _FLOAT_KV, "auto takes the model's own type"),
    "turboquant": ("the name of the family", ("turboquant_k8v4", "turboquant_4bit_nc"), "say which"),
}
_DTYPES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "fp16": ("PyTorch", ("float16", "half"), ""),
    "f16": (_LLAMA, ("float16", "half"), ""),
    "bf16": ("PyTorch", ("bfloat16",), ""),
    "fp32": ("PyTorch", ("float32", "float"), ""),
    "f32": (_LLAMA, ("float32", "float"), ""),
    "fp8": ("quantization", ("auto",), "8-bit weights are quantization: fp8"),
    "int8": ("quantization", ("auto",), "8-bit weights are a matter of quantization"),
    "int4": ("quantization", ("auto",), "4-bit weights are a matter of quantization and of the checkpoint"),
}
_QUANTIZATION: dict[str, tuple[str, tuple[str, ...], str]] = {
    "gptq_int4": (_TGI, ("gptq_marlin",), "leave it out: the checkpoint says it"),
    "awq_int4": (_TGI, ("awq_marlin",), "leave it out: the checkpoint says it"),
    "bnb": (_TGI, ("bitsandbytes",), ""),
    "bitsandbytes_nf4": (_TGI, ("bitsandbytes",), ""),
    "eetq": (_TGI, ("int8_per_channel_weight_only",), "since 0.20.0"),
    "exl2": (_TGI, (), "vLLM has no exl2"),
    "exl3": ("ExLlama", (), "vLLM has no exl3"),
    "nvfp4": ("the name of the format", ("modelopt_fp4",), "leave it out: the checkpoint says it"),
    "fp4": ("the name of the format", ("modelopt_fp4",), "leave it out: the checkpoint says it"),
    "int4": ("the number of bits", ("awq", "gptq"), "leave it out: the checkpoint says it"),
    "int8": ("the number of bits", ("int8_per_channel_weight_only",), "since 0.20.0"),
    "fp8_e4m3": ("the number format", ("fp8",), ""),
    "w8a8": (_SGLANG, ("compressed-tensors",), "leave it out: the checkpoint says it"),
    "w4a16": ("the scheme", ("compressed-tensors",), "leave it out: the checkpoint says it"),
    "q4_k_m": (_LLAMA, (), "a GGUF type is part of the file; vLLM reads GGUF up to 0.23.0"),
    "q8_0": (_LLAMA, (), "a GGUF type is part of the file; vLLM reads GGUF up to 0.23.0"),
}
_BACKENDS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "fa": (_USAGE, ("FLASH_ATTN",), ""),
    "fa2": (_SGLANG, ("FLASH_ATTN",), "the version is chosen by itself"),
    "fa3": (_SGLANG, ("FLASH_ATTN",), "the version is chosen by itself"),
    "flash_attention": (_USAGE, ("FLASH_ATTN",), ""),
    "flash_attention_2": ("Transformers", ("FLASH_ATTN",), ""),
    "flashattention": (_USAGE, ("FLASH_ATTN",), ""),
    "sdpa": ("Transformers", ("FLASH_ATTN", "TRITON_ATTN"), ""),
    "triton": (_SGLANG, ("TRITON_ATTN",), ""),
    "trtllm_mha": (_SGLANG, ("FLASHINFER",), "FlashInfer calls it by itself"),
    "cutlass_mla": (_SGLANG, ("CUTLASS_MLA",), ""),
    "xformers": (_OLD, ("FLASH_ATTN",), "removed in 0.12.0"),
    "flash_attn_vllm_v1": (_OLD, ("FLASH_ATTN",), ""),
    "triton_attn_vllm_v1": (_OLD, ("TRITON_ATTN",), ""),
    "flashinfer_vllm_v1": (_OLD, ("FLASHINFER",), ""),
}
_LOAD: dict[str, tuple[str, tuple[str, ...], str]] = {
    "safetensor": (_USAGE, ("safetensors",), ""),
    "fastsafetensor": (_USAGE, ("fastsafetensors",), ""),
    "runai": (_USAGE, ("runai_streamer",), ""),
    "pytorch": (_USAGE, ("pt",), ""),
    "bin": (_USAGE, ("pt",), ""),
}
_CONVERT: dict[str, tuple[str, tuple[str, ...], str]] = {
    "embedding": (_OLD, ("embed",), ""),
    "embeddings": (_OLD, ("embed",), ""),
    "score": (_OLD, ("classify",), "a reranker classifies"),
    "rerank": (_OLD, ("classify",), "a reranker classifies"),
}
_RUNNER: dict[str, tuple[str, tuple[str, ...], str]] = {
    "embed": (_OLD, ("pooling",), "with convert: embed"),
    "embedding": (_OLD, ("pooling",), "with convert: embed"),
    "classify": (_OLD, ("pooling",), "with convert: classify"),
    "chat": (_USAGE, ("generate",), ""),
}
_METHOD: dict[str, tuple[str, tuple[str, ...], str]] = {
    "draft": (_USAGE, ("draft_model",), ""),
    "nextn": (_SGLANG, ("mtp",), ""),
    "eagle2": (_SGLANG, ("eagle",), ""),
    "standalone": (_SGLANG, ("draft_model",), ""),
    "dflash2": ("the name of the draft's architecture", ("dflash",), "the draft's config.json says which"),
    "prompt_lookup": ("Transformers", ("ngram",), ""),
    "lookahead": (_USAGE, ("ngram",), ""),
}
_SCHEDULING: dict[str, tuple[str, tuple[str, ...], str]] = {
    "lpm": (_SGLANG, ("fcfs",), "prefixes are reused under either"),
    "fifo": (_USAGE, ("fcfs",), ""),
}


def _values(rows: t.Mapping[str, tuple[str, tuple[str, ...], str]]) -> dict[str, Meaning]:
    return {value: Meaning(origin, write, note) for value, (origin, write, note) in rows.items()}


VALUES: dict[str, dict[str, Meaning]] = {
    "kv_cache_dtype": _values(_KV_ROWS),
    "dtype": _values(_DTYPES),
    "quantization": _values(_QUANTIZATION),
    "attention_backend": _values(_BACKENDS),
    "load_format": _values(_LOAD),
    "convert": _values(_CONVERT),
    "runner": _values(_RUNNER),
    "spec_method": _values(_METHOD),
    "speculative_config.method": _values(_METHOD),
    "scheduling_policy": _values(_SCHEDULING),
}
