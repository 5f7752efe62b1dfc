"""What a run did to each host, as the playbooks note it: how much of the failure budget it spent, and the report."""

from __future__ import annotations

import dataclasses
import re
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


COLUMNS = (
    "host",
    "instance",
    "endpoint",
    "model",
    "image",
    "vLLM",
    "changed",
    "until ready",
    "without service",
)


def report_rows(outcomes: t.Iterable[HostOutcome]) -> list[tuple[str, ...]]:
    """A row for each instance, and one for each host that has none to show."""
    rows: list[tuple[str, ...]] = []
    for outcome in outcomes:
        rows += [_row(outcome.host, name, noted) for name, noted in sorted(outcome.instances.items())]
        if not outcome.instances:
            rows.append((outcome.host, "-", "-", "-", "-", "-", _untouched(outcome), "-", "-"))
    return rows


def _untouched(outcome: HostOutcome) -> str:
    if outcome.problem:
        return "LEFT OUT"
    return "held back" if outcome.held else "nothing done"


def report_text(outcomes: t.Sequence[HostOutcome]) -> str:
    """The table, and below it what went wrong, in full."""
    told = [f"{outcome.host}: {problem}" for outcome in outcomes for problem in outcome.problems]
    held = sorted({outcome.held for outcome in outcomes if outcome.held})
    return "\n\n".join([text_table(COLUMNS, report_rows(outcomes)), *told, *held])


def text_table(columns: t.Sequence[str], rows: t.Sequence[t.Sequence[str]]) -> str:
    """Columns as wide as their widest cell, two spaces between them."""
    lines = [columns, *rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines
    )


def _row(host: str, name: str, noted: t.Mapping[str, t.Any]) -> tuple[str, ...]:
    instance = noted.get("instance") or {}
    gate = noted.get("gate") or {}
    return (
        host,
        name,
        _text(instance.get("endpoint")),
        _text(instance.get("model")),
        _short(_text(instance.get("image_identity") or instance.get("image"))),
        _text(gate.get("vllm_version")),
        _changed(noted),
        _seconds(gate.get("seconds_until_ready")),
        _seconds(gate.get("seconds_without_service")),
    )


_DIGEST = re.compile(r"[0-9a-f]{64}")


def _short(identity: str) -> str:
    """A digest or an ID as Podman lists it: twelve digits."""
    digits = identity.rpartition("sha256:")[2]
    return digits[:12] if _DIGEST.fullmatch(digits) else identity


# The last of these that was done says what the operator would call it.
_WORDS = (("remove", "removed"), ("restart", "restarted"), ("start", "started"), ("write", "unit written"))


def _changed(noted: t.Mapping[str, t.Any]) -> str:
    if noted.get("problem"):
        return "GATE SHUT"
    done = [str(action).split(" ", 1)[0] for action in noted.get("actions") or ()]
    return next((word for verb, word in _WORDS if verb in done), "nothing")


def _seconds(value: t.Any) -> str:
    return "-" if value is None else f"{float(value):.1f} s"


def _text(value: t.Any) -> str:
    return "-" if value in (None, "") else str(value)
