"""Cases of the rules of this package: what each says, and where it is silent."""

from __future__ import annotations

import dataclasses
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu

from .cases import mtp

WITHOUT_MTP = {
    "groups": [{"name": "model.layers.*.mlp.down_proj.weight", "dtype": "BF16", "bytes": 9, "count": 3}]
}
WITH_MTP = {
    "groups": [*WITHOUT_MTP["groups"], {"name": "mtp.fc.weight", "dtype": "BF16", "bytes": 1, "count": 1}]
}
SUMS = {"total_bytes": 10**9}
DRAFT = parse_model({"architectures": ["DFlash2DraftModel"], "model_type": "qwen3"})
DFLASH = {"method": "dflash", "model": "z-lab/draft", "num_speculative_tokens": 8}
EAGLE3 = {"method": "eagle3", "model": "draft", "num_speculative_tokens": 3}


@dataclasses.dataclass(frozen=True)
class Judged:
    """A case, and whether a rule speaks."""

    what: str
    code: str
    speaks: bool
    model: str
    release: str = "0.26.0"
    gpus: tuple[t.Any, ...] = ("H100",)
    settings: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    env: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    tensors: t.Mapping[str, t.Any] | None = None
    driver: str | None = None
    draft: t.Any = None
    file: str | None = None  # the model as it is named, where that matters
    adapters: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)


TWO_MORE = {"num_redundant_experts": 2}
STRETCHED = {"max_model_len": 131072, "hf_overrides": {"rope_scaling": {}}}
FORCED = {"VLLM_ALLOW_LONG_MAX_MODEL_LEN": "1"}
OFFLINE = {"HF_HUB_OFFLINE": "1"}
COMPATIBLE = {"VLLM_ENABLE_CUDA_COMPATIBILITY": "1"}
PLAIN_AWQ = {"quantization": "awq", "dtype": "bfloat16"}


def tp(size: int, **more: t.Any) -> dict[str, t.Any]:
    return {"tensor_parallel_size": size, **more}


def kv(dtype: str, **more: t.Any) -> dict[str, t.Any]:
    return {"kv_cache_dtype": dtype, **more}


