"""One thing to say about a server as it is asked for: the one type that every part of the collection reports in."""

from __future__ import annotations

import dataclasses
import typing as t

Severity = t.Literal["error", "warning", "info"]
Stage = t.Literal["parse", "start", "fit", "plan", "host", "advice"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclasses.dataclass(frozen=True)
class Finding:
    """What is wrong (or worth knowing), where it was written, and what to write instead.

    ``origin`` is the dotted path of the value in the inventory, e.g. ``vllm_overrides.qwen.settings.max_num_seqs``;
    ``source`` is where the rule was taken from (file and version of vLLM or NVIDIA); ``since`` and ``until`` are the
    first and the last vLLM release for which it holds.
    """

    severity: Severity
    stage: Stage
    code: str
    message: str
    fix: str | None = None
    host: str | None = None
    instance: str | None = None
    setting: str | None = None
    value: t.Any = None
    origin: str | None = None
    source: str | None = None
    since: str | None = None
    until: str | None = None

    def at(self, **place: t.Any) -> Finding:
        """The same finding with the empty ones of host, instance, setting, value, origin filled in."""
        missing = {key: value for key, value in place.items() if getattr(self, key) is None}
        return dataclasses.replace(self, **missing)

    def as_dict(self) -> dict[str, t.Any]:
        """Always all keys; what is absent is None."""
        return dataclasses.asdict(self)


def has_errors(findings: t.Iterable[Finding]) -> bool:
    """Whether any of the findings is an error."""
    return any(finding.severity == "error" for finding in findings)


def in_order(findings: t.Iterable[Finding]) -> list[Finding]:
    """Errors first; within one severity as they were found, and each only once."""
    unique: dict[str, Finding] = {}
    for finding in findings:
        unique.setdefault(repr(finding), finding)
    return sorted(unique.values(), key=lambda finding: SEVERITIES.index(finding.severity))
