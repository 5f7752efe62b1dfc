"""Servers of ours that run with an older CDI spec than the one of today."""

from __future__ import annotations

import dataclasses
import json
import typing as t
from pathlib import Path

from .._cdi.running import devices_of, why_outdated
from . import owned

if t.TYPE_CHECKING:
    from .command import Run


@dataclasses.dataclass(frozen=True)
class OutdatedServer:
    """A running server, and what it has not got of today's spec."""

    instance: str
    unit: str
    reason: str


def outdated_servers(run: Run, spec: t.Any, root: str = "/") -> list[OutdatedServer]:
    """Every running server of ours whose container differs from what the spec gives now."""
    ours = [each for each in owned.containers(run).values() if each.instance]
    found = [(each, outdated(each, spec, Path(root))) for each in ours]
    return [
        OutdatedServer(str(each.instance), each.unit or f"vllm-{each.instance}.service", reason)
        for each, reason in found
        if reason is not None
    ]


def outdated(container: owned.Container, spec: t.Any, root: Path = Path("/")) -> str | None:
    """What a running container has not got of this spec; None where it has all, or where that cannot be told."""
    if not container.running:
        return None
    try:
        config = json.loads((root / container.oci_config.lstrip("/")).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return why_outdated(spec, devices_of(container.create_command), config)
