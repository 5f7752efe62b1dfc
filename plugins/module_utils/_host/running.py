"""Servers of ours that run with an older CDI spec than the one of today."""

from __future__ import annotations

import dataclasses
import json
import typing as t
from pathlib import Path

from .._cdi.running import devices_of, why_outdated
from .._release.ownership import LABEL
from .command import HostError

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
    listed = run("podman", "ps", "--filter", f"label={LABEL}.managed=true", "--format", "{{.ID}}")
    if not listed.ok:
        raise HostError(f"podman does not list its containers: {listed.said}", listed)
    ids = listed.stdout.split()
    described = run("podman", "inspect", *ids) if ids else None
    if described is None or not described.ok:
        return []  # none, or one that went away in between
    found = (_outdated(each, spec, root) for each in json.loads(described.stdout))
    return [each for each in found if each is not None]


def _outdated(container: t.Mapping[str, t.Any], spec: t.Any, root: str) -> OutdatedServer | None:
    config = container.get("Config") or {}
    labels = config.get("Labels") or {}
    names = devices_of(config.get("CreateCommand") or [])
    try:
        oci = json.loads(Path(root, str(container["OCIConfigPath"]).lstrip("/")).read_text(encoding="utf-8"))
    except (OSError, KeyError, ValueError):
        return None
    reason = why_outdated(spec, names, oci)
    if reason is None:
        return None
    instance = labels.get(f"{LABEL}.instance") or str(container.get("Name"))
    unit = labels.get("PODMAN_SYSTEMD_UNIT") or f"vllm-{instance}.service"
    return OutdatedServer(instance, unit, reason)
