"""What a server holds beside weights and cache. Estimates, all of them: their bounds are wide and say so."""

from __future__ import annotations

import typing as t

from .config_weights import weights_from_config
from .demand import Demand, element_bytes
from .units import GIB, MIB, Span

if t.TYPE_CHECKING:
    from .model import Model

_SAMPLER_BYTES = 24  # per logit: as it comes, in fp32, sorted with 8-byte indices, and as probabilities
_BASE = Span(0.05 * GIB, 0.5 * GIB, 1.2 * GIB)  # workspaces of kernels, fragments
_NCCL = Span(0.0, 0.4 * GIB, 1.5 * GIB)
_PICTURES = Span(0.0, 0.6 * GIB, 3.0 * GIB)  # the profiling run of an encoder
_PER_GRAPH_AND_LAYER = 0.5 * MIB


def activations(model: Model, demand: Demand) -> Span:
    """The peak of a dummy run: one full step through the widest layer, or all sequences through the sampler."""
    vocabulary = (model.vocab_size or 0) if demand.samples else 0
    sampler = demand.sequences * vocabulary * _SAMPLER_BYTES
    peak = max(_widest(model, demand), sampler)
    total = Span(0.08 * peak, peak, 2.0 * peak) + _BASE
    if demand.tensor_parallel * demand.pipeline_parallel > 1:
        total = total + _NCCL
    if model.is_multimodal and not demand.language_model_only:
        total = total + _PICTURES
    return total


def _widest(model: Model, demand: Demand) -> float:
    hidden = model.hidden_size or 0
    bytes_each = element_bytes(model.dtype)
    dense = 3 * (model.intermediate_size or 0) / demand.tensor_parallel
    sparse = 0.0
    if model.experts and model.experts_per_token:
        inner = (model.expert_intermediate_size or model.intermediate_size or 0) / demand.tensor_parallel
        sparse = model.experts_per_token * (3 * inner + hidden)
    return demand.step_tokens * (max(dense, sparse) + 4 * hidden) * bytes_each


def graphs(model: Model, demand: Demand) -> Span:
    """CUDA graphs: charged to the budget since 0.20, before that taken from what utilization leaves free."""
    if demand.graphs.eager or not demand.graphs.sizes:
        return Span(0, 0, 0)
    likely = (
        demand.graphs.sizes * (model.layers or 32) * _PER_GRAPH_AND_LAYER / demand.pipeline_parallel
        + 64 * MIB
    )
    return Span(0.25 * likely, likely, 3.0 * likely + 0.5 * GIB)


def drafter(model: Model, demand: Demand, draft: Model | None) -> Span:
    """A draft model of its own: its size is rarely known before it is there."""
    if demand.speculation is None or not demand.speculation.model:
        return Span(0, 0, 0)
    held = weights_from_config(draft) if draft else None
    if held is None:
        return Span(0, 0, 0.2 * (model.hidden_size or 0) * (model.vocab_size or 0) * 2 + 4 * GIB)
    return Span(0, held.bytes_of("layer", "expert"), held.bytes_of() * 1.3)
