"""How long sequences may be, how many run at once, how many tokens one step may hold."""

from __future__ import annotations

import typing as t

from .overrides import length_is_told
from .rule import Breach, row, rule, rules_of
from .view import View

_GIB = 1024


def _longer_allowed(view: View) -> bool:
    return view.env_on("VLLM_ALLOW_LONG_MAX_MODEL_LEN")


def _overridden(view: View) -> str:
    changed = "max_position_embeddings" in view.json("hf_overrides")
    return " with hf_overrides" if changed else ""


@rule("context_longer_than_model", "max_model_len", "config/model.py:2680 (0.33.0)", needs=("model",))
def context_fits_the_model(view: View) -> t.Iterator[Breach]:
    """Nobody asks for a longer context than the model's config gives, stretched by its rope scaling."""
    asked, derived = view.number("max_model_len"), view.model.derived_max_length
    if view.given("rope_scaling", "rope_theta") or not length_is_told(view.value("hf_overrides")):
        return
    if not derived or _longer_allowed(view):
        return
    if asked > max(derived, view.model.model_max_length or 0):
        yield Breach(
            "max_model_len",
            f"max_model_len is {asked}, but the model's config.json{_overridden(view)} gives {derived} tokens.",
            f"max_model_len: {derived}, or stretch the model with hf_overrides and its rope_scaling",
        )


@rule(
    "context_longer_than_window",
    "disable_sliding_window",
    "config/model.py (0.33.0) _get_and_verify_max_len",
    needs=("model",),
    also=lambda view: view.flag("disable_sliding_window") and view.number("max_model_len") > 0,
)
def context_fits_the_window(view: View) -> t.Iterator[Breach]:
    """Without its sliding window a model reads no further than the window."""
    asked, window = view.number("max_model_len"), view.model.sliding_window
    if window and not view.model.layer_types and asked > window and not _longer_allowed(view):
        yield Breach(
            "max_model_len",
            f"max_model_len is {asked}, but with disable_sliding_window the model reads {window} tokens.",
            f"max_model_len: {window}, or leave disable_sliding_window out",
        )


@rule(
    "step_shorter_than_context",
    "enable_chunked_prefill",
    "config/scheduler.py:322 (0.33.0)",
    also=lambda view: view.off("enable_chunked_prefill") and view.given("max_num_batched_tokens"),
)
def unchunked_step_holds_a_sequence(view: View) -> t.Iterator[Breach]:
    """Without chunked prefill one step must hold a whole sequence."""
    tokens, length = view.number("max_num_batched_tokens"), view.context_length
    if length is not None and tokens < length:
        yield Breach(
            "max_num_batched_tokens",
            f"max_num_batched_tokens is {tokens}, below the context of {length} tokens, and chunked prefill is off.",
            f"max_num_batched_tokens: {length}, or leave enable_chunked_prefill out",
        )


