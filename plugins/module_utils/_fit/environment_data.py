"""What vLLM reads from its variables, from release to release; made by tools/environment.py."""

from __future__ import annotations

from .._settings.version import Release

# First, last, kind, names. Kinds: whole numbers, numbers, and words (a star in front: in capitals or not).
_ROWS: tuple[tuple[Release, Release, str, str], ...] = (
    ((0, 11, 2), (0, 11, 2), "throughput latency", """
    VLLM_FLASHINFER_MOE_BACKEND
    """),
    ((0, 11, 2), (0, 11, 2), "whole number", """
    VLLM_CPU_MOE_PREPACK VLLM_FLAT_LOGPROBS
    """),
    ((0, 11, 2), (0, 12, 0), "whole number", """
    VLLM_MM_INPUT_CACHE_GIB VLLM_TEST_USE_PRECOMPILED_NIGHTLY_WHEEL
    """),
    ((0, 11, 2), (0, 14, 1), "flashinfer-cudnn flashinfer-trtllm flashinfer-cutlass cutlass", """
    VLLM_NVFP4_GEMM_BACKEND
    """),
    ((0, 11, 2), (0, 14, 1), "naive pplx deepep_high_throughput deepep_low_latency allgather_reducescatter flashinfer_all2allv", """
    VLLM_ALL2ALL_BACKEND
    """),
    ((0, 11, 2), (0, 14, 1), "whole number", """
    VLLM_FLASHINFER_DISABLE_Q_QUANTIZATION VLLM_FLASH_ATTN_MAX_NUM_SPLITS_FOR_CUDA_GRAPH VLLM_FLASH_ATTN_VERSION
    VLLM_USE_CUDNN_PREFILL VLLM_USE_TRTLLM_RAGGED_DEEPSEEK_PREFILL
    """),
    ((0, 11, 2), (0, 17, 1), "whole number", """
    VLLM_ENABLE_FUSED_MOE_ACTIVATION_CHUNKING VLLM_FUSED_MOE_CHUNK_SIZE VLLM_SLEEP_WHEN_IDLE
    """),
    ((0, 11, 2), (0, 19, 1), "whole number", """
    VLLM_MOE_DP_CHUNK_SIZE
    """),
    ((0, 11, 2), (0, 20, 2), "whole number", """
    VLLM_DBO_COMM_SMS
    """),
    ((0, 11, 2), (0, 21, 0), "whole number", """
    VLLM_NIXL_ABORT_REQUEST_TIMEOUT
    """),
    ((0, 11, 2), (0, 22, 1), "whole number", """
    VLLM_RPC_TIMEOUT
    """),
    ((0, 11, 2), (0, 23, 0), "whole number", """
    VLLM_MXFP4_USE_MARLIN VLLM_USE_FBGEMM VLLM_USE_FLASHINFER_MOE_FP16 VLLM_USE_FLASHINFER_MOE_FP4
    VLLM_USE_FLASHINFER_MOE_FP8 VLLM_USE_FLASHINFER_MOE_MXFP4_BF16 VLLM_USE_FLASHINFER_MOE_MXFP4_MXFP8
    VLLM_USE_FLASHINFER_MOE_MXFP4_MXFP8_CUTLASS VLLM_USE_NVFP4_CT_EMULATIONS
    """),
    ((0, 11, 2), (0, 24, 0), "FP INT8 INT6 INT4 NONE", """
    VLLM_ROCM_QUICK_REDUCE_QUANTIZATION
    """),
    ((0, 11, 2), (0, 25, 1), "number", """
    VLLM_FLASHINFER_ALLREDUCE_FUSION_THRESHOLDS_MB
    """),
    ((0, 11, 2), (0, 25, 1), "whole number", """
    VLLM_TPU_BUCKET_PADDING_GAP VLLM_TPU_MOST_MODEL_LEN
    """),
    ((0, 11, 2), (0, 27, 1), "whole number", """
    VLLM_CPU_SGL_KERNEL
    """),
    ((0, 11, 2), (0, 28, 0), "NHD HND", """
    VLLM_KV_CACHE_LAYOUT
    """),
    ((0, 11, 2), (0, 31, 0), "whole number", """
    VLLM_ENGINE_ITERATION_TIMEOUT_S
    """),
    ((0, 11, 2), (0, 32, 0), "auto nccl shm", """
    VLLM_USE_RAY_COMPILED_DAG_CHANNEL_TYPE
    """),
    ((0, 11, 2), (0, 32, 0), "whole number", """
    VLLM_USE_RAY_COMPILED_DAG_OVERLAP_COMM VLLM_USE_RAY_WRAPPED_PP_COMM
    """),
    ((0, 11, 2), (0, 33, 0), "binary unpacked", """
    VLLM_COMPILE_CACHE_SAVE_FORMAT
    """),
    ((0, 11, 2), (0, 33, 0), "number", """
    VLLM_LOG_BATCHSIZE_INTERVAL VLLM_LOG_STATS_INTERVAL VLLM_RAY_PER_WORKER_GPUS
    """),
    ((0, 11, 2), (0, 33, 0), "skip full relax", """
    VLLM_DEEP_GEMM_WARMUP
    """),
    ((0, 11, 2), (0, 33, 0), "spawn fork", """
    VLLM_WORKER_MULTIPROC_METHOD
    """),
    ((0, 11, 2), (0, 33, 0), "whole number", """
    VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE VLLM_ALLOW_INSECURE_SERIALIZATION
    VLLM_ALLREDUCE_USE_SYMM_MEM VLLM_ASSETS_CACHE_MODEL_CLEAN VLLM_AUDIO_FETCH_TIMEOUT
    VLLM_COMPUTE_NANS_IN_LOGITS VLLM_CONFIGURE_LOGGING VLLM_CPU_KVCACHE_SPACE VLLM_CPU_NUM_OF_RESERVED_CPU
    VLLM_CUSTOM_SCOPES_FOR_PROFILING VLLM_DEEPEP_BUFFER_SIZE_MB VLLM_DEEPEP_HIGH_THROUGHPUT_FORCE_INTRA_NODE
    VLLM_DEEPEP_LOW_LATENCY_USE_MNNVL VLLM_DISABLE_COMPILE_CACHE VLLM_DISABLE_SHARED_EXPERTS_STREAM
    VLLM_DP_MASTER_PORT VLLM_DP_RANK VLLM_DP_SIZE VLLM_ENABLE_CUDAGRAPH_GC
    VLLM_ENABLE_INDUCTOR_COORDINATE_DESCENT_TUNING VLLM_ENABLE_INDUCTOR_MAX_AUTOTUNE
    VLLM_ENABLE_RESPONSES_API_STORE VLLM_ENABLE_V1_MULTIPROCESSING VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS
    VLLM_FLASHINFER_WORKSPACE_BUFFER_SIZE VLLM_GPT_OSS_HARMONY_SYSTEM_INSTRUCTIONS VLLM_HAS_FLASHINFER_CUBIN
    VLLM_HTTP_TIMEOUT_KEEP_ALIVE VLLM_IMAGE_FETCH_TIMEOUT VLLM_KEEP_ALIVE_ON_ENGINE_DEATH
    VLLM_KV_EVENTS_USE_INT_BLOCK_HASHES VLLM_MAX_AUDIO_CLIP_FILESIZE_MB VLLM_MAX_TOKENS_PER_EXPERT_FP4_MOE
    VLLM_MEDIA_LOADING_THREAD_COUNT VLLM_MEDIA_URL_ALLOW_REDIRECTS VLLM_MLA_DISABLE VLLM_MOE_USE_DEEP_GEMM
    VLLM_MQ_MAX_CHUNK_BYTES_MB VLLM_MSGPACK_ZERO_COPY_THRESHOLD VLLM_NIXL_SIDE_CHANNEL_PORT
    VLLM_NVTX_SCOPES_FOR_PROFILING VLLM_PORT VLLM_RINGBUFFER_WARNING_INTERVAL VLLM_ROCM_FP8_MFMA_PAGE_ATTN
    VLLM_ROCM_FP8_PADDING VLLM_ROCM_MOE_PADDING VLLM_ROCM_QUICK_REDUCE_MAX_SIZE_BYTES_MB
    VLLM_ROCM_SLEEP_MEM_CHUNK_SIZE VLLM_SERVER_DEV_MODE VLLM_SHARED_EXPERTS_STREAM_TOKEN_THRESHOLD
    VLLM_TOOL_JSON_ERROR_AUTOMATIC_RETRY VLLM_TOOL_PARSE_REGEX_TIMEOUT_SECONDS VLLM_TRACE_FUNCTION
    VLLM_USE_BYTECODE_HOOK VLLM_USE_DEEP_GEMM VLLM_USE_DEEP_GEMM_E8M0 VLLM_USE_FLASHINFER_SAMPLER
    VLLM_USE_FUSED_MOE_GROUPED_TOPK VLLM_USE_NCCL_SYMM_MEM VLLM_USE_TRITON_AWQ VLLM_V1_OUTPUT_PROC_CHUNK_SIZE
    VLLM_VIDEO_FETCH_TIMEOUT VLLM_XGRAMMAR_CACHE_MB VLLM_XLA_CHECK_RECOMPILATION VLLM_XLA_USE_SPMD
    """),
    ((0, 12, 0), (0, 12, 0), "whole number", """
    VLLM_PROFILER_DELAY_ITERS VLLM_PROFILER_MAX_ITERS
    """),
    ((0, 12, 0), (0, 23, 0), "throughput latency masked_gemm", """
    VLLM_FLASHINFER_MOE_BACKEND
    """),
    ((0, 12, 0), (0, 33, 0), "int8 fp8", """
    VLLM_MARLIN_INPUT_DTYPE
    """),
    ((0, 12, 0), (0, 33, 0), "whole number", """
    VLLM_DEEPEPLL_NVFP4_DISPATCH VLLM_USE_V2_MODEL_RUNNER
    """),
    ((0, 13, 0), (0, 13, 0), "* ieee tf32", """
    VLLM_FLOAT32_MATMUL_PRECISION
    """),
    ((0, 13, 0), (0, 19, 1), "whole number", """
    VLLM_ENABLE_MOE_DP_CHUNK
    """),
    ((0, 13, 0), (0, 33, 0), "whole number", """
    VLLM_DEBUG_WORKSPACE VLLM_MOONCAKE_ABORT_REQUEST_TIMEOUT VLLM_MOONCAKE_BOOTSTRAP_PORT
    VLLM_SKIP_PRECOMPILED_VERSION_SUFFIX VLLM_USE_EXPERIMENTAL_PARSER_CONTEXT
    """),
    ((0, 14, 1), (0, 22, 1), "whole number", """
    VLLM_MORIIO_NUM_WORKERS VLLM_MORIIO_POST_BATCH_SIZE VLLM_MORIIO_QP_PER_TRANSFER
    """),
    ((0, 14, 1), (0, 33, 0), "* highest high medium", """
    VLLM_FLOAT32_MATMUL_PRECISION
    """),
    ((0, 14, 1), (0, 33, 0), "whole number", """
    VLLM_BLOCKSCALE_FP8_GEMM_FLASHINFER VLLM_DEBUG_MFU_METRICS VLLM_ENGINE_READY_TIMEOUT_S
    VLLM_LOG_MODEL_INSPECTION
    """),
    ((0, 15, 1), (0, 15, 1), "naive pplx deepep_high_throughput deepep_low_latency mori allgather_reducescatter flashinfer_all2allv", """
    VLLM_ALL2ALL_BACKEND
    """),
    ((0, 15, 1), (0, 19, 1), "flashinfer-cudnn flashinfer-trtllm flashinfer-cutlass cutlass marlin", """
    VLLM_NVFP4_GEMM_BACKEND
    """),
    ((0, 15, 1), (0, 29, 0), "* blake3 sha256 sha512", """
    VLLM_MM_HASHER_ALGORITHM
    """),
    ((0, 15, 1), (0, 33, 0), "whole number", """
    VLLM_DISABLE_LOG_LOGO VLLM_LORA_DISABLE_PDL VLLM_USE_DEEP_GEMM_TMA_ALIGNED_SCALES
    """),
    ((0, 16, 0), (0, 33, 0), "whole number", """
    VLLM_USE_FLASHINFER_MOE_INT4
    """),
    ((0, 17, 1), (0, 33, 0), "auto trtllm mnnvl", """
    VLLM_FLASHINFER_ALLREDUCE_BACKEND
    """),
    ((0, 17, 1), (0, 33, 0), "whole number", """
    VLLM_ALLREDUCE_USE_FLASHINFER VLLM_DISABLE_REQUEST_ID_RANDOMIZATION VLLM_ELASTIC_EP_DRAIN_REQUESTS
    VLLM_ELASTIC_EP_SCALE_UP_LAUNCH VLLM_WEIGHT_OFFLOADING_DISABLE_PIN_MEMORY VLLM_WEIGHT_OFFLOADING_DISABLE_UVA
    """),
    ((0, 18, 1), (0, 29, 0), "whole number", """
    VLLM_NIXL_EP_MAX_NUM_RANKS
    """),
    ((0, 18, 1), (0, 33, 0), "whole number", """
    VLLM_ENABLE_FLA_PACKED_RECURRENT_DECODE VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS
    VLLM_ZENTORCH_WEIGHT_PREPACK
    """),
    ((0, 19, 1), (0, 30, 0), "whole number", """
    VLLM_XPU_ENABLE_XPU_GRAPH
    """),
    ((0, 19, 1), (0, 33, 0), "whole number", """
    VLLM_BATCH_INVARIANT VLLM_MAX_N_SEQUENCES VLLM_MEDIA_FETCH_MAX_RETRIES VLLM_SPARSE_INDEXER_MAX_LOGITS_MB
    VLLM_USE_SIMPLE_KV_OFFLOAD
    """),
    ((0, 20, 2), (0, 20, 2), "whole number", """
    VLLM_HUMMING_MOE_GEMM_TYPE
    """),
    ((0, 20, 2), (0, 21, 0), "flashinfer-cudnn flashinfer-trtllm flashinfer-cutlass cutlass marlin emulation", """
    VLLM_NVFP4_GEMM_BACKEND
    """),
    ((0, 20, 2), (0, 32, 0), "whole number", """
    VLLM_USE_RAY_V2_EXECUTOR_BACKEND
    """),
    ((0, 20, 2), (0, 33, 0), "SD DS", """
    VLLM_SSM_CONV_STATE_LAYOUT
    """),
    ((0, 20, 2), (0, 33, 0), "number", """
    VLLM_HUMMING_INPUT_QUANT_CONFIG VLLM_HUMMING_ONLINE_QUANT_CONFIG VLLM_MEDIA_CACHE_TTL_HOURS
    """),
    ((0, 20, 2), (0, 33, 0), "whole number", """
    VLLM_CPU_ATTN_SPLIT_KV VLLM_CPU_INT4_W4A8 VLLM_HUMMING_USE_F16_ACCUM VLLM_LORA_ENABLE_DUAL_STREAM
    VLLM_MEDIA_CACHE_MAX_SIZE_MB VLLM_MULTI_STREAM_GEMM_TOKEN_THRESHOLD VLLM_USE_LAYERNAME
    """),
    ((0, 21, 0), (0, 23, 0), "whole number", """
    VLLM_ENFORCE_STRICT_TOOL_CALLING
    """),
    ((0, 21, 0), (0, 33, 0), "whole number", """
    VLLM_XPU_USE_SAMPLER_KERNEL
    """),
    ((0, 22, 1), (0, 23, 0), "flashinfer-b12x flashinfer-cudnn flashinfer-trtllm flashinfer-cutlass cutlass marlin emulation", """
    VLLM_NVFP4_GEMM_BACKEND
    """),
    ((0, 22, 1), (0, 33, 0), "number", """
    VLLM_MOONCAKE_DISK_STAGING_USABLE_RATIO
    """),
    ((0, 22, 1), (0, 33, 0), "whole number", """
    VLLM_ROCM_QUICK_REDUCE_MIN_SIZE_BYTES_MB VLLM_ROCM_QUICK_REDUCE_QUANTIZATION_MIN_SIZE_KB VLLM_USE_FASTOKENS
    VLLM_USE_RUST_FRONTEND VLLM_USE_SPINLOOP_EXT
    """),
    ((0, 23, 0), (0, 29, 0), "whole number", """
    VLLM_PREFIX_CACHE_RETENTION_INTERVAL
    """),
    ((0, 23, 0), (0, 33, 0), "whole number", """
    VLLM_DISTRIBUTED_USE_SPLIT_GROUP VLLM_ROCM_AITER_MOE_DISPATCH_POLICY
    """),
    ((0, 24, 0), (0, 33, 0), "whole number", """
    VLLM_DEEPEP_V2_ALLOW_HYBRID_MODE VLLM_DEEPEP_V2_ALLOW_MULTIPLE_REDUCTION VLLM_DEEPEP_V2_PREFER_OVERLAP
    VLLM_FASTSAFETENSORS_QUEUE_SIZE VLLM_MAX_AUDIO_DECODE_DURATION_S VLLM_MAX_AUDIO_PREPROCESS_WORKERS
    VLLM_REGEX_COMPILATION_TIMEOUT_S VLLM_WORKER_SHUTDOWN_TIMEOUT_SECONDS VLLM_WSL2_ENABLE_PIN_MEMORY
    """),
    ((0, 25, 1), (0, 33, 0), "FP INT8 INT6 INT4 INT3 NONE", """
    VLLM_ROCM_QUICK_REDUCE_QUANTIZATION
    """),
    ((0, 25, 1), (0, 33, 0), "warn error", """
    VLLM_GPU_SYNC_CHECK
    """),
    ((0, 25, 1), (0, 33, 0), "whole number", """
    VLLM_MAX_IMAGE_PIXELS VLLM_MOE_SKIP_PADDING VLLM_MOONCAKE_LOAD_RECV_THREADS
    """),
    ((0, 26, 0), (0, 33, 0), "whole number", """
    VLLM_EC_SIDE_CHANNEL_PORT VLLM_ENABLE_STARTUP_PLAN VLLM_MAX_COMPLETION_PROMPTS VLLM_P2P_SIDE_CHANNEL_PORT
    """),
    ((0, 27, 1), (0, 33, 0), "whole number", """
    VLLM_DCP_Q_REPLICATE VLLM_ENABLE_COHERE_API VLLM_KIMI_K3_SHARD_SP_SHARED_EXPERT VLLM_USE_RUST_BENCH
    """),
    ((0, 28, 0), (0, 30, 0), "whole number", """
    VLLM_KIMI_K3_GEMM_RS
    """),
    ((0, 28, 0), (0, 33, 0), "* auto gluon asm", """
    VLLM_ROCM_AITER_MLA_ASM_PADDING
    """),
    ((0, 28, 0), (0, 33, 0), "* cuda triton", """
    VLLM_GDN_DECODE_KERNEL
    """),
    ((0, 28, 0), (0, 33, 0), "whole number", """
    VLLM_ADAPTIVE_VERIFICATION_PROFILE_CONTEXT_LEN VLLM_KIMI_K3_AUX_ATTN_RES_STREAM VLLM_MAX_AUDIO_DECODE_BYTES
    VLLM_MAX_BAD_WORDS_TOTAL_TOKENS VLLM_MAX_NUM_BAD_WORDS VLLM_MAX_STOP_STRINGS VLLM_RAISE_ON_LOGIT_NANS
    VLLM_USE_DIRECT_DCP_A2A VLLM_USE_DIRECT_DCP_KV_GATHER VLLM_USE_DIRECT_DCP_Q_GATHER
    """),
    ((0, 29, 0), (0, 33, 0), "LBNHC LBHNC LHBNC NHD HND BLHNC BLNHC BHLNC", """
    VLLM_KV_CACHE_LAYOUT
    """),
    ((0, 29, 0), (0, 33, 0), "auto ark w4a16 w4a8", """
    VLLM_XPU_INC_WNA16_BACKEND
    """),
    ((0, 29, 0), (0, 33, 0), "whole number", """
    VLLM_B12X_MOE_FP4_FORCE_A16 VLLM_CPU_CI_ENV VLLM_DISABLE_DSV4_MEGAMOE_SHARED_EXPERT_FUSION
    VLLM_ENABLE_HPC_OPS VLLM_KIMI_K3_GEMM_AR VLLM_KV_OFFLOAD_MAX_BATCH_DESCRIPTORS
    VLLM_MAX_MEDIA_DOWNLOAD_SIZE_MB VLLM_XPU_FORCE_N_CONTIG_WEIGHT
    """),
    ((0, 30, 0), (0, 30, 0), "whole number", """
    VLLM_PLE_CPU_OFFLOAD
    """),
    ((0, 30, 0), (0, 33, 0), "whole number", """
    VLLM_ALLREDUCE_USE_FLASHINFER_PCIE_IPC VLLM_MAX_EMBED_DECODE_BYTES
    """),
    ((0, 31, 0), (0, 31, 0), "* asm segmented", """
    VLLM_ROCM_AITER_MLA_DCP_VERIFY
    """),
    ((0, 31, 0), (0, 33, 0), "* auto a4w4 a8w4 a16w4 0 1", """
    VLLM_ROCM_USE_AITER_MOE_SITUV2
    """),
    ((0, 31, 0), (0, 33, 0), "number", """
    VLLM_MOONCAKE_CONNECTOR_TIMEOUT
    """),
    ((0, 31, 0), (0, 33, 0), "whole number", """
    VLLM_ENABLE_GEMM_RS VLLM_SKIP_VERSION_SUFFIX VLLM_TRITON_JIT_WARMUP_NUM_THREADS VLLM_XPU_PP_MICROBATCH
    """),
    ((0, 32, 0), (0, 32, 0), "* auto asm segmented", """
    VLLM_ROCM_AITER_MLA_DCP_VERIFY
    """),
    ((0, 32, 0), (0, 33, 0), "number", """
    VLLM_CHAT_TEMPLATE_RENDER_TIMEOUT
    """),
    ((0, 32, 0), (0, 33, 0), "whole number", """
    VLLM_FLASHINFER_MOE_A2A_LOW_PRECISION_COMBINE VLLM_P2P_HANDSHAKE_TIMEOUT_S VLLM_P2P_IDLE_TIMEOUT_S
    VLLM_P2P_MAX_PEERS VLLM_ROCM_USE_AITER_MOE_A4W4_DSV4
    """),
    ((0, 33, 0), (0, 33, 0), "whole number", """
    VLLM_CHAT_TEMPLATE_FUEL VLLM_COHERE2_ATTN_MOE_DUAL_STREAM_TOKEN_THRESHOLD VLLM_HTTP_MAX_REQUEST_BODY_SIZE
    VLLM_MAX_MEDIA_REQUEST_DECODE_BYTES VLLM_MAX_MEDIA_REQUEST_DOWNLOAD_SIZE_MB
    VLLM_STEP5_SHARD_SP_SHARED_EXPERT
    """),
)  # fmt: skip

KINDS: dict[str, list[tuple[Release, Release, str]]] = {}
for _first, _last, _kind, _names in _ROWS:
    for _name in _names.split():
        KINDS.setdefault(_name, []).append((_first, _last, _kind))
