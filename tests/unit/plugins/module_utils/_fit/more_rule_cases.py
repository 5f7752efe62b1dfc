"""Cases of the rules about attention backends, connectors, schemes of quantization and drafts of EAGLE."""

from __future__ import annotations

import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu

from .rule_cases import EAGLE3, HYBRID, LLAMA, Judged, drafts, kv, tp

BACKEND, CACHE, CONNECTOR = (
    "attention_backend_invalid_for_config",
    "kv_dtype_not_supported_on_gpu",
    "kv_connector_with_hybrid_model",
)
ALLOCATOR, SCHEME, DRAFT, BLOCKS = (
    "allocator_env",
    "quant_scheme_not_for_gpu",
    "draft_model_arch_unsupported",
    "fp8_block_not_divisible",
)
MOVING = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
TURING = (Gpu("NVIDIA GeForce RTX 2080 Ti", "7.5", 22528),)
MI355X = (Gpu("AMD Instinct MI355X", None, 294896),)
SPARSE, LATENT, SINKS = "DeepSeek-V3.2-Exp", "DeepSeek-V3", "gpt-oss-20b"
QWEN_DRAFT = parse_model({"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2"})
QWEN3_DRAFT = parse_model({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3"})
LLAMA_DRAFT = parse_model({"architectures": ["LlamaForCausalLM"], "model_type": "llama"})
NAMED_DRAFT = parse_model({"architectures": ["EagleQwen2ForCausalLM"], "model_type": "eagle"})
EAGLE = {"method": "eagle", "model": "draft", "num_speculative_tokens": 3}
OWN_DRAFT = {"method": "mtp", "num_speculative_tokens": 2}
PIPELINE, DRAFT_PIPELINE = "pipeline_not_supported", "draft_pipeline_not_supported"
EVENTS = {"kv_events_config": {"enable_kv_cache_events": True}}


def backend(name: str, **more: t.Any) -> dict[str, t.Any]:
    return {"attention_backend": name, **more}


def pp(size: int, **more: t.Any) -> dict[str, t.Any]:
    return {"pipeline_parallel_size": size, **more}


def connector(name: str, **more: t.Any) -> dict[str, t.Any]:
    return {"kv_transfer_config": {"kv_connector": name, "kv_role": "kv_both"}, **more}


MORE = [
    Judged("sinks in FlashInfer on 12.0, 0.27", BACKEND, True, SINKS, "0.27.1", ("RTX PRO 6000",), backend("FLASHINFER")),
    Judged("sinks in FlashInfer on 12.0, 0.28", BACKEND, False, SINKS, "0.28.0", ("RTX PRO 6000",), backend("flashinfer")),
    Judged("sinks in FlashInfer on 10.0", BACKEND, False, SINKS, "0.26.0", ("B200",), backend("FLASHINFER")),
    Judged("sinks in Triton on 12.0", BACKEND, False, SINKS, "0.26.0", ("RTX PRO 6000",), backend("TRITON_ATTN")),
    Judged("asked for in attention_config", BACKEND, True, SINKS, "0.26.0", ("RTX PRO 6000",), {"attention_config": {"backend": "FLASHINFER"}}),
    Judged("asked for by the variable, 0.14", BACKEND, True, SINKS, "0.14.1", ("RTX PRO 6000",), env={"VLLM_ATTENTION_BACKEND": "FLASHINFER"}),
    Judged("the variable without effect, 0.15", BACKEND, False, SINKS, "0.15.0", ("RTX PRO 6000",), env={"VLLM_ATTENTION_BACKEND": "FLASHINFER"}),
    Judged("heads of 512 in FlashInfer, 0.21", BACKEND, True, "gemma-4-31B-it", "0.21.0", ("RTX 5090",), backend("FLASHINFER")),
    Judged("heads of 512 in FlashInfer, 0.22", BACKEND, False, "gemma-4-31B-it", "0.22.0", ("RTX 5090",), backend("FLASHINFER")),
    Judged("an fp8 cache in FlashAttention on 8.9", BACKEND, True, LLAMA, "0.26.0", ("L4",), kv("fp8", attention_backend="FLASH_ATTN")),
    Judged("an fp8 cache in FlashAttention on 9.0", BACKEND, False, LLAMA, "0.26.0", ("H100",), kv("fp8", attention_backend="FLASH_ATTN")),
    Judged("blocks of 8 in FlashInfer", BACKEND, True, LLAMA, "0.26.0", ("RTX 5090",), backend("FLASHINFER", block_size=8)),
    Judged("blocks of 48 in FlashInfer", BACKEND, False, LLAMA, "0.26.0", ("RTX 5090",), backend("FLASHINFER", block_size=48)),
    Judged("blocks before anybody asked, 0.17", BACKEND, False, LLAMA, "0.17.1", ("RTX 5090",), backend("FLASHINFER", block_size=8)),
    Judged("latent attention in FlashAttention", BACKEND, True, LATENT, "0.26.0", ("H100",) * 8, backend("FLASH_ATTN")),
    Judged("a backend of nobody's", BACKEND, False, LLAMA, "0.26.0", ("H100",), backend("CUSTOM")),
    Judged("the GPU alone is another rule's", BACKEND, False, LATENT, "0.26.0", ("H100",) * 8, backend("CUTLASS_MLA")),
    Judged("before backends were asked, 0.11.0", BACKEND, False, SINKS, "0.11.0", ("RTX PRO 6000",), env={"VLLM_ATTENTION_BACKEND": "FLASHINFER"}),
    Judged("sparse attention on 12.0, 0.23", BACKEND, True, SPARSE, "0.23.0", ("RTX PRO 6000",) * 8),
    Judged("sparse attention on 12.0, 0.24", BACKEND, False, SPARSE, "0.24.0", ("RTX PRO 6000",) * 8),
    Judged("sparse attention on 8.0", BACKEND, True, SPARSE, "0.26.0", ("A100",) * 8),
    Judged("e4m3 by its long name, sparse, on 9.0", BACKEND, True, SPARSE, "0.26.0", ("H200",) * 8, kv("fp8_e4m3")),
    Judged("e4m3 by its short name, sparse, on 9.0", BACKEND, False, SPARSE, "0.26.0", ("H200",) * 8, kv("fp8")),
    Judged("what 0.17 made of the long name", BACKEND, False, SPARSE, "0.17.1", ("H200",) * 8, kv("fp8_e4m3")),
    Judged("a bfloat16 cache by name, 0.14", BACKEND, True, LLAMA, "0.14.1", settings=kv("bfloat16")),
    Judged("a bfloat16 cache by name, 0.15", BACKEND, False, LLAMA, "0.15.0", settings=kv("bfloat16")),
    Judged("nvfp4 on 12.0, 0.31", BACKEND, True, LLAMA, "0.31.0", ("RTX 5090",), kv("nvfp4")),
    Judged("nvfp4 on 12.0, 0.32", BACKEND, False, LLAMA, "0.32.0", ("RTX 5090",), kv("nvfp4")),
    Judged("an fp8 cache that ModelOpt asks for, latent, 0.17", BACKEND, True, "DeepSeek-R1-0528-NVFP4", "0.17.1", ("RTX PRO 6000",) * 8),
    Judged("an fp8 cache that ModelOpt asks for, latent, 0.18", BACKEND, False, "DeepSeek-R1-0528-NVFP4", "0.18.0", ("RTX PRO 6000",) * 8),
    Judged("a GPU that nobody asked of", BACKEND, False, LLAMA, "0.26.0", (Gpu("GPU", "13.0", 24576),), kv("fp8")),
    Judged("e4m3, heads of 96, on 8.6", CACHE, True, "heads-of-96", "0.26.0", ("RTX 3090",), kv("fp8")),
    Judged("e4m3, heads of 96, on 8.9", CACHE, False, "heads-of-96", "0.26.0", ("L4",), kv("fp8")),
    Judged("e4m3 with sinks on 8.6", CACHE, True, SINKS, "0.26.0", ("RTX 3090",), kv("fp8")),
    Judged("e4m3 on 7.5, 0.24", CACHE, True, LLAMA, "0.24.0", TURING, kv("fp8")),
    Judged("e4m3 on 7.5, 0.23", CACHE, False, LLAMA, "0.23.0", TURING, kv("fp8")),
    Judged("e4m3 on 8.6, 0.11.0", CACHE, True, LLAMA, "0.11.0", ("RTX 3090",), kv("fp8")),
    Judged("e4m3 by FlashInfer on 8.6, 0.11.0", CACHE, False, LLAMA, "0.11.0", ("RTX 3090",), kv("fp8"), {"VLLM_ATTENTION_BACKEND": "FLASHINFER"}),
    Judged("e5m2 on 9.0, 0.21", CACHE, True, LLAMA, "0.21.0", settings=kv("fp8_e5m2")),
    Judged("e5m2 on 9.0, 0.22", CACHE, False, LLAMA, "0.22.0", settings=kv("fp8_e5m2")),
    Judged("e5m2 by FlashInfer on 9.0", CACHE, False, LLAMA, "0.21.0", settings=kv("fp8_e5m2", attention_backend="FLASHINFER")),
    Judged("any connector with a hybrid, 0.21", CONNECTOR, True, HYBRID, "0.21.0", settings=connector("NixlConnector")),
    Judged("Nixl with a hybrid, 0.22", CONNECTOR, False, HYBRID, "0.22.0", settings=connector("NixlConnector")),
    Judged("LMCache with a hybrid, 0.22", CONNECTOR, True, HYBRID, "0.22.0", settings=connector("LMCacheConnectorV1")),
    Judged("a connector of one's own, 0.22", CONNECTOR, False, HYBRID, "0.22.0", settings=connector("Mine")),
    Judged("the manager kept on", CONNECTOR, False, HYBRID, "0.21.0", settings=connector("NixlConnector", disable_hybrid_kv_cache_manager=False)),
    Judged("the manager switched off", CONNECTOR, True, HYBRID, settings={"disable_hybrid_kv_cache_manager": True}),
    Judged("events with a hybrid, 0.19", CONNECTOR, True, HYBRID, "0.19.1", settings=EVENTS),
    Judged("events with a hybrid, 0.20", CONNECTOR, False, HYBRID, "0.20.0", settings=EVENTS),
    Judged("a connector with attention alone", CONNECTOR, False, LLAMA, "0.21.0", settings=connector("NixlConnector")),
    Judged("expandable segments on two GPUs", ALLOCATOR, True, LLAMA, settings=tp(2), env=MOVING),
    Judged("expandable segments on one GPU", ALLOCATOR, False, LLAMA, settings=tp(1), env=MOVING),
    Judged("without the custom all-reduce", ALLOCATOR, False, LLAMA, settings=tp(2, disable_custom_all_reduce=True), env=MOVING),
    Judged("four GPUs without NVLink", ALLOCATOR, False, LLAMA, gpus=("RTX 3090",) * 4, settings=tp(4), env=MOVING),
    Judged("another allocator setting", ALLOCATOR, False, LLAMA, settings=tp(2), env={"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:512"}),
    Judged("4-bit weights on 7.5, 0.11", SCHEME, True, "Qwen3-32B-awq-asym", "0.11.2", TURING),
    Judged("4-bit weights on 7.5, 0.12", SCHEME, False, "Qwen3-32B-awq-asym", "0.12.0", TURING),
    Judged("4-bit weights on 8.0", SCHEME, False, "Qwen3-32B-awq-asym", "0.11.2", ("A100",)),
    Judged("a checkpoint that names no scheme", SCHEME, False, "Qwen3-32B-w4a16", "0.11.2", TURING),
    Judged("an EAGLE draft of Qwen2", DRAFT, True, LLAMA, "0.26.0", settings=drafts(EAGLE), draft=QWEN_DRAFT),
    Judged("an EAGLE draft of Llama", DRAFT, False, LLAMA, "0.26.0", settings=drafts(EAGLE), draft=LLAMA_DRAFT),
    Judged("an EAGLE-3 draft of Qwen3, 0.23", DRAFT, True, LLAMA, "0.23.0", settings=drafts(EAGLE3), draft=QWEN3_DRAFT),
    Judged("an EAGLE-3 draft of Qwen3, 0.24", DRAFT, False, LLAMA, "0.24.0", settings=drafts(EAGLE3), draft=QWEN3_DRAFT),
    Judged("a draft that names its class itself", DRAFT, False, LLAMA, "0.26.0", settings=drafts(EAGLE), draft=NAMED_DRAFT),
    Judged("experts as wide as the model says, 192", BLOCKS, True, "MiniMax-M2.7", settings=tp(8)),
    Judged("experts as wide as the model says, 384", BLOCKS, False, "MiniMax-M2.7", settings=tp(4)),
    Judged("a shared expert in parts of 192", BLOCKS, True, "DeepSeek-V4-Pro", settings=tp(16, enable_expert_parallel=True)),
    Judged("a shared expert in parts of 384", BLOCKS, False, "DeepSeek-V4-Pro", settings=tp(8, enable_expert_parallel=True)),
    Judged("95 % of an MI355X", "free_memory_below_utilization", True, LLAMA, gpus=MI355X, settings={"gpu_memory_utilization": 0.95}),
    Judged("94 % of an MI355X", "free_memory_below_utilization", False, LLAMA, gpus=MI355X, settings={"gpu_memory_utilization": 0.94}),
    Judged("95 % of another GPU", "free_memory_below_utilization", False, LLAMA, settings={"gpu_memory_utilization": 0.95}),
    Judged("MiniMax M3 on AMD by default", "block_size", True, "MiniMax-M3", gpus=MI355X),
    Judged("MiniMax M3 in blocks of 64", "block_size", True, "MiniMax-M3", settings={"block_size": 64}),
    Judged("MiniMax M3 in blocks of 256", "block_size", False, "MiniMax-M3", gpus=MI355X, settings={"block_size": 256}),
    Judged("MiniMax M3 elsewhere by default", "block_size", False, "MiniMax-M3"),
    Judged("MiniMax M2 in blocks of 64", "block_size", False, "MiniMax-M2.7", settings={"block_size": 64}),
    Judged("gpt-oss on a B200, 0.10.1", "kernel_not_for_gpu", True, "gpt-oss-120b", "0.10.1", ("B200",)),
    Judged("gpt-oss on a B200, 0.10.2", "kernel_not_for_gpu", False, "gpt-oss-120b", "0.10.2", ("B200",)),
    Judged("gpt-oss on an H100, 0.10.1", "kernel_not_for_gpu", False, "gpt-oss-120b", "0.10.1"),
    Judged("Step 3.5 on a B200, 0.16", "kernel_not_for_gpu", True, "Step-3.5-Flash-FP8", "0.16.0", ("B200",)),
    Judged("Step 3.5 on a B200, 0.17", "kernel_not_for_gpu", False, "Step-3.5-Flash-FP8", "0.17.0", ("B200",)),
    Judged("Step 3.5 without FlashInfer", "kernel_not_for_gpu", False, "Step-3.5-Flash-FP8", "0.16.0", ("B200",), env={"VLLM_USE_FLASHINFER_MOE_FP8": "0"}),
    Judged("MiniMax M3 in a pipeline, 0.24", PIPELINE, True, "MiniMax-M3", "0.24.0", settings=pp(2)),
    Judged("MiniMax M3 in a pipeline, 0.25", PIPELINE, False, "MiniMax-M3", "0.25.1", settings=pp(2)),
    Judged("MiniMax M3 without one, 0.24", PIPELINE, False, "MiniMax-M3", "0.24.0", settings=pp(1)),
    Judged("Llama in a pipeline", PIPELINE, False, LLAMA, "0.24.0", settings=pp(2)),
    Judged("MTP in a pipeline, 0.29", DRAFT_PIPELINE, True, "Qwen3.6-27B", "0.29.0", settings=pp(2, **drafts(OWN_DRAFT))),
    Judged("MTP in a pipeline, 0.30", DRAFT_PIPELINE, False, "Qwen3.6-27B", "0.30.0", settings=pp(2, **drafts(OWN_DRAFT))),
    Judged("MTP of Qwen3-Next in a pipeline, 0.13", DRAFT_PIPELINE, False, "Qwen3-Next-80B-A3B-Instruct", "0.13.0", settings=pp(2, **drafts(OWN_DRAFT))),
    Judged("MTP of Qwen3-Next in a pipeline, 0.14", DRAFT_PIPELINE, True, "Qwen3-Next-80B-A3B-Instruct", "0.14.1", settings=pp(2, **drafts(OWN_DRAFT))),
    Judged("MTP without a pipeline", DRAFT_PIPELINE, False, "Qwen3.6-27B", "0.29.0", settings=drafts(OWN_DRAFT)),
    Judged("a draft of its own in a pipeline", DRAFT_PIPELINE, False, LLAMA, "0.26.0", settings=pp(2, **drafts(EAGLE)), draft=LLAMA_DRAFT),
    Judged("EAGLE-3 of Qwen3-Next, 0.19", "speculative_config_invalid", True, "Qwen3-Next-80B-A3B-Instruct", "0.19.1", settings=drafts(EAGLE3)),
    Judged("EAGLE-3 of Qwen3-Next, 0.20", "speculative_config_invalid", False, "Qwen3-Next-80B-A3B-Instruct", "0.20.0", settings=drafts(EAGLE3)),
    Judged("EAGLE-3 of Qwen3 30B", "speculative_config_invalid", False, "Qwen3-30B-A3B", "0.19.1", settings=drafts(EAGLE3)),
    Judged("gpt-oss in bitsandbytes, 0.10.2", "quantization_not_for_model", True, "gpt-oss-20b-bnb-4bit", "0.10.2"),
    Judged("gpt-oss in bitsandbytes, 0.11", "quantization_not_for_model", False, "gpt-oss-20b-bnb-4bit", "0.11.0"),
    Judged("gpt-oss as it is published, 0.10.2", "quantization_not_for_model", False, "gpt-oss-20b", "0.10.2"),
    Judged("AWQ groups of 128 in parts of 14784", "awq_group_not_divisible", True, "Qwen2.5-VL-72B-Instruct-AWQ", settings=tp(2)),
    Judged("AWQ groups of 128 in one part", "awq_group_not_divisible", False, "Qwen2.5-VL-72B-Instruct-AWQ", settings=tp(1)),
    Judged("AWQ groups of 128 in parts of 13824", "awq_group_not_divisible", False, "Qwen2.5-32B-Instruct-AWQ", settings=tp(2)),
    Judged("the same without a quantization", "awq_group_not_divisible", False, "Qwen2.5-72B-Instruct", settings=tp(2)),
]  # fmt: skip
