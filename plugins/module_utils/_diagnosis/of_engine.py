"""Signatures of the engine: types, backends, kernels, speculation, NCCL. Data."""

from __future__ import annotations

from . import causes, remedies
from .signature import Signature

OTHER_BACKEND = "Leave attention_backend out; if that does not help, leave kv_cache_dtype out too. The line names the reason."
_OTHER_KV = "Set kv_cache_dtype: fp8 where this GPU's attention backend has it, or leave kv_cache_dtype out."
_WRAPPER = r"WorkerProc failed to start|EngineCore failed to start|Engine core initialization failed"

ENGINE = (
    Signature(
        "dtype_not_supported_on_gpu",
        (
            r"Bfloat16 is only supported on GPUs with compute capability of at least (?P<least>[\d.]+?)\. "
            r"Your (?P<gpu>.+?) GPU(?: has compute capability (?P<capability>\d+\.\d+))?",
            r"Bfloat16 is only supported on GPUs",
        ),
        "This GPU does not know bfloat16: it needs compute capability 8.0.",
        "Set dtype: half.",
    ),
    Signature(
        "dtype_not_supported_for_model",
        (r"model type '?(?P<model>[\w.-]+)'? does not support float16",),
        "The model {model} gives wrong numbers in float16.",
        "Set dtype: bfloat16 (or float32 on a GPU without it).",
    ),
    Signature(
        "kv_dtype_not_supported_for_model",
        (
            r"TurboQuant KV cache is not supported|Workspace is locked but allocation from 'turboquant",
            r"Unknown TurboQuant cache dtype: '(?P<dtype>[^']+)'",
            r"(?P<dtype>nvfp4) KV cache is not supported with MLA",
            r"--kv-cache-dtype (?P<dtype>\S+) is not supported by",
            r"[Uu]nsupported kv_cache_dtype\b.*?(?:got|:) (?P<dtype>[\w.]+)",
        ),
        "This release can't store this model's KV cache in the chosen type.",
        _OTHER_KV,
    ),
    Signature(
        "kv_dtype_not_supported_on_gpu",
        (
            r"fp8e4nv(?:'| data type)?\)? (?:is )?not supported (?:in|on) (?:this|CUDA) arch",
            r"kv-cache-dtype (?P<dtype>\S+) requires (?:the )?(?:sm|SM)\w*|requires sm100f",
            r"KV cache is not supported (?:by the .+? backend )?on (?P<gpu>.+?) \(compute",
            r"(?i:fp8) KV cache (?:requires|is only supported on|is not supported on) .*(?i:capability|SM|GPU)",
        ),
        "This GPU can't store the KV cache in the chosen type.",
        "Leave kv_cache_dtype out (16 bits), or set kv_cache_dtype: int8_per_token_head on GPUs without FP8. Where it is not "
        "set at all, the checkpoint's FP8 weights are meant: use one in another format (AWQ, GPTQ, bf16).",
    ),
    Signature(
        "kv_dtype_conflicts_with_checkpoint",
        (
            r"fp8_e5m2 kv-cache is not supported with fp8 checkpoints",
            r'kv_cache_dtype="?(?P<dtype>[^" ]+)"? is incompatible with dtype=',
        ),
        "The KV cache's type does not go with the checkpoint's.",
        "Set kv_cache_dtype: fp8 (which is e4m3), or leave it out.",
    ),
    Signature(
        "attention_backend_invalid_for_config",
        (
            r"Selected backend (?:AttentionBackendEnum\.)?(?P<backend>\S+) is not valid for this configuration\. Reason: (?P<why>.+)",
            r"No valid (?:\w+ )*(?:attention|prefill) backend found(?:.*Reasons: (?P<why>.+))?",
            r"is not supported with (?P<backend>\w+Backend)\b",
            r"Error: (?P<backend>\w+(?:Backend|MLAImpl|AttentionImpl|Attention\w*Impl)) (?:does not|doesn't|only) (?:yet )?supports? (?P<why>.*)",
            r"Invalid attention backend(?: for \w+|: '(?P<backend>\w+)')",
            r"Attention backend '?(?P<backend>\w+)'? has been removed",
            r"(?P<backend>Flash\w+|Triton\w*|XFormers)(?: V1)? with FP8 KV cache not",
            r"CUDAGraphMode\.\w+ is not supported with (?P<backend>\w+) backend",
            r"Head size \d+ is not supported by (?P<backend>\w+)|\bhead_(?:dim|size)\w*\)?=\S.* is not supported on (?:SM|sm)",
            r"Error: (?P<backend>(?i:xformers|flash_?infer|flash_?attention|flash_?mla|flex_?attention|triton_?attn|aiter)\w*)(?: V\d)?(?: backend)?"
            r"(?: currently)? (?:does not support|only supports (?!Ampere)|do not support|with FP8 KV cache not) ?(?P<why>.*)",
            r"[Ss]inks are only supported (?:in|by|with)|does not support attention sinks|flash attention build does not support",
            r"(?:No operator found for|Operator) `memory_efficient_attention|Cascade attention does not support|Unsupported head[_ ]size:? \d+",
        ),
        causes.backend_refused,
        OTHER_BACKEND,
    ),
    Signature(
        "quantization_mismatch",
        (
            r"Quantization method specified in the model config \((?P<model>[^)]+)\) does not match .*argument \((?P<asked>[^)]+)\)",
        ),
        "The checkpoint is quantized with {model}, and settings.quantization says {asked}.",
        "Leave quantization out: vLLM reads it from the checkpoint.",
    ),
    Signature(
        "quantization_mismatch",
        (
            r"(?P<dtype>torch\.\w+) is not supported for quantization method (?P<method>\w+)\. Supported dtypes: \[?(?P<choices>[^\]]+)",
        ),
        "The quantization {method} does not work in {dtype}.",
        "Set dtype to one of: {choices} (torch.float16 is `half`), or leave quantization out so that vLLM takes a faster kernel.",
    ),
    Signature(
        "quantization_mismatch",
        (r"Cannot find the config file for (?P<method>\w+)",),
        "settings.quantization says {method}, but the checkpoint is not quantized that way.",
        "Leave quantization out, or use a checkpoint in that format.",
    ),
    Signature(
        "quantization_mismatch",
        (
            r"does not support (?P<method>\w+) quantization yet",
            r"(?P<method>Bits?AndBytes) with enforce_eager = False is not supported",
        ),
        "This release can't load {method} weights for this model, or not with these settings.",
        "Use an image with a newer vLLM, a checkpoint in another format, or enforce_eager: true where the line names it.",
    ),
    Signature(
        "quantization_not_supported_on_gpu",
        (
            r"quantization method (?P<method>\S+) is not supported for the current GPU\. Minimum capability: (?P<least>\d+)",
            r"(?<!\S)(?P<method>\S+) quantization is currently not supported in",
        ),
        "This GPU can't compute with {method} weights.",
        "Use a checkpoint in a format that this GPU has, such as AWQ or GPTQ; the line may name the capability that is missing.",
    ),
    Signature(
        "kv_connector_with_hybrid_model",
        (
            r"Hybrid KV cache manager is disabled but failed to convert the KV cache specs",
            r"Hybrid KV cache manager was explicitly enabled but is not supported",
            r"[Cc]onnector \S* ?does not support (?:HMA|hybrid)|External KV connector is not verified yet",
        ),
        "The KV connector or offloading can't serve a hybrid model.",
        "Remove kv_transfer_config and kv_offloading_size for this model, or use an image with a newer vLLM.",
    ),
    Signature(
        "cpu_offload",
        (
            r"Expected all tensors to be on the same device",
            r"Cannot re-initialize the input batch when CPU weight offloading",
            r"offload_(?:num_in_group|prefetch_step) \(\d+\) must be",
            r"UVA is not available|Only dense CPU tensors can be pinned|CPU offload space must be|get_(?:cuda|xpu)_view_from_cpu_tensor",
        ),
        "CPU offloading does not work with this model or these settings.",
        "Name what to offload (cpu_offload_params: [experts]), remove cpu_offload_gb, or use an image with a newer vLLM.",
    ),
    Signature(
        "speculative_config_invalid",
        (r"num_speculative_tokens:(?P<asked>\d+) must be divisible by n_predict=(?P<step>\d+)",),
        "The draft predicts {step} tokens at a time, and num_speculative_tokens is {asked}.",
        remedies.speculative_multiple,
    ),
    Signature(
        "speculative_config_invalid",
        (
            r"\b(?P<method>\w+) is only supported for (?P<models>\[[^\]]+\]|\w+) models\. Got",
            r"Eagle3 is only supported for (?P<models>\[[^\]]+\]|\w+)",
            r"Unsupported speculative method: '(?P<method>\w+)'",
            r"Speculative decoding with draft model is not supported yet",
        ),
        "This release can't speculate with that method for this model.",
        "Use another method in speculative_config (mtp, ngram, draft_model), an image with a newer vLLM, or no speculation.",
    ),
    Signature(
        "speculative_config_invalid",
        (
            r"num_speculative_tokens was provided (?:but )?without speculative.model",
            r"num_speculative_tokens must be provided with speculative model",
            r"A speculative model was provided, but",
            r"Expected num_speculative_tokens to be greater than zero",
            r"speculative_(?:max_model_len|draft_tensor_parallel_size)=\d+ cannot be",
            r"should have the same vocabulary size",
            r"is not a valid argument in the speculative_config|--speculative-config\['\w+'\] are mutually exclusive",
            r"prompt_lookup_(?:min|max)\b.* (?:must be|when using)",
            r"DSpark requires|Qwen3-Omni DSpark|suffix_decoding_\w+=",
            r"scheduled_token_delta|max_num_scheduled_tokens is set to",
        ),
        "speculative_config does not go with the model or is not complete.",
        "Correct speculative_config: a method, num_speculative_tokens, and a draft model made for this very model.",
    ),
    Signature(
        "speculative_config_invalid",
        (
            r"(?:ValueError|NotImplementedError|AssertionError|TypeError): .*"
            r"(?:[Ss]peculativ|[Dd]raft(?:er| model)|E(?:AGLE|agle)|D[Ff]lash\d?\b|DSpark|\bMTP\b)",
        ),
        "vLLM refuses this kind of speculation for the model or the settings.",
        "Remove speculative_config, or use a method and a draft model that this release knows; the line names the reason.",
        kind="general",
    ),
    Signature(
        "speculative_config_invalid",
        (_WRAPPER,),
        "The server died while it loaded the draft model.",
        "Use a draft model made for this model and a release that knows its format, or remove speculative_config.",
        kind="symptom",
        phases=("drafting",),
    ),
    Signature(
        "block_size",
        (
            r"No common block size for (?P<block>\d+)",
            r"share no supported KV cache block size",
            r"KV cache block size (?P<block>\d+) is not supported",
            r"Block_size\((?P<block>\d+)\) should be|Block size must be a multiple of|Unsupported block size: \d+",
        ),
        "The attention backends of this model share no block size with block_size.",
        "Leave block_size out, or set what the model's recipe says (128 for models with sparse attention).",
    ),
    Signature(
        "kernel_limit",
        (r"\.cu:\d+\): invalid configuration argument", r"CUDA error: invalid configuration argument"),
        "A kernel can't be launched for so many sequences.",
        "Set max_num_seqs: 256 or lower.",
    ),
    Signature(
        "kernel_not_for_gpu",
        (
            r"Unknown SF transformation|Assertion error \(?\S*(?:deep_?gemm|csrc/apis/|csrc/jit)|DeepGEMM (?:backend )?is not available",
        ),
        "DeepGEMM does not work on this GPU or with this checkpoint.",
        "Set VLLM_USE_DEEP_GEMM=0 and VLLM_MOE_USE_DEEP_GEMM=0 in env.",
    ),
    Signature(
        "kernel_not_for_gpu",
        (
            r"Sinks must be of type float32",
            r"routing_logits must be bfloat16",
            r"Failed to find a kernel that can implement",
            r"No (?:\w+ )*MoE backend (?:supports|found|available)|MoE backend '\w+' does not support the deployment configuration",
            r"Failed to (?:run|initialize) (?:cutlass )?(?:\w+ )?(?:GEMM|gemm)\b|Error occurred when running GEMM",
            r"[Uu]nsupported (?:GPU|CUDA|SM|compute) (?:arch|capability)|only supports Ampere GPUs or newer",
            r"(?:ValueError|RuntimeError|NotImplementedError): .*only (?:supported|available|works) on (?:SM|sm_?|Hopper|Blackwell|H100|B200)\w*",
        ),
        "A kernel that vLLM chose does not work with this model's types on this GPU.",
        "Set moe_backend, attention_backend or VLLM_USE_FLASHINFER_MOE_FP8=0 as the model's recipe says for this GPU, or use "
        "an image with a newer vLLM.",
    ),
    Signature(
        "compile_cache_stale",
        (
            r"object has no attribute 'workspace'",
            r"failed to compile the model\. The most likely reason|failed to get the hash of the compiled graph",
            r"(?:FileNotFoundError|No such file).*torch_(?:aot_)?compile",
        ),
        "The compile cache was made by another GPU or release, or is broken.",
        "Remove the cache of this instance (vllm_state_dir/<instance>/cache) and do not share one between kinds of GPUs.",
    ),
    Signature(
        "startup_timeout",
        (
            r"Timed out waiting for engine|Did not receive response from front-end process within",
            r"configured by VLLM_ENGINE_READY_TIMEOUT_S|VLLM_ENGINE_READY_TIMEOUT_S",
            r"[Ss]tart operation timed out\. Terminating",
        ),
        "The engine was not ready in time: large weights, a slow disk, or the first compilation.",
        "Set VLLM_ENGINE_READY_TIMEOUT_S=3600 in env and a longer gate timeout; fetch the weights beforehand to a local disk.",
    ),
    Signature(
        "nccl_hang_or_error",
        (
            r"NCCL [Ee]rror(?: \d+)?: (?P<why>.+)|NCCL error in: |NCCL_ERROR_\w+",
            r"Timed out initializing process group in store based barrier",
            r"ncclSystemError|ncclInternalError|ncclUnhandledCudaError|ncclRemoteError|DistBackendError",
            r"DistNetworkError|[Cc]onnectFullMesh failed|Watchdog caught collective operation timeout",
        ),
        "The GPUs' processes can't talk to each other through NCCL.",
        "Set NCCL_DEBUG=INFO in env and read on. Over PCIe try NCCL_P2P_DISABLE=1 and disable_custom_all_reduce: true; "
        "across hosts set NCCL_SOCKET_IFNAME.",
        kind="general",
    ),
    Signature(
        "nccl_hang_or_error",
        (r"vLLM is using nccl==(?P<version>[\d.]+)$",),
        "The start stopped where the GPUs first talk to each other: peer-to-peer access is probably broken.",
        "Try NCCL_P2P_DISABLE=1 in env and disable_custom_all_reduce: true; look at IOMMU and ACS; raise limits: {{shm: 16g}}.",
        kind="hint",
        only_last=True,
    ),
    Signature(
        "nccl_hang_or_error",
        (r"NCCL WARN (?:Cuda|HIP|NVML) failure",),
        "NCCL got an error from the GPU's driver while the GPUs' processes were connected.",
        "Set NCCL_DEBUG=INFO in env and read on. Try NCCL_P2P_DISABLE=1, NCCL_CUMEM_ENABLE=0 or NCCL_NVLS_ENABLE=0.",
        kind="hint",
    ),
    Signature(
        "nccl_hang_or_error",
        (r"No available shared memory broadcast block found",),
        "A worker has not answered for a minute: it still loads or compiles, or it hangs.",
        "Wait if the GPUs' memory grows. If not, try NCCL_P2P_DISABLE=1 in env and disable_custom_all_reduce: true.",
        kind="hint",
    ),
    Signature(
        "cuda_illegal_memory_access",
        (
            r"an illegal (?:memory access|instruction) was encountered|unspecified launch failure|CUDA error: misaligned address",
            r"\bXid (?:\(\S+\): )?(?P<xid>\d+)",
            r"device-side assert triggered|uncorrectable ECC error|GPU is lost|GPU has fallen off the bus",
        ),
        "A kernel read or wrote memory that is not its own: a fault of this release with this model, or of the GPU.",
        "Lower num_speculative_tokens, try enforce_eager: true, use the image of another release; if it comes back, look for "
        "Xid messages in the kernel's log (dmesg).",
        kind="general",
    ),
)
