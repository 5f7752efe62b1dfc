"""The model as it is after ``hf_overrides``, for the keys of its config that rules read."""

from __future__ import annotations

import dataclasses
import typing as t

# Keys of config.json, and what the facts of a model call them.
_WHOLE = {
    "num_attention_heads": "attention_heads",
    "num_key_value_heads": "kv_heads",
    "num_hidden_layers": "layers",
    "vocab_size": "vocab_size",
    "hidden_size": "hidden_size",
    "head_dim": "head_size",
    "max_position_embeddings": "max_position_embeddings",
}
# Keys that say nothing of how long a context may be; any other one might.
_NOT_OF_LENGTH = frozenset(
    (*_WHOLE, "architectures", "tie_word_embeddings", "torch_dtype", "dtype", "use_cache")
)


def length_is_told(overrides: t.Any) -> bool:
    """Whether the length of a model is known in spite of its overrides."""
    return not overrides or (isinstance(overrides, t.Mapping) and set(overrides) <= _NOT_OF_LENGTH)


def overridden(model: t.Any, overrides: t.Any) -> t.Any:
    """The facts of a model with what the overrides replace; the same object where they replace nothing of these."""
    if model is None or not isinstance(overrides, t.Mapping):
        return model
    found: dict[str, t.Any] = {
        name: overrides[key]
        for key, name in _WHOLE.items()
        if isinstance(overrides.get(key), int) and not isinstance(overrides[key], bool) and key in model.raw
    }
    names = overrides.get("architectures")
    if isinstance(names, list) and names:
        found["architectures"] = tuple(map(str, names))
    return dataclasses.replace(model, **found) if found else model
