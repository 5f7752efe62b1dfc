"""Cases of the rules about variables, encoders, adapters, groups, expert kernels and the room of drafts."""

from __future__ import annotations

import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Gpu

from .rule_cases import DFLASH, LLAMA, Judged, drafts, kv, tp

_DENSE = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "dtype": "bfloat16", "num_hidden_layers": 32,
    "num_attention_heads": 48, "num_key_value_heads": 8, "hidden_size": 6144, "intermediate_size": 14336,
    "vocab_size": 32000, "max_position_embeddings": 8192,
}  # fmt: skip
_MOE = {
    **_DENSE, "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "num_experts": 128,
    "num_experts_per_tok": 8, "moe_intermediate_size": 768,
}  # fmt: skip
_GROUPS = {
    "quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head"],
    "config_groups": {"group_0": {"weights": {"type": "int", "num_bits": 4, "strategy": "group", "group_size": 128}}},
}  # fmt: skip
_QWEN_VL = {
    **_DENSE, "architectures": ["Qwen2_5_VLForConditionalGeneration"], "model_type": "qwen2_5_vl",
    "num_attention_heads": 64, "vision_config": {"num_heads": 16, "intermediate_size": 3420},
}  # fmt: skip
# Made-up models, no larger than the rule that reads them.
MADE_UP: dict[str, dict[str, t.Any]] = {
    "dense": _DENSE,
    "experts": _MOE,
    "dense in groups": {**_DENSE, "quantization_config": _GROUPS},
    "experts in groups": {**_MOE, "quantization_config": _GROUPS},
    "dense in groups, but for one layer": {
        **_DENSE,
        "quantization_config": {**_GROUPS, "ignore": ["lm_head", "model.layers.0.mlp.down_proj"]},
    },
    "qwen-vl": _QWEN_VL,
    "phi3-vision": {
        **_DENSE,
        "architectures": ["Phi3VForCausalLM"],
        "model_type": "phi3_v",
        "auto_map": {"AutoConfig": "configuration_phi3_v.Phi3VConfig"},
    },
    "llama with code": {**_DENSE, "auto_map": {"AutoConfig": "configuration_llama.LlamaConfig"}},
    "llava-qwen": {**_DENSE, "architectures": ["LlavaQwenForCausalLM"], "model_type": "llava"},
    "llava-qwen with code": {
        **_DENSE,
        "architectures": ["LlavaQwenForCausalLM"],
        "model_type": "llava",
        "auto_map": {"AutoModelForCausalLM": "modeling.Llava"},
    },
    "doge": {**_DENSE, "architectures": ["DogeForCausalLM"], "model_type": "doge"},
    "classifier": {**_DENSE, "architectures": ["LlamaForSequenceClassification"]},
    "whisper": {"architectures": ["WhisperForConditionalGeneration"], "model_type": "whisper"},
    "gemma 4 of both ways": {
        **_DENSE,
        "architectures": ["Gemma4ForConditionalGeneration"],
        "model_type": "gemma4",
        "vision_config": {"model_type": "gemma4_vision"},
        "text_config": {**_DENSE, "model_type": "gemma4_text", "use_bidirectional_attention": "vision"},
    },
}
ENV, WIDTH, GROUP, ENCODER = (
    "env_invalid",
    "width_not_divisible",
    "group_not_divisible",
    "encoder_not_divisible",
)
LORA, STEP, FORMAT, DEVICE = (
    "lora_not_supported",
    "step_smaller_than_drafts",
    "moe_backend_not_for_format",
    "moe_backend_not_for_gpu",
)
PICTURE, CODE, STATES = "step_smaller_than_picture", "remote_code_not_trusted", "state_heads_not_divisible"
ARCH, NO_DRAFT = "model_arch_unsupported", "draft_model_unsupported"
WORDS = {"classifier_from_token": ["no", "yes"]}
NAMELESS = drafts({"model": "org/small", "num_speculative_tokens": 3})
L4 = (Gpu("NVIDIA L4", "8.9", 23034),)
EAGLE3 = drafts({"method": "eagle3", "model": "d", "num_speculative_tokens": 3})
UNSPLIT = parse_model({"architectures": ["MiMoMTPModel"], "model_type": "mimo"})
FIFTEEN = drafts({**DFLASH, "num_speculative_tokens": 15})


