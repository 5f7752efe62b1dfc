"""What a CDI spec refers to. A spec may hold anything: what is not of the expected form is passed over."""

from __future__ import annotations

import re
import typing as t

_LIBCUDA = re.compile(r"/libcuda\.so\.(\d+(?:\.\d+)+)$")

Mapping = t.Mapping[str, t.Any]


def mappings(value: t.Any) -> list[Mapping]:
    """The mappings of a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def devices(data: t.Any) -> dict[str, Mapping]:
    """The edits of each device by its name."""
    listed = mappings(data.get("devices")) if isinstance(data, dict) else []
    return {str(each.get("name")): _edits(each) for each in listed}


def common(data: t.Any) -> Mapping:
    """The edits that every device brings along."""
    return _edits(data) if isinstance(data, dict) else {}


def _edits(holder: Mapping) -> Mapping:
    edits = holder.get("containerEdits")
    return edits if isinstance(edits, dict) else {}


def all_edits(data: t.Any) -> list[Mapping]:
    """Every place where a spec edits a container."""
    return [common(data), *devices(data).values()]


def malformed(data: Mapping) -> str | None:
    """What is not of the form that every reader of specs expects; None where all is."""
    for holder in (data, *mappings(data.get("devices"))):
        edits = holder.get("containerEdits") or {}
        if not isinstance(edits, dict):
            return "containerEdits is no mapping"
        for key in ("deviceNodes", "mounts", "hooks"):
            listed = edits.get(key) or []
            if not isinstance(listed, list) or len(mappings(listed)) != len(listed):
                return f"{key} is no list of mappings"
    return None


def host_path(node: Mapping) -> str:
    """Where a device node is on the host."""
    return str(node.get("hostPath") or node.get("path") or "")


def nodes(edits: Mapping) -> list[Mapping]:
    """The device nodes of some edits."""
    return mappings(edits.get("deviceNodes"))


def node_paths(data: t.Any) -> list[str]:
    """Every device node on the host that a spec refers to."""
    return list(dict.fromkeys(host_path(node) for edits in all_edits(data) for node in nodes(edits)))


def mount_paths(data: t.Any) -> list[str]:
    """Every file and directory of the host that a spec mounts."""
    found = (
        str(mount.get("hostPath") or "")
        for edits in all_edits(data)
        for mount in mappings(edits.get("mounts"))
    )
    return list(dict.fromkeys(path for path in found if path))


def hook_paths(data: t.Any) -> list[str]:
    """Every program of the host that a spec runs."""
    found = (
        str(hook.get("path") or "") for edits in all_edits(data) for hook in mappings(edits.get("hooks"))
    )
    return list(dict.fromkeys(path for path in found if path))


def driver_version(data: t.Any) -> str | None:
    """The driver that a spec was made for: the version in the name of libcuda."""
    found = (_LIBCUDA.search(path) for path in mount_paths(data))
    return next((match.group(1) for match in found if match), None)
