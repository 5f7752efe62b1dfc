"""What is known beyond the settings of an instance, and lets their check say more."""

from __future__ import annotations

import dataclasses
import typing as t

from .._fit.model import Model, parse_model
from .._settings.check import Checked
from .facts import HostFacts

GpuFacts = t.Sequence[t.Mapping[str, t.Any]]


@dataclasses.dataclass(frozen=True)
class Advice:
    """Facts of the host, names that plug-ins bring, and the release that may come next."""

    facts: HostFacts = dataclasses.field(default_factory=HostFacts)
    known_names: tuple[str, ...] = ()
    target: str | None = None
    # One fleet serves a few models on many hosts: what was judged once is not judged again.
    judged: dict[str, Checked] = dataclasses.field(default_factory=dict)

    def gpus(self, names: t.Sequence[str]) -> GpuFacts | None:
        """The GPUs of an instance; without facts of the host only their number is known, and of `all` not even that."""
        known = self.facts.gpus
        if "all" in names:
            return known
        if not names:
            return None
        return [_fact(name, known or ()) for name in names]

    def model(self, name: t.Any) -> Model | None:
        """The model by its name; None where the host has not been asked."""
        known = self.facts.model_facts.get(name) if isinstance(name, str) else None
        config = known.get("config") if isinstance(known, dict) else None
        return parse_model(config) if isinstance(config, dict) else None


def _fact(name: str, gpus: GpuFacts) -> t.Mapping[str, t.Any]:
    for gpu in gpus:
        if name in (str(gpu.get("index")), gpu.get("uuid")):
            return gpu
    return {}
