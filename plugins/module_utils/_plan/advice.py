"""What is known beyond the settings of an instance, and lets their check say more."""

from __future__ import annotations

import dataclasses
import typing as t

from .._fit.adapters import named_adapters
from .._fit.hardware import select_gpus
from .._fit.judge import Judged, Known, judge_server
from .._fit.model import Model, parse_model
from .._settings.case import Case
from .._settings.rules.speculation import read_speculation
from .facts import HostFacts
from .instance import host_path, mounts_of

GpuFacts = t.Sequence[t.Mapping[str, t.Any]]


@dataclasses.dataclass(frozen=True)
class Advice:
    """Facts of the host, names that plug-ins bring, and the release that may come next."""

    facts: HostFacts = dataclasses.field(default_factory=HostFacts)
    known_names: tuple[str, ...] = ()
    target: str | None = None
    # One fleet serves a few models on many hosts: what was judged once is not judged again.
    judged: dict[str, Judged] = dataclasses.field(default_factory=dict)
    own_units: frozenset[str] = frozenset()  # stopped before a server of the plan starts
    advise: bool = True

    def gpus(self, names: t.Sequence[str]) -> GpuFacts | None:
        """The GPUs of an instance; without facts of the host only their number is known, and of `all` not even that."""
        if not names:
            return None
        found = select_gpus(list(names), self.facts.gpus, self.own_units)
        if found is None:
            return None if "all" in names else [{} for _name in names]
        return [dataclasses.asdict(gpu) for gpu in found]

    def model(self, name: t.Any) -> Model | None:
        """The model by its name; None where it is not known, or its config is none that can be read."""
        config = self._facts_of(name).get("config")
        if not isinstance(config, dict):
            return None
        try:
            return parse_model(config)
        except (TypeError, ValueError, AttributeError, KeyError):
            return None  # host_state.py says so

    def judge(self, asked: dict[str, t.Any], volumes: t.Sequence[str] = ()) -> Judged:
        """The server whole; what only its command line names is looked up once that is read."""
        judged = self._judged(asked, asked["model"], None, {})
        case = judged.checked.case
        speculation = read_speculation(case)
        names = (
            self.key_of(case.model, case.values.get("revision")),
            self.key_of(speculation.model, speculation.keys.get("revision")) if speculation else None,
        )
        adapters = self._adapters(case, volumes)
        if adapters or any(
            name and name != asked["model"] and name in self.facts.model_facts for name in names
        ):
            return self._judged(asked, *names, adapters)
        return judged

    def key_of(self, name: str | None, revision: t.Any) -> str | None:
        """Where the facts of a model are kept: by its name, with its revision where a host has several of it."""
        versioned = f"{name}@{revision}"
        return versioned if revision and versioned in self.facts.model_facts else name

    def _adapters(self, case: Case, volumes: t.Sequence[str]) -> dict[str, t.Mapping[str, t.Any]]:
        """Facts of adapters by their paths in the container; those of a host go by the paths that it has."""
        mounts = mounts_of(case.model, volumes)
        paths = named_adapters(case.values.get("lora_modules"))
        names = {path: host_path(mounts, path) if path.startswith("/") else path for path in paths}
        return {path: self._facts_of(name) for path, name in names.items() if self._facts_of(name)}

    def _judged(
        self,
        asked: dict[str, t.Any],
        model: t.Any,
        draft: t.Any,
        adapters: t.Mapping[str, t.Mapping[str, t.Any]],
    ) -> Judged:
        tensors = self._facts_of(model).get("tensors")
        known = Known(tensors, self.facts.host_memory_mib, self.facts.driver_version, self.advise, adapters)
        key = repr((asked, known, self._facts_of(model).get("config"), self._facts_of(draft).get("config")))
        if key not in self.judged:
            facts = {"model_facts": self.model(model), "draft_facts": self.model(draft)}
            self.judged[key] = judge_server(known, **asked, **facts)
        return self.judged[key]

    def _facts_of(self, name: t.Any) -> t.Mapping[str, t.Any]:
        known = self.facts.model_facts.get(name) if isinstance(name, str) else None
        return known if isinstance(known, dict) else {}
