"""The outcomes that the plays of a run left in the facts of its hosts."""

from __future__ import annotations

import typing as t

from ..module_utils._release.outcome import HostOutcome
from .plain import to_plain


def outcomes(task_vars: t.Mapping[str, t.Any], hosts: t.Iterable[str]) -> list[HostOutcome]:
    """What is noted of each host, in the order of ``hosts``."""
    return [_outcome(task_vars["hostvars"][host], host) for host in hosts]


def _outcome(facts: t.Any, host: str) -> HostOutcome:
    problem = facts.get("__vllm_fleet_problem") or ""
    instances = facts.get("vllm_server_outcome") or {}
    held = facts.get("__vllm_fleet_held") or ""
    return HostOutcome(host, to_plain(problem), to_plain(instances), to_plain(held))
