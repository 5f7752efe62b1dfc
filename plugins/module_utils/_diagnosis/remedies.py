"""Remedies that are worked out from the figures of a line; each docstring says the remedy in general."""

from __future__ import annotations

import typing as t

from . import figures

if t.TYPE_CHECKING:
    from .signature import Values

# The ranks that every release with LoRA accepts.
_LORA_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)


def shorter_context(values: Values) -> str:
    """Set max_model_len to a length that fits, or kv_cache_dtype: fp8, or give more GPU memory."""
    fits = _fitting_length(values)
    if fits is None:
        return "Set max_model_len lower, or kv_cache_dtype: fp8, or give the model more GPU memory."
    if fits < 256:
        return (
            "No useful context fits: use a smaller or more strongly quantized model, more GPUs "
            "(tensor_parallel_size), or a higher gpu_memory_utilization where the GPU is free."
        )
    return (
        f"Set max_model_len: {fits}. For more: kv_cache_dtype: fp8 where the GPU has it, a higher "
        "gpu_memory_utilization, or more GPUs (tensor_parallel_size)."
    )


def _fitting_length(values: Values) -> int | None:
    if "estimate" in values:
        return figures.round_length(int(values["estimate"]))
    if "tokens" in values:
        return figures.round_length(int(values["tokens"]))
    if {"length", "needed", "available"} <= set(values) and float(values["needed"]):
        share = float(values["available"]) / float(values["needed"])
        # Hybrid and sliding-window models need a fixed part per sequence too: stay below the plain ratio.
        return figures.round_length(int(int(values["length"]) * share * 0.9))
    return None


def room_on_gpu(values: Values) -> str:
    """Free the GPU (nvidia-smi shows who holds it), or set gpu_memory_utilization below free/total."""
    free_it = (
        "Free the GPU: nvidia-smi shows who holds it; a server that has just been stopped needs a moment "
        "to give its memory back"
    )
    if not {"free", "total"} <= set(values) or not float(values["total"]):
        return f"{free_it}. Or set a lower gpu_memory_utilization."
    share = int(float(values["free"]) / float(values["total"]) * 100) / 100
    if share < 0.1:
        return f"{free_it}. What is left ({values['free']} GiB) is too little to serve beside it."
    return f"{free_it}. Or set gpu_memory_utilization: {share:.2f} or lower ({values['free']} of {values['total']} GiB are free)."


def fewer_sequences_than_blocks(values: Values) -> str:
    """Set max_num_seqs well below the number of blocks in the line, or give the cache more memory."""
    blocks = int(values["blocks"])
    return (
        f"Set max_num_seqs: {figures.power_of_two(max(blocks, 1))} (there are {blocks} blocks, one a sequence, "
        "and prefix caching takes some of them), or raise gpu_memory_utilization."
    )


def larger_batch_than_block(values: Values) -> str:
    """Set max_num_batched_tokens to at least the block size in the line, or enable_prefix_caching: false."""
    wanted = max(figures.next_power_of_two(int(values["block"])), 4096)
    return (
        f"Set max_num_batched_tokens: {wanted} (at least {values['block']}), or enable_prefix_caching: false."
    )


def half_the_sequences(values: Values) -> str:
    """Set max_num_seqs to half of what the line names, or gpu_memory_utilization lower by 0.03."""
    requests = values.get("requests", "")
    half = f"max_num_seqs: {max(int(requests) // 2, 1)}" if requests.isdigit() else "max_num_seqs lower"
    return (
        f"Set {half}, or gpu_memory_utilization lower by 0.03 to 0.05: this memory comes on top of the cache."
    )


def size_that_divides_heads(values: Values) -> str:
    """Set tensor_parallel_size to a divisor of the attention heads, or use pipeline_parallel_size."""
    heads, size = int(values["heads"]), int(values["size"])
    return (
        f"Set tensor_parallel_size: {_or(figures.near_divisors(heads, size))} (it must divide {heads} heads), "
        f"or tensor_parallel_size: 1 with pipeline_parallel_size: {size}."
    )


def size_that_divides_experts(values: Values) -> str:
    """Choose tensor_parallel_size x data_parallel_size so that it divides the experts, or add redundant experts."""
    experts, size = int(values["experts"]), int(values["size"])
    return (
        f"Choose tensor_parallel_size x data_parallel_size = {_or(figures.near_divisors(experts, size))} "
        f"(it must divide {experts} experts), or eplb_config: {{num_redundant_experts: {-experts % size}}} with "
        "enable_eplb: true."
    )


def blocks_that_fit(values: Values) -> str:
    """Divide tensor_parallel_size so that each GPU's part is a multiple of the block, or use expert parallelism."""
    factor = figures.smallest_factor(int(values["size"]), int(values["block"]))
    split = (
        f"Divide tensor_parallel_size by {factor} ({values['size']} x {factor} is a multiple of {values['block']})"
        if factor
        else "Use a smaller tensor_parallel_size"
    )
    return f"{split}, or keep experts whole with enable_expert_parallel: true, or use pipeline_parallel_size."


def even_split(values: Values) -> str:
    """Use a tensor_parallel_size that divides the model's heads and layers: 1, 2, 4 or 8 for nearly all models."""
    near = figures.near_divisors(int(values["size"]), int(values["parts"]))
    return f"Use {_or(near)} instead of {values['parts']} (it must divide {values['size']})."


