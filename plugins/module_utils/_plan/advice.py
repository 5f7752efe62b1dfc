"""What is known beyond the settings of an instance, and lets their check say more."""

from __future__ import annotations

import dataclasses
import typing as t

from .._fit.hardware import select_gpus
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
        if not names:
            return None
        found = select_gpus(list(names), self.facts.gpus)
        if found is None:
            return None if "all" in names else [{} for _name in names]
        # What is free now is no matter of the plan: the server that runs holds the rest.
        return [{**dataclasses.asdict(gpu), "memory_free_mib": None} for gpu in found]

    def model(self, name: t.Any) -> Model | None:
        """The model by its name; None where the host has not been asked."""
        known = self.facts.model_facts.get(name) if isinstance(name, str) else None
        config = known.get("config") if isinstance(known, dict) else None
        return parse_model(config) if isinstance(config, dict) else None
