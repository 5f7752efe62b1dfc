"""The codes of findings of the arithmetic and of advice, each in a sentence; the rules of ``rules/`` name their own."""

from __future__ import annotations

CODES: dict[str, str] = {
    "no_memory_for_kv_cache": "Nothing is left for the KV cache beside the weights and what a step takes.",
    "kv_cache_too_small_for_max_model_len": "What is left for the KV cache does not hold one sequence of full length.",
    "hybrid_mamba_blocks": "More sequences are asked for than states of a hybrid model fit.",
    "step_smaller_than_mamba_block": "A step is smaller than the cache blocks that a hybrid model needs.",
    "free_memory_below_utilization": "Less of a GPU is free than the server asks for at its start; the message says who holds it.",
    "memory_tight": "It probably fits, within the bounds of the estimate.",
    "oom_warmup_or_graph_capture": "CUDA graphs, which this release does not count, may not find room.",
    "oom_generic": "A KV cache of fixed size and the weights are more than the GPU holds.",
    "host_memory": "The memory of the host does not hold what is offloaded to it.",
    "gpus_differ": "The GPUs of a server differ in size: the smallest decides.",
    "memory_shared_with_host": "The GPU has no memory of its own: the host's was reckoned with.",
    "gpu_memory_unknown": "How much memory a GPU has is not known, so nothing was reckoned.",
    "advice_context_length": "The model's whole context must fit, because no length is set.",
    "advice_unified_memory": "A GPU that shares the host's memory leaves the system too little by default.",
    "advice_hybrid_sequences": "The default number of sequences reserves a state for each of them.",
    "advice_draft_tokens": "MTP without a number of drafted tokens.",
    "advice_pcie_pair": "GPUs without NVLink gain nothing from custom all-reduce.",
    "advice_default_limits": "vLLM's defaults for an A100 are those of small GPUs.",
    "advice_few_users": "The default number of sequences is far more than a card of this size serves.",
}
