"""Context parallelism: one sequence spread over GPUs, while it is read and while it is written."""

from __future__ import annotations

import typing as t

from .rule import Breach, row, rule, rules_of
from .view import View

_ROWS = (
    row(
        "context_parallel_not_dividing",
        "decode_context_parallel_size",
        "config/parallel.py:600 (0.33.0)",
        lambda view: view.pcp == 1 and view.dcp > 0 and view.tp % view.dcp != 0,
        lambda view: (
            f"tensor_parallel_size {view.tp} is not divisible by decode_context_parallel_size {view.dcp}."
        ),
        "let decode_context_parallel_size divide tensor_parallel_size",
        since="0.10.2",
    ),
    row(
        "context_parallel_combination",
        "prefill_context_parallel_size",
        "config/parallel.py:602 (0.33.0)",
        lambda view: view.pcp > 1 and view.dcp not in (1, view.pcp, view.tp * view.pcp),
        lambda view: (
            f"With prefill_context_parallel_size {view.pcp}, decode_context_parallel_size is 1, {view.pcp}"
            f" or {view.tp * view.pcp}, not {view.dcp}."
        ),
        "leave decode_context_parallel_size out",
        since="0.26.0",
    ),
    row(
        "prefill_context_parallel_unsupported",
        "prefill_context_parallel_size",
        "config/parallel.py:316 (0.12.0)",
        lambda view: view.pcp > 1,
        lambda view: "This release knows prefill_context_parallel_size but refuses any value above 1.",
        "leave it out",
        since="0.12.0",
        until="0.12.0",
    ),
    row(
        "prefill_context_parallel_with_data_parallel",
        "prefill_context_parallel_size",
        "config/parallel.py:549 (0.29.0)",
        lambda view: view.pcp > 1 and view.dp > 1,
        lambda view: "prefill_context_parallel_size does not go together with data_parallel_size.",
        "leave one of them out",
        since="0.26.0",
        until="0.29.0",
    ),
    row(
        "prefill_context_parallel_needs_v2",
        "prefill_context_parallel_size",
        "config/vllm.py (0.27.1 … 0.33.0) use_v2_model_runner",
        lambda view: view.pcp > 1 and view.env.get("VLLM_USE_V2_MODEL_RUNNER") == "0",
        lambda view: (
            "prefill_context_parallel_size needs model runner V2; VLLM_USE_V2_MODEL_RUNNER=0 forbids it."
        ),
        "remove VLLM_USE_V2_MODEL_RUNNER from env",
        since="0.27.0",
    ),
    row(
        "prefill_context_parallel_needs_mla",
        "prefill_context_parallel_size",
        "config/vllm.py:2172 (0.27.1)",
        lambda view: view.pcp > 1 and view.model.is_mla is False,
        lambda view: (
            "prefill_context_parallel_size runs models with latent attention (MLA) only in this release."
        ),
        "leave it out",
        since="0.27.0",
        until="0.28.0",
        needs=("model",),
    ),
    row(
        "context_backend_without_context_parallel",
        "dcp_comm_backend",
        "config/parallel.py:542 (0.28.0)",
        lambda view: view.text("dcp_comm_backend") == "a2a" and view.dcp <= 1,
        lambda view: "dcp_comm_backend a2a needs decode_context_parallel_size above 1.",
        "leave dcp_comm_backend out",
        since="0.18.0",
        until="0.28.0",
    ),
)


@rule(
    "context_parallel_heads",
    "decode_context_parallel_size",
    "config/model.py:1582-1602 (0.33.0)",
    "0.11.1",
    needs=("model",),
    also=lambda view: view.dcp > 1,
)
def context_parallelism_fits_the_heads(view: View) -> t.Iterator[Breach]:
    """With grouped heads, decode context parallelism uses the copies that tensor parallelism makes of KV heads."""
    kv_heads, heads = view.model.kv_heads, view.model.attention_heads
    if view.model.is_mla is not False or not kv_heads or not heads:
        return
    copies = view.tp // kv_heads
    if view.tp <= kv_heads or view.dcp > copies or (heads // kv_heads) % view.dcp:
        yield Breach(
            "decode_context_parallel_size",
            f"The model has {kv_heads} KV heads: decode_context_parallel_size {view.dcp} needs tensor_parallel_size"
            f" of at least {kv_heads * view.dcp} (it is {view.tp}) and must divide the {heads // kv_heads} query"
            " heads per KV head.",
            "leave decode_context_parallel_size out, or raise tensor_parallel_size",
        )


RULES = rules_of(globals())