_LIMITS = (
    row(
        "step_smaller_than_sequences",
        "max_num_batched_tokens max_num_seqs",
        "config/scheduler.py:332 (0.33.0)",
        lambda view: (
            view.given("max_num_seqs")
            and view.given("max_num_batched_tokens")
            and view.number("max_num_batched_tokens") < view.number("max_num_seqs")
        ),
        lambda view: (
            f"max_num_batched_tokens ({view.number('max_num_batched_tokens')}) is below max_num_seqs"
            f" ({view.number('max_num_seqs')}): a step must hold one token of every sequence."
        ),
        "raise max_num_batched_tokens to at least max_num_seqs, or lower max_num_seqs",
    ),
    row(
        "long_prefill_longer_than_context",
        "long_prefill_token_threshold",
        "config/scheduler.py:356 (0.33.0)",
        lambda view: view.number("long_prefill_token_threshold") > (view.context_length or 10**12),
        lambda view: (
            f"long_prefill_token_threshold ({view.number('long_prefill_token_threshold')}) is above the"
            f" context of {view.context_length} tokens."
        ),
        "lower it, or leave it out",
        since="0.27.0",
    ),
    row(
        "long_prefill_longer_than_context",
        "long_prefill_token_threshold",
        "config/scheduler.py (0.26.0)",
        lambda view: (
            view.number("max_num_partial_prefills", 1) > 1
            and view.number("long_prefill_token_threshold") > (view.context_length or 10**12)
        ),
        lambda view: (
            f"long_prefill_token_threshold ({view.number('long_prefill_token_threshold')}) is above the"
            f" context of {view.context_length} tokens."
        ),
        "lower it, or leave it out",
        until="0.26.0",
    ),
    row(
        "active_sequences_above_limit",
        "max_num_active_seqs",
        "config/scheduler.py:342 (0.33.0)",
        lambda view: (
            view.given("max_num_seqs") and view.number("max_num_active_seqs") > view.number("max_num_seqs")
        ),
        lambda view: (
            f"max_num_active_seqs ({view.number('max_num_active_seqs')}) is above max_num_seqs"
            f" ({view.number('max_num_seqs')})."
        ),
        "lower it, or leave it out",
        since="0.31.0",
    ),
    row(
        "partial_prefills_unsupported",
        "max_num_partial_prefills max_long_partial_prefills",
        "engine/arg_utils.py (0.20.2) _check_feature_supported",
        lambda view: (
            view.number("max_num_partial_prefills", 1) != 1
            or view.number("max_long_partial_prefills", 1) != 1
        ),
        lambda view: "This engine does not run several partial prefills at once.",
        "leave max_num_partial_prefills and max_long_partial_prefills out",
        since="0.11.1",
        until="0.26.0",
    ),
    row(
        "long_partial_prefills_above_limit",
        "max_long_partial_prefills",
        "config/scheduler.py:282 (0.11.0)",
        lambda view: view.number("max_long_partial_prefills", 1) > view.number("max_num_partial_prefills", 1),
        lambda view: "max_long_partial_prefills is above max_num_partial_prefills.",
        "lower it, or leave it out",
        until="0.11.0",
    ),
)


def _default_step_tokens(view: View) -> int:
    """vLLM's own max_num_batched_tokens on the smallest of the GPUs (get_batch_defaults of the API server)."""
    memory = min(gpu.memory_total_mib or 0 for gpu in view.gpus) / _GIB
    if memory >= 160 and view.since(0, 28, 0):
        tokens = 16384
    elif memory >= 70 and not _kept_small(view):
        tokens = 8192
    else:
        tokens = 2048
    return tokens * 2 if view.text("performance_mode") == "throughput" else tokens


def _kept_small(view: View) -> bool:
    named = any("a100" in (gpu.name or "").lower() for gpu in view.gpus)
    return named or (view.since(0, 33, 0) and view.capability == 121)


@rule(
    "more_sequences_than_step",
    "max_num_seqs",
    "engine/arg_utils.py (0.33.0) get_batch_defaults; config/scheduler.py:332",
    needs=("model", "gpu"),
    since="0.12.0",
    also=lambda view: (
        not view.given("max_num_batched_tokens") and view.number("max_num_seqs") > 2048 and view.dp == 1
    ),
)
def default_step_holds_the_sequences(view: View) -> t.Iterator[Breach]:
    """Who raises max_num_seqs above vLLM's own step size must raise the step, too."""
    if (
        view.model.is_multimodal is not False
        or view.off("enable_chunked_prefill")
        or view.text("runner") == "pooling"
    ):
        return
    if any(not gpu.memory_total_mib for gpu in view.gpus) or "ForCausalLM" not in "".join(
        view.model.architectures
    ):
        return
    wanted, tokens = view.number("max_num_seqs"), _default_step_tokens(view)
    if wanted > tokens:
        yield Breach(
            "max_num_seqs",
            f"max_num_seqs is {wanted}, but a step of this server holds {tokens} tokens on these GPUs by default.",
            f"max_num_batched_tokens: {wanted} or more, or max_num_seqs: {tokens} or fewer",
        )


@rule("step_smaller_than_mamba_block", "mamba_cache_mode", "config/vllm.py:2266 (0.26.0)", "0.15.0", "0.26.0")
def step_holds_a_state_block(view: View) -> t.Iterator[Breach]:
    """In align mode a step must hold one block; only an explicit block size is known before the start."""
    block, tokens = view.number("block_size"), view.number("max_num_batched_tokens")
    if view.text("mamba_cache_mode") == "align" and view.given("block_size") and 0 < tokens < block:
        yield Breach(
            "max_num_batched_tokens",
            f"max_num_batched_tokens ({tokens}) is below block_size ({block}), which mamba_cache_mode align needs.",
            f"max_num_batched_tokens: {block} or more",
        )


RULES = rules_of(globals())