def drafts(keys: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {"speculative_config": keys}


def offload(name: str) -> dict[str, t.Any]:
    return {"cpu_offload_params": {name}}


def lora(rank: int) -> dict[str, t.Any]:
    return {"enable_lora": True, "max_lora_rank": rank}


def adapter(**more: t.Any) -> dict[str, t.Any]:
    return {"enable_lora": True, "lora_modules": [{"name": "sql", "path": "/lora/sql"}], **more}


def of_rank(rank: t.Any) -> dict[str, t.Any]:
    return {"/lora/sql": {"adapter_rank": rank}}


AWQ, GPTQ = "Qwen2.5-32B-Instruct-AWQ", "Qwen2.5-32B-Instruct-GPTQ-Int4"
NEMOTRON = "Nemotron-3-Nano-30B-A3B"
LLAMA, HYBRID, CODER = "Llama-3.1-8B", "Qwen3.6-27B", "Qwen3-Coder-30B-A3B-Instruct-FP8"
CASES = [
    Judged("V100 on CUDA 13", "image_lacks_gpu_arch", True, LLAMA, "0.20.0", ("V100",)),
    Judged("V100 on the last CUDA 12", "image_lacks_gpu_arch", False, LLAMA, "0.19.1", ("V100",)),
    Judged("an RTX 5090", "image_lacks_gpu_arch", False, LLAMA, "0.26.0", ("RTX 5090",)),
    Judged("a GB10 runs what is built for 12.0", "image_lacks_gpu_arch", False, LLAMA, "0.26.0", ("GB10",)),
    Judged("Thor before its code", "image_lacks_gpu_arch", True, LLAMA, "0.19.1", (Gpu("Thor", "11.0", 122880),)),
    Judged("no capability known", "image_lacks_gpu_arch", False, LLAMA, "0.26.0", (Gpu("GPU", None, 24576),)),
    Judged("CUDA 13 on driver 570", "driver_older_than_image_cuda", True, LLAMA, "0.20.0", driver="570.133.20"),
    Judged("CUDA 13 on driver 580", "driver_older_than_image_cuda", False, LLAMA, "0.20.0", driver="580.65.06"),
    Judged("CUDA 12 on driver 570", "driver_older_than_image_cuda", False, LLAMA, "0.19.1", driver="570.133.20"),
    Judged("CUDA 12 on driver 470", "driver_older_than_image_cuda", True, LLAMA, "0.19.1", driver="470.256.02"),
    Judged("compatibility libraries", "driver_older_than_image_cuda", False, LLAMA, env=COMPATIBLE, driver="570.1"),
    Judged("no driver known", "driver_older_than_image_cuda", False, LLAMA, "0.26.0"),
    Judged("12.9 on driver 550", "image_cuda_newer_than_driver", True, LLAMA, "0.19.1", driver="550.163.01"),
    Judged("12.9 on driver 575", "image_cuda_newer_than_driver", False, LLAMA, "0.19.1", driver="575.57.08"),
    Judged("CUDA 13 is another rule's", "image_cuda_newer_than_driver", False, LLAMA, "0.20.0", driver="550.163.01"),
    Judged("a UUID on 0.23", "env_invalid", True, LLAMA, "0.23.0", env={"CUDA_VISIBLE_DEVICES": "GPU-1c6f148d"}),
    Judged("a UUID on 0.24", "env_invalid", False, LLAMA, "0.24.0", env={"CUDA_VISIBLE_DEVICES": "GPU-1c6f148d"}),
    Judged("a number on 0.23", "env_invalid", False, LLAMA, "0.23.0", env={"CUDA_VISIBLE_DEVICES": "0,1"}),
    Judged("gpt-oss offline", "model_access", True, "gpt-oss-120b", "0.10.1", env=OFFLINE),
    Judged("gpt-oss with its vocabulary", "model_access", False, "gpt-oss-120b", env={**OFFLINE, "TIKTOKEN_ENCODINGS_BASE": "/v"}),
    Judged("another model offline", "model_access", False, LLAMA, env=OFFLINE),
    Judged("before gpt-oss", "model_access", False, "gpt-oss-120b", "0.10.0", env=OFFLINE),
    Judged("10 KV heads on 4", "kv_heads_not_divisible", True, "phi-like", settings=tp(4)),
    Judged("10 KV heads on 5", "kv_heads_not_divisible", False, "phi-like", settings=tp(5)),
    Judged("2 KV heads copied to 4", "kv_heads_not_divisible", False, "Qwen3.6-35B-A3B", settings=tp(4)),
    Judged("latent attention", "kv_heads_not_divisible", False, "DeepSeek-V3", settings=tp(8)),
    Judged("48 value heads on 32", "state_heads_not_divisible", True, HYBRID, settings=tp(32)),
    Judged("48 value heads on 16", "state_heads_not_divisible", False, HYBRID, settings=tp(16)),
    Judged("no linear attention", "state_heads_not_divisible", False, LLAMA, settings=tp(32)),
    Judged("256 experts on 3", "experts_not_divisible", True, "DeepSeek-V4-Flash", settings=tp(3, enable_expert_parallel=True)),
    Judged("256 experts on 4", "experts_not_divisible", False, "DeepSeek-V4-Flash", settings=tp(4, enable_expert_parallel=True)),
    Judged("two experts more", "experts_not_divisible", False, "DeepSeek-V4-Flash", settings=tp(3, enable_expert_parallel=True, eplb_config=TWO_MORE)),
    Judged("without expert parallelism", "experts_not_divisible", False, "DeepSeek-V4-Flash", settings=tp(3)),
    Judged("uneven experts of others", "experts_not_divisible", False, "Qwen3.6-35B-A3B", settings=tp(3, enable_expert_parallel=True)),
    Judged("768 in blocks of 128 on 4", "fp8_block_not_divisible", True, CODER, settings=tp(4)),
    Judged("768 in blocks of 128 on 2", "fp8_block_not_divisible", False, CODER, settings=tp(2)),
    Judged("whole experts on 4", "fp8_block_not_divisible", False, CODER, settings=tp(4, enable_expert_parallel=True)),
    Judged("not quantized", "fp8_block_not_divisible", False, "Qwen3.6-35B-A3B", settings=tp(8)),
    Judged("27648 in tiles on 16", "marlin_tile_not_divisible", True, GPTQ, settings=tp(16)),
    Judged("27648 in tiles on 8", "marlin_tile_not_divisible", False, GPTQ, settings=tp(8)),
    Judged("another kernel asked for", "marlin_tile_not_divisible", False, GPTQ, settings=tp(16, quantization="gptq")),
    Judged("e5m2 with an FP8 checkpoint", "kv_dtype_conflicts_with_checkpoint", True, "Qwen3.6-27B-FP8", settings=kv("fp8_e5m2")),
    Judged("e4m3 with an FP8 checkpoint", "kv_dtype_conflicts_with_checkpoint", False, "Qwen3.6-27B-FP8", settings=kv("fp8")),
    Judged("e5m2 with weight-only, 0.23", "kv_dtype_conflicts_with_checkpoint", True, "Qwen3-32B-w4a16", "0.23.0", settings=kv("fp8_e5m2")),
    Judged("e5m2 with weight-only, 0.24", "kv_dtype_conflicts_with_checkpoint", False, "Qwen3-32B-w4a16", "0.24.0", settings=kv("fp8_e5m2")),
    Judged("e5m2 with AWQ", "kv_dtype_conflicts_with_checkpoint", False, AWQ, settings=kv("fp8_e5m2")),
    Judged("e4m3 in Triton on 8.6", "kv_dtype_not_supported_on_gpu", True, LLAMA, gpus=("RTX 3090",), settings=kv("fp8", attention_backend="TRITON_ATTN")),
    Judged("e4m3 in Triton on 8.9", "kv_dtype_not_supported_on_gpu", False, LLAMA, gpus=("RTX 4090",), settings=kv("fp8", attention_backend="TRITON_ATTN")),
    Judged("e4m3 in FlashInfer on 8.6", "kv_dtype_not_supported_on_gpu", False, LLAMA, gpus=("RTX 3090",), settings=kv("fp8")),
    Judged("fp8 per head on 8.6", "kv_dtype_not_supported_on_gpu", True, LLAMA, gpus=("RTX 3090",), settings=kv("fp8_per_token_head")),
    Judged("TurboQuant of a hybrid, 0.25", "kv_dtype_not_supported_for_model", True, HYBRID, "0.25.0", settings=kv("turboquant_k8v4")),
    Judged("TurboQuant of a hybrid, 0.24", "kv_dtype_not_supported_for_model", False, HYBRID, "0.24.0", settings=kv("turboquant_k8v4")),
    Judged("TurboQuant of a hybrid, 0.27", "kv_dtype_not_supported_for_model", False, HYBRID, "0.27.0", settings=kv("turboquant_k8v4")),
    Judged("TurboQuant of Gemma 4", "kv_dtype_not_supported_for_model", True, "gemma-4-31B-it", "0.20.0", settings=kv("turboquant_3bit_nc")),
    Judged("fp8 of Gemma 4", "kv_dtype_not_supported_for_model", False, "gemma-4-31B-it", settings=kv("fp8")),
    Judged("Qwen3.5 on 0.16", "model_arch_unsupported", True, HYBRID, "0.16.0"),
    Judged("Qwen3.5 on 0.17", "model_arch_unsupported", False, HYBRID, "0.17.0"),
    Judged("a class nobody registers", "model_arch_unsupported", False, "phi-like", "0.10.0"),
    Judged("asked of Transformers", "model_arch_unsupported", False, HYBRID, "0.16.0", settings={"model_impl": "transformers"}),
    Judged("DFlash 2 on 0.27", "draft_model_arch_unsupported", True, HYBRID, "0.27.1", settings=drafts(DFLASH), draft=DRAFT),
    Judged("DFlash 2 on 0.28", "draft_model_arch_unsupported", False, HYBRID, "0.28.0", settings=drafts(DFLASH), draft=DRAFT),
    Judged("a draft that is not used", "draft_model_arch_unsupported", False, HYBRID, "0.27.1", draft=DRAFT),
    Judged("MTP without its layers", "mtp_weights", True, HYBRID, settings=drafts(mtp(2)), tensors=WITHOUT_MTP),
    Judged("MTP with its layers", "mtp_weights", False, HYBRID, settings=drafts(mtp(2)), tensors=WITH_MTP),
    Judged("MTP, half downloaded", "mtp_weights", False, HYBRID, settings=drafts(mtp(2)), tensors={**WITHOUT_MTP, "complete": False}),
    Judged("MTP, sums alone", "mtp_weights", False, HYBRID, settings=drafts(mtp(2)), tensors=SUMS),
    Judged("MTP, nothing known", "mtp_weights", False, HYBRID, settings=drafts(mtp(2))),
    Judged("offload of a foreign name", "offload_pattern_matches_nothing", True, HYBRID, settings=offload("ffn"), tensors=WITHOUT_MTP),
    Judged("offload of its own name", "offload_pattern_matches_nothing", False, HYBRID, settings=offload("mlp"), tensors=WITHOUT_MTP),
    Judged("offload of a fused name", "offload_pattern_matches_nothing", False, HYBRID, settings=offload("experts.w2_weight"), tensors=WITHOUT_MTP),
    Judged("offload before its option", "offload_pattern_matches_nothing", False, HYBRID, "0.16.0", settings=offload("ffn"), tensors=WITHOUT_MTP),
    Judged("EAGLE-3 of Gemma 3", "speculative_config_invalid", True, "gemma-3-12b-it", "0.13.0", settings=drafts(EAGLE3)),
    Judged("EAGLE-3 of Gemma 3 since 0.22", "speculative_config_invalid", False, "gemma-3-12b-it", "0.22.0", settings=drafts(EAGLE3)),
    Judged("EAGLE-3 of Llama", "speculative_config_invalid", False, LLAMA, "0.13.0", settings=drafts(EAGLE3)),
    Judged("EAGLE-3 of DeepSeek, 0.17", "speculative_config_invalid", True, "DeepSeek-V3", "0.17.1", settings=drafts(EAGLE3)),
    Judged("EAGLE-3 of DeepSeek, 0.18", "speculative_config_invalid", False, "DeepSeek-V3", "0.18.0", settings=drafts(EAGLE3)),
    Judged("AWQ in bfloat16, 0.23", "quantization_mismatch", True, AWQ, "0.23.0", settings=PLAIN_AWQ),
    Judged("AWQ in bfloat16, 0.24", "quantization_mismatch", False, AWQ, "0.24.0", settings=PLAIN_AWQ),
    Judged("AWQ by Marlin", "quantization_mismatch", False, AWQ, "0.23.0", settings={"dtype": "bfloat16"}),
    Judged("GGUF with an FP8 config, 0.23", "quantization_mismatch", True, "DeepSeek-V3", "0.23.0", file="/m/r1.gguf"),
    Judged("GGUF with an FP8 config, 0.24", "quantization_mismatch", False, "DeepSeek-V3", "0.24.0", file="/m/r1.gguf"),
    Judged("GGUF with a plain config", "quantization_mismatch", False, LLAMA, "0.23.0", file="/m/l.gguf"),
    Judged("rank 256 for experts", "lora", True, NEMOTRON, "0.28.0", settings=lora(256)),
    Judged("rank 128 for experts", "lora", False, NEMOTRON, "0.28.0", settings=lora(128)),
    Judged("rank 256 for a dense model", "lora", False, LLAMA, "0.28.0", settings=lora(256)),
    Judged("rank 256 before that kernel", "lora", False, NEMOTRON, "0.27.1", settings=lora(256)),
    Judged("an adapter of rank 17, by default", "lora", True, LLAMA, settings=adapter(), adapters=of_rank(17)),
    Judged("an adapter of rank 16, by default", "lora", False, LLAMA, settings=adapter(), adapters=of_rank(16)),
    Judged("an adapter of rank 65 of 64", "lora", True, LLAMA, "0.10.0", settings=adapter(max_lora_rank=64), adapters=of_rank(65)),
    Judged("an adapter of rank 64 of 64", "lora", False, LLAMA, "0.10.0", settings=adapter(max_lora_rank=64), adapters=of_rank(64)),
    Judged("an adapter that nothing is known of", "lora", False, LLAMA, settings=adapter()),
    Judged("a directory that is no adapter", "lora", False, LLAMA, settings=adapter(), adapters=of_rank(None)),
    Judged("a rank that is none", "lora", False, LLAMA, settings=adapter(), adapters=of_rank("64")),
    Judged("another adapter than those named", "lora", False, LLAMA, settings=adapter(), adapters={"/lora/x": {"adapter_rank": 64}}),
    Judged("an adapter without enable_lora", "lora", False, LLAMA, settings=adapter(enable_lora=False), adapters=of_rank(64)),
    Judged("1024 sparse sequences", "kernel_limit", True, "DeepSeek-V3.2-Exp", "0.11.0", ("H200",) * 8),
    Judged("256 sparse sequences", "kernel_limit", False, "DeepSeek-V3.2-Exp", "0.11.0", ("H200",) * 8, {"max_num_seqs": 256}),
    Judged("1024 sparse sequences later", "kernel_limit", False, "DeepSeek-V3.2-Exp", "0.12.0", ("H200",) * 8),
    Judged("forced beyond the model", "context_forced_beyond_model", True, "Qwen3-32B", settings={"max_model_len": 40961}, env=FORCED),
    Judged("forced, at the limit", "context_forced_beyond_model", False, "Qwen3-32B", settings={"max_model_len": 40960}, env=FORCED),
    Judged("forced and stretched", "context_forced_beyond_model", False, "Qwen3-32B", settings=STRETCHED, env=FORCED),
    Judged("not forced: another rule's", "context_forced_beyond_model", False, "Qwen3-32B", settings={"max_model_len": 131072}),
]  # fmt: skip