def context_of_model(values: Values) -> str:
    """Set max_model_len to what the model was made for, or extend it: hf_overrides with rope_parameters."""
    limits = figures.whole_numbers(values.get("derived", ""))
    limit = str(min(limits)) if limits else values.get("limit", "")
    first = f"Set max_model_len: {limit} or lower" if limit else "Set max_model_len lower"
    return (
        f"{first}. Only where the model's authors say so, extend it with rope parameters in hf_overrides and "
        "VLLM_ALLOW_LONG_MAX_MODEL_LEN=1; that variable alone lets the server die at the first long prompt."
    )


def known_parser(values: Values) -> str:
    """Take a name from the list in the line, or an image whose vLLM has this parser."""
    kind = "reasoning_parser" if "reason" in values.get("kind", "").lower() else "tool_call_parser"
    known = figures.names_in(values.get("choices", ""))
    name = values.get("name", "?")
    near = figures.nearest(name, known)
    advice = f"Did you mean {kind}: {near}? " if near else ""
    listed = f" This image knows: {', '.join(sorted(known))}." if known else ""
    return f"{advice}Take a parser of this release, or an image with a newer vLLM.{listed}"


def known_value(values: Values) -> str:
    """Take a value that this release accepts; the line lists them."""
    known = figures.names_in(values.get("choices", ""))
    near = figures.nearest(values.get("value", ""), known)
    listed = f" It accepts: {', '.join(known)}." if known else ""
    return f"{f'Did you mean {near}? ' if near else ''}Correct {values.get('option', 'the option')}.{listed}"


def argument_of_release(values: Values) -> str:
    """Remove or rename the option for this release of vLLM."""
    words = values.get("arguments", "").split()
    options = [_setting(word) for word in words if word.startswith("-")]
    told = [f"{option}: {_REPLACED[option]}." for option in options if option in _REPLACED]
    named = ", ".join(options) or values.get("arguments", "the option")
    return " ".join([f"Remove or rename {named} in settings.", *told])


# What took the place of options that are still found in many guides.
_REPLACED = {
    "disable_log_requests": "removed in 0.17; requests are not logged unless enable_log_requests is set",
    "swap_space": "removed in 0.18, leave it out",
    "enable_reasoning": "removed, reasoning_parser alone does it",
    "num_scheduler_steps": "removed in 0.10.1, leave it out",
    "max_seq_len_to_capture": "max_cudagraph_capture_size",
    "cuda_graph_sizes": "cudagraph_capture_sizes",
    "task": "runner, and convert where needed",
    "device": "removed in 0.10, the image decides",
    "guided_decoding_backend": "structured_outputs_config: {backend: …}",
    "rope_scaling": "hf_overrides: {rope_parameters: {…}}",
    "rope_theta": "hf_overrides: {rope_parameters: {…}}",
    "num_redundant_experts": "eplb_config: {num_redundant_experts: …}",
    "speculative_model": "speculative_config: {model: …}",
    "num_speculative_tokens": "speculative_config: {num_speculative_tokens: …}",
    "calculate_kv_scales": "removed in 0.28, leave it out",
}


def _setting(option: str) -> str:
    """``--Max-Num-Seqs=8`` as a key of settings."""
    return option.split("=")[0].lstrip("-").replace("-", "_").lower()


def free_port(values: Values) -> str:
    """Free the port (ss -ltnp shows who holds it), or give the instance the next port."""
    port = int(values["port"])
    other = port + 1 if port < 65535 else port - 1
    return f"Find who holds it (ss -ltnp 'sport = :{port}') and stop it, or set port: {other} if that one is free."


def enough_rank(values: Values) -> str:
    """Set max_lora_rank to the next accepted rank that is not below the adapter's."""
    rank = int(values["rank"])
    wanted = next((known for known in _LORA_RANKS if known >= rank), rank)
    return f"Set max_lora_rank: {wanted}."


def larger_workspace(values: Values) -> str:
    """Use another image, or set VLLM_FLASHINFER_WORKSPACE_BUFFER_SIZE to what the line asks for."""
    size = int(values.get("size", "0"))
    wanted = f"={-(-size * 11 // 10 // (1 << 20)) << 20}" if size else " to 1073741824"
    return (
        f"Set VLLM_FLASHINFER_WORKSPACE_BUFFER_SIZE{wanted} in env, lower max_num_batched_tokens or "
        "max_num_seqs, or use the image of another release."
    )


def tokens_for_sequences(values: Values) -> str:
    """Set max_num_batched_tokens to at least the number in the line, or the other one lower."""
    wanted = int(values["wanted"])
    return (
        f"Set max_num_batched_tokens: {figures.next_power_of_two(wanted)}, or {values['other']} to at most "
        f"{values['tokens']}."
    )


def gpus_there(values: Values) -> str:
    """Give the instance as many gpus as tensor_parallel_size x pipeline_parallel_size, or lower these."""
    return (
        f"Give the instance {values['asked']} gpus, or choose tensor_parallel_size x pipeline_parallel_size = "
        f"{values['gpus']}."
    )


def speculative_multiple(values: Values) -> str:
    """Set num_speculative_tokens to a multiple of the draft's n_predict."""
    step = int(values["step"])
    asked = int(values["asked"])
    near = sorted({max(asked // step, 1) * step, (asked // step + 1) * step})
    return f"Set num_speculative_tokens: {_or(near)} in speculative_config (a multiple of {step})."


def known_package(values: Values) -> str:
    """Use an image that carries the package, or the setting's default that does without."""
    return (
        f"Use an image that carries {values.get('module', 'the package')}, or leave out the setting that asks for it "
        "(load_format, a connector, a tokenizer mode, a plugin)."
    )


def _or(numbers: t.Sequence[int]) -> str:
    return " or ".join(map(str, numbers)) or "1"