def kernels(name: str) -> dict[str, t.Any]:
    return {"moe_backend": name}


KERNELS = [
    Judged("a word for a number", ENV, True, LLAMA, env={"VLLM_USE_DEEP_GEMM": "false"}),
    Judged("a number for a number", ENV, False, LLAMA, env={"VLLM_USE_DEEP_GEMM": "0"}),
    Judged("a word for a number, 0.10", ENV, False, LLAMA, "0.10.2", env={"VLLM_USE_DEEP_GEMM": "false"}),
    Judged("an empty choice", ENV, True, LLAMA, env={"VLLM_MARLIN_INPUT_DTYPE": ""}),
    Judged("a choice that exists", ENV, False, LLAMA, env={"VLLM_MARLIN_INPUT_DTYPE": "int8"}),
    Judged("a choice in small letters", ENV, False, LLAMA, env={"VLLM_MM_HASHER_ALGORITHM": "SHA256"}),
    Judged("a variable that takes any text", ENV, False, LLAMA, env={"VLLM_HOST_IP": "x"}),
    Judged("half a number", ENV, True, LLAMA, env={"VLLM_ENGINE_READY_TIMEOUT_S": "0.5"}),
    Judged("a backend of nobody's, 0.14", ENV, True, LLAMA, "0.14.1", env={"VLLM_ATTENTION_BACKEND": "FLASHATTN"}),
    Judged("a backend that exists, 0.14", ENV, False, LLAMA, "0.14.1", env={"VLLM_ATTENTION_BACKEND": "FLASH_ATTN"}),
    Judged("a backend of nobody's, 0.15", ENV, False, LLAMA, "0.15.1", env={"VLLM_ATTENTION_BACKEND": "FLASHATTN"}),
    Judged("an inner width of 14336 on 6", WIDTH, True, "dense", settings=tp(6)),
    Judged("an inner width of 14336 on 8", WIDTH, False, "dense", settings=tp(8)),
    Judged("experts of 768 on 5 replicas", WIDTH, True, "experts", settings=tp(1, data_parallel_size=5)),
    Judged("experts that are placed whole", WIDTH, False, "experts", settings=tp(1, data_parallel_size=5, enable_expert_parallel=True)),
    Judged("a width that other code cuts", WIDTH, False, "dense", settings=tp(6, model_impl="transformers")),
    Judged("14336 in groups of 128 on 16", GROUP, False, "dense in groups", settings=tp(16)),
    Judged("14336 in groups of 128 on 32", GROUP, True, "dense in groups", settings=tp(32)),
    Judged("groups that one layer is not in", GROUP, False, "dense in groups, but for one layer", settings=tp(32)),
    Judged("experts of 768 in groups on 4, 0.24", GROUP, True, "experts in groups", "0.24.0", settings=tp(4)),
    Judged("experts of 768 in groups on 4, 0.23", GROUP, True, "experts in groups", "0.23.0", settings=tp(4)),
    Judged("experts of 768 in groups on 2, 0.23", GROUP, False, "experts in groups", "0.23.0", settings=tp(2)),
    Judged("a class that nobody registers", ARCH, True, "llava-qwen"),
    Judged("a class that Transformers names so", ARCH, False, "doge"),
    Judged("a class that is registered", ARCH, False, "dense"),
    Judged("a class of the repository", ARCH, False, "llava-qwen with code"),
    Judged("a classifier of a model that writes", "classifier_missing", True, LLAMA, settings={"convert": "classify"}),
    Judged("a classifier of its words", "classifier_missing", False, LLAMA, settings={"convert": "classify", "hf_overrides": WORDS}),
    Judged("a classifier that was trained", "classifier_missing", False, "classifier", settings={"convert": "classify"}),
    Judged("an ordinary draft without a method, 0.14", NO_DRAFT, True, LLAMA, "0.14.1", settings=NAMELESS),
    Judged("an ordinary draft without a method, 0.15", NO_DRAFT, False, LLAMA, "0.15.0", settings=NAMELESS),
    Judged("an EAGLE draft without a method", NO_DRAFT, False, LLAMA, "0.14.1", settings=drafts({"model": "a/EAGLE-b", "num_speculative_tokens": 3})),
    Judged("15 tokens of DFlash on a GB10", STEP, True, LLAMA, "0.26.0", ("GB10",), FIFTEEN),
    Judged("15 tokens of DFlash on a GPU of unknown size", STEP, False, LLAMA, "0.26.0", (Gpu("GPU", "9.0", None),), FIFTEEN),
    Judged("experts of 768 in groups on 2", GROUP, False, "experts in groups", settings=tp(2)),
    Judged("an encoder of 3420 on 8", ENCODER, True, "qwen-vl", settings=tp(8)),
    Judged("an encoder of 3420 on 4", ENCODER, False, "qwen-vl", settings=tp(4)),
    Judged("an encoder of its own on each", ENCODER, False, "qwen-vl", settings=tp(8, mm_encoder_tp_mode="data")),
    Judged("an encoder that is not used", ENCODER, False, "qwen-vl", settings=tp(8, limit_mm_per_prompt={"image": 0, "video": 0})),
    Judged("a video in 2048 tokens, 0.21", PICTURE, True, "gemma 4 of both ways", "0.21.0", L4),
    Judged("a video in 2048 tokens, 0.22", PICTURE, False, "gemma 4 of both ways", "0.22.0", L4),
    Judged("a video in 2048 tokens that were asked for", PICTURE, True, "gemma 4 of both ways", "0.22.0", L4, {"max_num_batched_tokens": 2048}),
    Judged("no video", PICTURE, False, "gemma 4 of both ways", "0.21.0", L4, {"limit_mm_per_prompt": {"video": 0}}),
    Judged("a video in 2496 tokens", PICTURE, False, "gemma 4 of both ways", "0.21.0", L4, {"max_num_batched_tokens": 2496}),
    Judged("8 state groups on 16", STATES, True, "Nemotron-3-Nano-30B-A3B", settings=tp(16)),
    Judged("8 state groups on 8", STATES, False, "Nemotron-3-Nano-30B-A3B", settings=tp(8)),
    Judged("one state group on 2", STATES, False, "Falcon-H1-7B", settings=tp(2)),
    Judged("offloading a hybrid, 0.19", "cpu_offload", True, "Qwen3.6-27B", "0.19.1", settings={"cpu_offload_gb": 4.0}),
    Judged("offloading a hybrid, 0.20", "cpu_offload", False, "Qwen3.6-27B", "0.20.0", settings={"cpu_offload_gb": 4.0}),
    Judged("offloading Llama, 0.19", "cpu_offload", False, LLAMA, "0.19.1", settings={"cpu_offload_gb": 4.0}),
    Judged("bitsandbytes on two GPUs", "checkpoint_not_split", True, "gpt-oss-20b-bnb-4bit", settings=tp(2)),
    Judged("bitsandbytes on one GPU", "checkpoint_not_split", False, "gpt-oss-20b-bnb-4bit", settings=tp(1)),
    Judged("bitsandbytes on two GPUs, 0.28", "checkpoint_not_split", False, "gpt-oss-20b-bnb-4bit", "0.28.0", settings=tp(2)),
    Judged("another checkpoint on two GPUs", "checkpoint_not_split", False, LLAMA, settings=tp(2)),
    Judged("DeepSeek V4 in bfloat16 on 9.0", "kv_dtype_not_supported_for_model", True, "DeepSeek-V4-Flash", settings=kv("bfloat16")),
    Judged("DeepSeek V4 in bfloat16 on 10.0", "kv_dtype_not_supported_for_model", False, "DeepSeek-V4-Flash", gpus=("B200",), settings=kv("bfloat16")),
    Judged("Llama in bfloat16", "kv_dtype_not_supported_for_model", False, LLAMA, settings=kv("bfloat16")),
    Judged("a GGUF file, 0.24", "format_not_loaded", True, LLAMA, "0.24.0", file="/m/model.gguf"),
    Judged("a GGUF file, 0.23", "format_not_loaded", False, LLAMA, "0.23.0", file="/m/model.gguf"),
    Judged("a directory, 0.24", "format_not_loaded", False, LLAMA, "0.24.0"),
    Judged("code that must be trusted", CODE, True, "phi3-vision"),
    Judged("code that is trusted", CODE, False, "phi3-vision", settings={"trust_remote_code": True}),
    Judged("code that Transformers has, too", CODE, False, "llama with code"),
    Judged("adapters of Whisper, 0.17", LORA, True, "whisper", "0.17.1", settings={"enable_lora": True}),
    Judged("adapters of Whisper, 0.18", LORA, False, "whisper", "0.18.0", settings={"enable_lora": True}),
    Judged("adapters of Llama", LORA, False, LLAMA, settings={"enable_lora": True}),
    Judged("adapters by other code", LORA, False, "whisper", "0.17.1", settings={"enable_lora": True, "model_impl": "transformers"}),
    Judged("triton for NVFP4", FORMAT, True, "Qwen3.6-35B-A3B-NVFP4", settings=kernels("triton")),
    Judged("marlin for NVFP4", FORMAT, False, "Qwen3.6-35B-A3B-NVFP4", settings=kernels("marlin")),
    Judged("marlin for plain experts", FORMAT, True, "Qwen3-30B-A3B", settings=kernels("marlin")),
    Judged("vLLM's own choice", FORMAT, False, "Qwen3-30B-A3B", settings=kernels("auto")),
    Judged("marlin for a dense model", FORMAT, False, LLAMA, settings=kernels("marlin")),
    Judged("humming for FP8, 0.24", FORMAT, True, "Qwen3.6-35B-A3B-FP8", "0.24.0", settings=kernels("humming")),
    Judged("humming for FP8, 0.25", FORMAT, False, "Qwen3.6-35B-A3B-FP8", "0.25.0", settings=kernels("humming")),
    Judged("TensorRT's kernels on 12.0", DEVICE, True, "Qwen3.6-35B-A3B-NVFP4", gpus=("RTX 5090",), settings=kernels("flashinfer_trtllm")),
    Judged("TensorRT's kernels on 10.0", DEVICE, False, "Qwen3.6-35B-A3B-NVFP4", gpus=("B200",), settings=kernels("flashinfer_trtllm")),
    Judged("CUTLASS for NVFP4 on 9.0", DEVICE, True, "Qwen3.6-35B-A3B-NVFP4", settings=kernels("cutlass")),
    Judged("CUTLASS for FP8 on 9.0", DEVICE, False, "Qwen3.6-35B-A3B-FP8", settings=kernels("cutlass")),
    Judged("15 tokens of DFlash for 256 sequences", STEP, True, LLAMA, "0.26.0", L4, FIFTEEN),
    Judged("15 tokens of DFlash for 146 sequences", STEP, False, LLAMA, "0.26.0", L4, {**FIFTEEN, "max_num_seqs": 146}),
    Judged("15 tokens of DFlash for 256 sequences, 0.33", STEP, False, LLAMA, "0.33.0", L4, FIFTEEN),
    Judged("15 tokens of DFlash for 136 sequences, 0.28", STEP, False, LLAMA, "0.28.0", L4, {**FIFTEEN, "max_num_seqs": 136}),
    Judged("15 tokens of DFlash for 137 sequences, 0.28", STEP, True, LLAMA, "0.28.0", L4, {**FIFTEEN, "max_num_seqs": 137}),
    Judged("EAGLE-3, which adds none", STEP, False, LLAMA, "0.26.0", L4, EAGLE3),
    Judged("a draft that is not split", "draft_pipeline_not_supported", True, LLAMA, settings={"pipeline_parallel_size": 2, **FIFTEEN}, draft=UNSPLIT),
]  # fmt: skip
