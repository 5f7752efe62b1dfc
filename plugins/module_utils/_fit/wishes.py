"""Typed access to the values of a case."""

from __future__ import annotations

import typing as t

from .._settings.case import Case

if t.TYPE_CHECKING:
    from .model import Model

_ABSURD = 1 << 50  # no setting is meant to be that large, and arithmetic with it says nothing
_OVERRIDES = ("hf_overrides", "rope_scaling", "hf_config_path")


class Wishes:
    """Typed access to a case's values: what has another type counts as absent."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def whole(self, name: str) -> int | None:
        value = self.case.values.get(name)
        plain = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _ABSURD
        return value if plain else None

    def count(self, name: str) -> int:
        return max(1, self.whole(name) or 1)

    def real(self, name: str, default: float) -> float:
        value = self.case.values.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _ABSURD:
            return float(value)
        return default

    def text(self, name: str) -> str:
        value = self.case.values.get(name)
        return value if isinstance(value, str) else ""

    def flag(self, name: str) -> bool:
        return self.case.values.get(name) is True

    def words(self, name: str) -> tuple[str, ...]:
        value = self.case.values.get(name)
        return tuple(sorted(map(str, value))) if isinstance(value, (list, tuple, set, frozenset)) else ()

    def compilation(self) -> t.Mapping[str, t.Any]:
        value = self.case.values.get("compilation_config")
        return value if isinstance(value, t.Mapping) else {}

    def length(self, model: Model | None) -> int | None:
        asked = self.case.values.get("max_model_len")
        if isinstance(asked, int) and not isinstance(asked, bool) and asked > 0:
            return asked
        return None if model is None or self.overrides_the_model() else model.derived_max_length

    def overrides_the_model(self) -> bool:
        """Whether the model that is served may differ from its config."""
        return any(self.case.values.get(name) for name in _OVERRIDES)
