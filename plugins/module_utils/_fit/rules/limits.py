"""Limits of single kernels and of speculation, known from source or from reports."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..adapters import LARGEST_RANK, named_adapters, rank_of, rank_to_allow
from .known import demand_of, family_of

_MOE_LORA_RANK = 128
_FLASHMLA_SEQUENCES = 256
# Families that the EAGLE-3 check lets through, with the release that added them (config/speculative.py).
_EAGLE3: tuple[tuple[tuple[int, int, int], str], ...] = (
    ((0, 10, 0), "llama qwen"),
    ((0, 11, 0), "minicpm gpt_oss"),
    ((0, 15, 0), "hunyuan_vl hunyuan_v1_dense afmoe"),
    ((0, 17, 0), "nemotron_h"),
    ((0, 18, 0), "deepseek_v2 deepseek_v3 kimi_k2 kimi_k25"),
    ((0, 19, 0), "minimax_m2 gemma4"),
    ((0, 21, 0), "laguna"),
)


@rule(
    "speculative_config_invalid",
    "speculative_config spec_method spec_model",
    "config/speculative.py aux_hidden_states_supported (0.10.2 to 0.21.0)",
    "0.10.2",
    "0.21.0",
    needs=("model",),
    stage="fit",
)
def eagle3_knows_the_target(view: View) -> t.Iterator[Breach]:
    """EAGLE-3 was a matter of listed families until 0.21."""
    target = str(view.model.text_model_type or "")
    if view.speculation is None or view.speculation.method != "eagle3" or not target:
        return
    known = [name for since, names in _EAGLE3 if view.release >= since for name in names.split()]
    if not any(name in target for name in known):
        yield Breach(
            "speculative_config.method",
            f"Eagle3 is only supported for {', '.join(known)} in this release, not for {target}.",
            "another method (draft_model, mtp, ngram), or a newer release",
            "eagle3",
        )


@rule(
    "speculative_config_invalid",
    "speculative_config spec_method spec_model",
    "models/qwen3_next.py SupportsEagle3 (since 0.20.0), v1/worker/gpu_model_runner.py, vllm#33329",
    "0.10.2",
    "0.19.1",
    needs=("model",),
    stage="fit",
)
def eagle3_reads_the_targets_layers(view: View) -> t.Iterator[Breach]:
    """Qwen3-Next passes the check of families, and hands no hidden states out until 0.20."""
    if view.speculation and view.speculation.method == "eagle3" and family_of(view) == "qwen3_next":
        yield Breach(
            "speculative_config.method",
            'Qwen3-Next drafts with EAGLE-3 since 0.20.0 only: "Model does not support EAGLE3 interface".',
            "method: mtp, or the image of 0.20.0 or newer",
            "eagle3",
        )


@rule(
    "quantization_mismatch",
    "quantization dtype",
    "quantization/awq.py get_supported_act_dtypes (0.10.2 to 0.23.0), config/vllm.py",
    until="0.23.0",
    stage="fit",
    also=lambda view: view.text("quantization") == "awq",
)
def plain_awq_is_half(view: View) -> t.Iterator[Breach]:
    """The plain kernels of AWQ knew float16 only; Marlin's know both, and are chosen where nothing is named."""
    if view.text("dtype") == "bfloat16":
        yield Breach(
            "dtype",
            "torch.bfloat16 is not supported for quantization method awq: its plain kernels know float16 only.",
            "leave quantization out, so that awq_marlin is chosen, or dtype: half",
        )


@rule(
    "quantization_mismatch",
    "",
    "reported for 0.8.5 (GGUF file with the config of the original); config/model.py _verify_quantization",
    until="0.23.0",
    needs=("model",),
    severity="warning",
    stage="fit",
    also=lambda view: (view.case.model or "").endswith(".gguf"),
)
def gguf_has_a_plain_config(view: View) -> t.Iterator[Breach]:
    """A GGUF file brings its own quantization; a config that names another one stands against it."""
    stored = view.model.quantization
    if stored is not None and stored.method != "gguf":
        yield Breach(
            "hf_config_path",
            f"The config names quantization {stored.method}, and the file is GGUF: quantization method specified in the"
            " model config does not match.",
            "hf_config_path: a directory with the config of the unquantized model",
            stored.method,
        )


