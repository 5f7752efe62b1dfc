"""Which running containers were started with what the spec no longer says: their nodes and mounts do not change under
them, so only a restart helps."""

from __future__ import annotations

import typing as t

from . import reading
from .evidence import KIND


def devices_of(command: t.Sequence[str]) -> list[str]:
    """The short names of the GPUs that a ``podman run`` asked for."""
    found, words = [], list(command)
    for index, word in enumerate(words):
        if word == "--device" and index + 1 < len(words):
            found.append(words[index + 1])
        elif word.startswith("--device="):
            found.append(word.partition("=")[2])
    return [name.partition("=")[2] for name in found if name.startswith(KIND + "=")]


def why_outdated(spec: t.Any, names: t.Sequence[str], config: t.Any) -> str | None:
    """Why a container (its OCI configuration) does not have what the spec gives today; None where it has."""
    known = reading.devices(spec)
    if not names:
        return None
    gone = [name for name in names if name not in known]
    if gone:
        return f"the spec no longer knows {', '.join(gone)}"
    edits = [reading.common(spec), *(known[name] for name in names)]
    return _mounts(edits, config) or _nodes(edits, config)


def _mounts(edits: t.Sequence[reading.Mapping], config: t.Any) -> str | None:
    mounted = {
        str(each.get("destination")): str(each.get("source"))
        for each in reading.mappings(config.get("mounts"))
    }
    for mount in (each for edit in edits for each in reading.mappings(edit.get("mounts"))):
        wanted = str(mount.get("hostPath"))
        if mounted.get(str(mount.get("containerPath"))) != wanted:
            return f"it does not have {wanted}"
    return None


def _nodes(edits: t.Sequence[reading.Mapping], config: t.Any) -> str | None:
    linux = config.get("linux") if isinstance(config, dict) else None
    made = {
        str(each.get("path")): (each.get("major"), each.get("minor") or 0)
        for each in reading.mappings((linux or {}).get("devices"))
    }
    for node in (each for edit in edits for each in reading.nodes(edit)):
        path = str(node.get("path"))
        if path not in made:
            return f"it does not have {path}"
        if node.get("major") is not None and made[path] != (node.get("major"), node.get("minor") or 0):
            return f"its {path} is {made[path][0]}:{made[path][1]}, now it is {node.get('major')}:{node.get('minor') or 0}"
    return None
