"""Families of models by ``model_type``. Data only."""

from __future__ import annotations

# Latent attention as vLLM knows it: these families with kv_lora_rank. Others that carry the key run ordinary heads.
# fmt: off
MLA_FAMILIES = frozenset((
    "axk1", "deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_mtp", "dots3_note", "glm_moe_dsa",
    "glm4_moe_lite", "glm5_next", "glm5_next_text", "kimi_k2", "kimi_linear", "longcat_flash",
    "pangu_ultra_moe", "pangu_ultra_moe_mtp", "bailing_hybrid", "hy_v4",
))
# fmt: on

# Families that take text only, for certain; a family that is not here may take pictures.
# fmt: off
TEXT_FAMILIES = frozenset((
    "llama", "mistral", "mixtral", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen3_next", "deepseek_v2",
    "deepseek_v3", "deepseek_v32", "gpt_oss", "gemma", "gemma2", "gemma3_text", "phi", "phi3", "olmo",
    "olmo2", "olmoe", "granite", "granitemoe", "glm", "glm4", "glm4_moe", "falcon", "gpt2", "gptj",
    "gpt_neox", "mpt", "opt", "bloom", "starcoder2", "stablelm", "cohere", "cohere2", "bert", "roberta",
    "xlm-roberta", "modernbert", "nomic_bert", "mamba", "mamba2", "falcon_mamba", "jamba", "bamba",
    "nemotron", "nemotron_h", "exaone4", "minimax_m2", "seed_oss", "ernie4_5", "ernie4_5_moe",
))
# fmt: on

# No attention at all: state layers only.
# fmt: off
STATE_ONLY_FAMILIES = frozenset((
    "mamba", "mamba2", "falcon_mamba",
))
# fmt: on