@rule(
    "lora",
    "max_lora_rank",
    "lora/ops/triton_ops/fused_moe_lora_op.py:352 (0.28.0)",
    "0.28.0",
    needs=("model",),
    severity="warning",
    stage="fit",
    also=lambda view: view.flag("enable_lora"),
)
def adapters_of_experts_are_small(view: View) -> t.Iterator[Breach]:
    """The kernel for adapters of experts takes ranks up to 128; it would show with the first request."""
    rank = view.number("max_lora_rank")
    if view.model.is_moe is True and rank > _MOE_LORA_RANK:
        yield Breach(
            "max_lora_rank",
            f"max_lora_rank {rank}: the kernel for adapters of a mixture of experts takes {_MOE_LORA_RANK} at most.",
            f"max_lora_rank: {_MOE_LORA_RANK}, with adapters that are no larger",
        )


@rule(
    "lora",
    "lora_modules",
    "lora/peft_helper.py validate_legal",
    stage="fit",
    also=lambda view: view.flag("enable_lora"),
)
def adapters_are_within_the_rank(view: View) -> t.Iterator[Breach]:
    """Adapters of the command line are loaded at the start, and the first that is larger ends it."""
    names, limit = named_adapters(view.value("lora_modules")), view.number("max_lora_rank", 16)
    ranks = {path: rank_of(view.case.adapters.get(path)) for path in names}
    larger = {path: rank for path, rank in ranks.items() if rank is not None and rank > limit}
    if not larger:
        return
    most = max(larger.values())
    which = ", ".join(f"{names[path]} ({path}) has rank {rank}" for path, rank in larger.items())
    allowed = rank_to_allow(most)
    yield Breach(
        "max_lora_rank",
        f"LoRA rank {most} is greater than max_lora_rank {limit}: adapter {which}.",
        f"max_lora_rank: {allowed}"
        if allowed
        else f"adapters of rank {LARGEST_RANK} at most: no release takes more",
    )


@rule(
    "kernel_limit",
    "",
    "reported for 0.11 with DeepSeek-V3.2 (flashmla, invalid configuration argument)",
    "0.11.0",
    "0.11.2",
    needs=("model", "gpu"),
    severity="warning",
    stage="fit",
)
def sparse_attention_takes_the_sequences(view: View) -> t.Iterator[Breach]:
    """The first kernels of sparse latent attention could not start for more than a few hundred sequences."""
    sequences = demand_of(view).sequences
    if family_of(view) == "deepseek_v32" and sequences > _FLASHMLA_SEQUENCES:
        yield Breach(
            "max_num_seqs",
            f"max_num_seqs {sequences} is more than FlashMLA's sparse kernel could start with in this release.",
            f"max_num_seqs: {_FLASHMLA_SEQUENCES}",
        )


@rule(
    "context_forced_beyond_model",
    "max_model_len",
    "config/model.py VLLM_ALLOW_LONG_MAX_MODEL_LEN",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def forced_context_has_positions(view: View) -> t.Iterator[Breach]:
    """Forced, the start succeeds, and the first long request hits positions that do not exist."""
    asked, derived = view.number("max_model_len"), view.model.derived_max_length
    forced = view.env_on("VLLM_ALLOW_LONG_MAX_MODEL_LEN")
    if not forced or not derived or asked <= max(derived, view.model.model_max_length or 0):
        return
    if not view.given("hf_overrides", "rope_scaling"):
        yield Breach(
            "max_model_len",
            f"VLLM_ALLOW_LONG_MAX_MODEL_LEN lets max_model_len {asked} pass, but the model has {derived} positions: the"
            " first longer request ends the engine with a device assert.",
            f"max_model_len: {derived}, or stretch the model with hf_overrides and its rope_scaling",
        )


RULES = rules_of(globals())
