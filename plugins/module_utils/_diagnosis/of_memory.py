"""Signatures of GPU memory: free, cache, state blocks, warm-up. Data."""

from __future__ import annotations

from . import causes, remedies
from .signature import Signature

_OOM = (
    r"\bOutOfMemoryError\b",
    r"CUDA out of memory",
    r"(?:CUDA|HIP) error: out of memory|(?:HIP|XPU|NPU) out of memory|\[CUDA\]: out of memory|CUBLAS_STATUS_ALLOC_FAILED|"
    r"CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate",
    r"cudaErrorMemoryAllocation|CUDA driver error: out of memory|UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY",
)

MEMORY = (
    Signature(
        "free_memory_below_utilization",
        (
            r"Free memory on (?:device|node)(?: \S+)? \((?P<free>[\d.]+)/(?P<total>[\d.]+) GiB\) on startup",
            r"Error: Free memory on (?:device|node)|[Ff]ree memory .*is less than desired .*memory utilization",
            r"is less than desired GPU memory utilization \((?P<share>[\d.]+), (?P<wanted>[\d.]+) GiB\)",
        ),
        causes.memory_short,
        remedies.room_on_gpu,
    ),
    Signature(
        "free_memory_below_utilization",
        (r"Error in memory profiling\. Initial free memory (?P<before>[\d.]+)",),
        "Another process used or gave back GPU memory while vLLM measured it.",
        "Start one server of a GPU after the other, and only when a stopped one has given its memory back.",
    ),
    Signature(
        "kv_cache_too_small_for_max_model_len",
        (
            r"To serve at least one request with the model(?:'s|s's)? max seq len \((?P<length>\d+)\)"
            r"(?:,? ?\(?(?P<needed>[\d.]+) GiB KV cache is needed,?(?: which is)? larger than the available KV cache memory "
            r"\((?P<available>[\d.]+) GiB\))?(?:.*?estimated maximum model length is (?P<estimate>\d+))?",
            r"max seq len \((?P<length>\d+)\) is larger than the maximum number of tokens that can be stored in KV cache \((?P<tokens>\d+)\)",
            r"(?P<needed>[\d.]+) GiB KV cache is needed,?(?: which is)? larger than (?:the )?available(?: KV cache memory)? \((?P<available>[\d.]+) GiB\)",
        ),
        causes.cache_too_small,
        remedies.shorter_context,
    ),
    Signature(
        "no_memory_for_kv_cache",
        (
            r"No available memory for the cache blocks|Cannot auto-fit max_model_len: not enough|Trying to create tensor with negative dimension -\d+",
            r"[Nn]ot enough KV cache (?:space|blocks|memory)|more than the [\d.]+ GiB of CPU memory reserved",
        ),
        "Weights and activations leave no memory for the KV cache.",
        "Use a smaller or more strongly quantized model, more GPUs (tensor_parallel_size), a smaller "
        "max_num_batched_tokens, or a higher gpu_memory_utilization where the GPU is free.",
    ),
    Signature(
        "no_memory_for_kv_cache",
        (
            r"Available memory on \w+ \S+ \((?P<free>[\d.]+)/[\d.]+ GiB\) on kv cache allocation is less than requested memory "
            r"for kv \((?P<wanted>[\d.]+) GiB\)",
        ),
        "The KV cache is asked to have {wanted} GiB, and {free} GiB are free.",
        "Set kv_cache_memory_bytes (or VLLM_CPU_KVCACHE_SPACE) below {free} GiB, or leave it out.",
    ),
    Signature(
        "hybrid_mamba_blocks",
        (
            r"max_num_seqs \((?P<sequences>\d+)\) exceeds available Mamba cache blocks \((?P<blocks>\d+)\)",
            r"exceeds available Mamba cache blocks \((?P<blocks>\d+)\)",
        ),
        causes.blocks_short,
        remedies.fewer_sequences_than_blocks,
    ),
    Signature(
        "hybrid_mamba_blocks",
        (
            r"In Mamba cache align mode, block_size \((?P<block>\d+)\) must be <= max_num_batched_tokens \((?P<tokens>\d+)\)",
            r"[Mm]amba.*block_size \((?P<block>\d+)\).*max_num_batched_tokens",
        ),
        "With prefix caching a hybrid model's block must fit into one scheduling step, and it is larger.",
        remedies.larger_batch_than_block,
    ),
    Signature(
        "hybrid_mamba_blocks",
        (r"assert num_cache_lines >= batch",),
        "CUDA graphs are captured for more sequences than a hybrid model has state blocks.",
        "Set max_cudagraph_capture_size: 256 or lower, or max_num_seqs lower.",
    ),
    Signature(
        "oom_warmup_or_graph_capture",
        (
            r"out of memory occurred when warming up (?:sampler|pooler)(?: \([^)]*\))? with (?P<requests>\d+|\.\.\.) dummy requests",
        ),
        "The warm-up with max_num_seqs sequences needs memory that the KV cache has already taken.",
        remedies.half_the_sequences,
    ),
    Signature(
        "oom_warmup_or_graph_capture",
        (r"Failed to CUDA (?:calloc|malloc)\w*(?: async)? \d+ bytes", r"Cuda failure \d* ?'out of memory'"),
        "NCCL found no GPU memory for its buffers: gpu_memory_utilization leaves none.",
        "Set gpu_memory_utilization lower by 0.02 to 0.05.",
    ),
    Signature(
        "image_regression",
        (
            r"Buffer overflow when allocating memory for (?P<buffer>\w+)(?: with size (?P<size>\d+))?",
            r"Failed to allocate memory for (?P<buffer>batch_prefill_tmp_\w+)(?: with size (?P<size>\d+))?",
        ),
        "This release's FlashInfer workspace is too small for the model and the batch.",
        remedies.larger_workspace,
    ),
    Signature(
        "image_regression",
        (r"undefined symbol: (?P<symbol>\w+)",),
        "Two libraries in this image do not fit each other: {symbol} is missing.",
        "Use the image of another release or build, and mount nothing over the image's Python packages.",
        kind="general",
    ),
    Signature(
        "oom_warmup_or_graph_capture",
        _OOM,
        "GPU memory ran out while vLLM measured, warmed up or captured CUDA graphs.",
        "Set max_num_seqs, max_num_batched_tokens or max_cudagraph_capture_size lower, or enforce_eager: true; "
        "a higher gpu_memory_utilization does not help here.",
        kind="general",
        phases=("profiling", "warming"),
    ),
    Signature(
        "oom_generic",
        _OOM,
        "GPU memory ran out while the weights were loaded.",
        "Use a smaller or more strongly quantized model, more GPUs (tensor_parallel_size) or cpu_offload_gb; see with "
        "nvidia-smi whether something else holds memory.",
        kind="general",
        phases=("loading", "drafting"),
    ),
    Signature(
        "oom_generic",
        _OOM,
        "GPU memory ran out; the log does not tell at which step.",
        "Set max_num_seqs, max_num_batched_tokens or gpu_memory_utilization lower; if it happens while the weights are "
        "loaded, use a smaller model or more GPUs.",
        kind="general",
        phases=("",),
    ),
    Signature(
        "oom_generic",
        _OOM,
        "GPU memory ran out under load.",
        "Set gpu_memory_utilization, max_num_seqs or max_num_batched_tokens lower, and see with nvidia-smi whether "
        "something else holds memory.",
        kind="general",
    ),
    Signature(
        "no_memory_for_kv_cache",
        (r"Available KV cache memory: -(?P<short>[\d.]+) GiB",),
        "Weights and activations leave no memory for the KV cache: {short} GiB are missing.",
        "Use a smaller or more strongly quantized model, more GPUs (tensor_parallel_size), a smaller "
        "max_num_batched_tokens, or a higher gpu_memory_utilization where the GPU is free.",
        kind="hint",
    ),
    Signature(
        "upgrade_changes_memory_budget",
        (
            r"CUDA graph memory profiling is enabled .*increase --gpu-memory-utilization to (?P<share>\d*\.\d+)",
        ),
        "Since 0.21 the memory of CUDA graphs counts against gpu_memory_utilization, so the KV cache is smaller than before.",
        "Set gpu_memory_utilization: {share} for the cache of older releases, or a lower max_cudagraph_capture_size.",
        kind="hint",
    ),
)
