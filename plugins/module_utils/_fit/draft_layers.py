"""What the layers of a draft model of its own keep in the cache, beside those of the model it drafts for."""

from __future__ import annotations

import dataclasses
import typing as t

from .demand import Demand
from .layers import KNOWN_FAMILIES, Layer, layers_of

if t.TYPE_CHECKING:
    from .model import Model

# Methods whose drafts attend with layers of their own. Others keep nothing, or are not told here.
_ATTENDING = ("eagle", "eagle3", "draft_model", "dflash")


def with_draft(
    layers: tuple[Layer, ...] | None, demand: Demand, model: Model, draft: Model | None
) -> tuple[tuple[Layer, ...] | None, bool]:
    """All layers, and whether they are all of them: a draft that is not known, or that does not mix, is left out."""
    speculation = demand.speculation
    if layers is None or speculation is None or not speculation.model:
        return layers, True
    if speculation.method not in _ATTENDING:
        return layers, False
    own = _layers_of_draft(demand, draft)
    if own is None or draft is None or not (_attends_only(layers) or _alike(model, draft)):
        return layers, False
    return (*layers, *own), True


def _layers_of_draft(demand: Demand, draft: Model | None) -> tuple[Layer, ...] | None:
    if draft is None or demand.speculation is None or draft.text_model_type not in KNOWN_FAMILIES:
        return None
    keys = demand.speculation.keys
    split, cache = keys.get("draft_tensor_parallel_size"), keys.get("kv_cache_dtype")
    own = dataclasses.replace(
        demand,
        speculation=None,
        tensor_parallel=split if isinstance(split, int) and split > 0 else demand.tensor_parallel,
        kv_dtype=cache if isinstance(cache, str) else demand.kv_dtype,
    )
    found = layers_of(draft, own)
    return found if found and _attends_only(found) else None


def _attends_only(layers: t.Sequence[Layer]) -> bool:
    """Beside windows and states, layers are grouped by their kind."""
    return all(layer.kind == "full" for layer in layers)


def _alike(model: Model, draft: Model) -> bool:
    """Layers of one kind for vLLM: as many heads, and as large."""
    return (model.kv_heads, model.head_size) == (draft.kv_heads, draft.head_size)
