"""What a run did to each host, as the playbooks note it, and how much of the failure budget that spent."""

from __future__ import annotations

import dataclasses
import typing as t


@dataclasses.dataclass(frozen=True)
class HostOutcome:
    """One host of the run. ``problem`` keeps it from going on; ``instances`` holds what ``vllm_server`` left, by name."""

    host: str
    problem: str = ""
    instances: t.Mapping[str, t.Mapping[str, t.Any]] = dataclasses.field(default_factory=dict)
    held: str = ""  # why the rollout stopped before this host

    @property
    def problems(self) -> list[str]:
        """Everything that went wrong on this host."""
        shut = [str(noted["problem"]) for noted in self.instances.values() if noted.get("problem")]
        return [text for text in (self.problem, *shut) if text]


@dataclasses.dataclass(frozen=True)
class Brake:
    """Whether the rollout may go on."""

    holds: bool
    spent: tuple[str, ...]  # hosts
    budget: int

    @property
    def message(self) -> str:
        """In words."""
        hosts = ", ".join(self.spent) or "no host"
        state = "the rollout stops" if self.holds else "the rollout goes on"
        return f"{state}: {len(self.spent)} of a failure budget of {self.budget} spent ({hosts})"


def brake(outcomes: t.Iterable[HostOutcome], budget: int) -> Brake:
    """More hosts with a problem than the budget allows hold the rollout."""
    spent = tuple(outcome.host for outcome in outcomes if outcome.problems)
    return Brake(len(spent) > budget, spent, budget)
