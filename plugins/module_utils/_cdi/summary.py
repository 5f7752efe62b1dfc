"""A CDI spec as a person reads it in a difference: one line for each thing that it gives to a container."""

from __future__ import annotations

import typing as t

from . import reading
from .evidence import GpuNames


def summary(data: t.Any) -> str:
    """What a spec says, and nothing of how it says it."""
    version = data.get("cdiVersion") if isinstance(data, dict) else None
    lines = [f"cdiVersion {version}", f"made for driver {reading.driver_version(data) or 'unknown'}"]
    for name, edits in reading.devices(data).items():
        lines.append(
            f"device {name}: {', '.join(_node(node) for node in reading.nodes(edits)) or 'no nodes'}"
        )
        lines += [f"  {line}" for line in _lines(edits)]
    common = reading.common(data)
    lines += [f"every device: {_node(node)}" for node in reading.nodes(common)]
    return "\n".join([*lines, *_lines(common), ""])


def _node(node: reading.Mapping) -> str:
    path, host = str(node.get("path")), reading.host_path(node)
    numbers = f" {node['major']}:{node.get('minor') or 0}" if node.get("major") is not None else ""
    return f"{path}{numbers}" + (f" (the host's {host})" if host != path else "")


def _lines(edits: reading.Mapping) -> list[str]:
    """The edits that are not device nodes."""
    env = edits.get("env")
    lines = [f"env {each}" for each in env] if isinstance(env, list) else []
    for mount in reading.mappings(edits.get("mounts")):
        source, target = str(mount.get("hostPath")), str(mount.get("containerPath"))
        lines.append(f"mount {source}" + (f" as {target}" if target != source else ""))
    for hook in reading.mappings(edits.get("hooks")):
        words = hook.get("args")
        arguments = [str(each) for each in words[1:]] if isinstance(words, list) else []
        lines.append(" ".join(["hook", str(hook.get("path")), *arguments]))
    return lines


def forecast(gpus: t.Sequence[GpuNames], strategies: t.Sequence[str], step: str) -> str:
    """What can be said of a spec before there is the program that writes it."""
    names = [
        name for strategy in strategies or ("index", "uuid") for gpu in gpus for name in _names(gpu, strategy)
    ]
    return "\n".join(
        [f"(known after {step}; its devices are to be)", *(f"device {name}" for name in [*names, "all"]), ""]
    )


def _names(gpu: GpuNames, strategy: str) -> list[str]:
    pairs = gpu.slices if gpu.mig_mode else ((str(gpu.index), gpu.uuid),)
    if strategy == "uuid":
        return [uuid for _name, uuid in pairs if uuid]
    kind = ("mig" if gpu.mig_mode else "gpu") if strategy == "type-index" else ""
    return [f"{kind}{name}" for name, _uuid in pairs]
