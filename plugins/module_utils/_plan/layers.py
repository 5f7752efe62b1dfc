"""The variables of a host, lowest first, and the instances that they make together."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._settings.finding import Finding
from .tree import Node, entries, lay, twice
from .words import key_text, kind_of, nearest

LayerKind = t.Literal["defaults", "instances", "overrides"]

# Lowest first. The plain `vllm_overrides` is the host's own word and stands above those of its groups.
ORDER: tuple[tuple[LayerKind, bool], ...] = (
    ("defaults", False),
    ("defaults", True),
    ("instances", False),
    ("instances", True),
    ("overrides", True),
    ("overrides", False),
)
_LAYER = re.compile(r"vllm_(defaults|instances|overrides)(__.+)?")
_MISSPELT = re.compile(r"vllm_(default|instance|override|secret)s?(_.*)?")


@dataclasses.dataclass(frozen=True)
class Layers:
    """The merged instances of a host, and what is wrong with the way they were written."""

    instances: dict[str, Node]
    findings: list[Finding]


@dataclasses.dataclass(frozen=True)
class _Layer:
    variable: str
    kind: LayerKind
    rank: int
    content: dict[str, t.Any]


def is_layer(variable: str) -> bool:
    """Whether a variable is one of the layers."""
    return _LAYER.fullmatch(variable) is not None


def is_layer_like(variable: str) -> bool:
    """Whether a variable is one of the layers, or looks so much like one that somebody may have meant it."""
    return is_layer(variable) or _MISSPELT.fullmatch(variable) is not None


def merge_layers(variables: t.Mapping[str, t.Any]) -> Layers:
    """Merge the layers found among ``variables`` (plain builtins): one node per instance."""
    layers, findings = _layers(variables)
    findings += _misspelt(variables)
    findings += _unknown_instances(layers)
    findings += [finding for layer in layers for finding in _layer_findings(layer)]
    instances = {}
    for name in _names(layers):
        node, removed_by = _merged(name, layers)
        if node:
            instances[name] = node
        elif removed_by:
            findings.append(_dropped(name, removed_by))
    return Layers(instances, findings)


def _problem(code: str, message: str, fix: str | None, origin: str, **more: t.Any) -> Finding:
    return Finding("error", "plan", code, message, fix=fix, origin=origin, **more)


def _layers(variables: t.Mapping[str, t.Any]) -> tuple[list[_Layer], list[Finding]]:
    layers: list[_Layer] = []
    findings: list[Finding] = []
    for kind, suffixed in ORDER:
        base = f"vllm_{kind}"
        for name in (
            sorted(name for name in variables if name.startswith(base + "__")) if suffixed else [base]
        ):
            content = variables.get(name)
            if isinstance(content, dict):
                layers.append(
                    _Layer(name, kind, len(layers), {key_text(key): content[key] for key in content})
                )
            elif content is not None:
                findings.append(_not_a_mapping(name, kind, content))
    return layers, findings


def _not_a_mapping(variable: str, kind: LayerKind, content: t.Any) -> Finding:
    holds = "keys of an instance" if kind == "defaults" else "instances by their names"
    example = "{image: …}" if kind == "defaults" else "{qwen: {model: …}}"
    message = f"{variable} must be a mapping of {holds}, not {kind_of(content)}"
    return _problem("layer_not_a_mapping", message, f"{variable}: {example}", variable, value=content)


def _misspelt(variables: t.Mapping[str, t.Any]) -> list[Finding]:
    """Variables that look like a layer, and would be ignored in silence."""
    findings = []
    for name in sorted(variables):
        found = _MISSPELT.fullmatch(name)
        if not found or is_layer(name) or name == "vllm_secrets":
            continue
        right = f"vllm_{found[1]}s" + (f"__{found[2].strip('_')}" if found[2] and found[2].strip("_") else "")
        fix = "write every secret into vllm_secrets, which has no layers" if found[1] == "secret" else right
        message = f"{name} is no variable of this collection and would be ignored"
        findings.append(_problem("unknown_variable", message, fix, name))
    return findings


def _names(layers: t.Sequence[_Layer]) -> list[str]:
    """Every instance that a layer defines, in the order of first mention."""
    return list(
        dict.fromkeys(name for layer in layers if layer.kind == "instances" for name in layer.content)
    )


def _unknown_instances(layers: t.Sequence[_Layer]) -> list[Finding]:
    known = _names(layers)
    findings = []
    for layer in layers:
        for name in () if layer.kind != "overrides" else sorted(set(layer.content) - set(known)):
            guess = nearest(name, known)
            there = f"; there is {', '.join(known)}" if known else ""
            message = f"{layer.variable} changes the instance {name}, which no vllm_instances defines{there}"
            fix = f"{layer.variable}: {{{guess}: …}}" if guess else f"define {name} in vllm_instances"
            findings.append(
                _problem("unknown_instance", message, fix, f"{layer.variable}.{name}", instance=name)
            )
    return findings


def _layer_findings(layer: _Layer) -> list[Finding]:
    """What can be told of one layer without the others."""
    if layer.kind == "defaults":
        return _content_findings(layer.content, layer.variable, None)
    findings = []
    for name, content in layer.content.items():
        origin = f"{layer.variable}.{name}"
        if isinstance(content, dict):
            findings += _content_findings(content, origin, name)
        elif content is not None:
            message = f"the instance {name} must be a mapping of its keys, not {kind_of(content)}"
            fix = f"{name}: {{model: …}}"
            findings.append(
                _problem("instance_not_a_mapping", message, fix, origin, instance=name, value=content)
            )
    return findings


def _content_findings(content: t.Mapping[str, t.Any], origin: str, name: str | None) -> list[Finding]:
    found = entries(content, origin)
    findings = [
        _problem(
            "key_twice",
            f"{'.'.join(entry.path)} is written twice in {origin}, in two spellings",
            "keep one of them",
            entry.origin,
            instance=name,
            setting=entry.path[-1],
            value=entry.value,
        )
        for entry in twice(found)
    ]
    given = {entry.path[0] for entry in found if entry.value is not None}
    if {"argv", "settings"} <= given:
        message = f"{origin} holds both argv and settings, and one layer can say it only one way"
        fix = "move the settings into a layer above, or write all of them as settings"
        findings.append(_problem("argv_and_settings", message, fix, f"{origin}.argv", instance=name))
    return findings


def _merged(name: str, layers: t.Sequence[_Layer]) -> tuple[Node | None, str | None]:
    """The instance, or None and the layer that removed it. What follows a removal begins with the defaults again."""
    blank = Node({}, "vllm_defaults", 0)
    for layer in layers:
        if layer.kind == "defaults":
            blank = lay(blank, entries(layer.content, layer.variable), layer.rank)
    node: Node | None = None
    removed_by: str | None = None
    for layer in layers:
        if layer.kind == "defaults" or name not in layer.content:
            continue
        origin, content = f"{layer.variable}.{name}", layer.content[name]
        if content is None:
            node, removed_by = None, origin
        elif isinstance(content, dict):
            below = dataclasses.replace(node or blank, origin=origin)
            node = lay(below, entries(content, origin), layer.rank)
    return node, removed_by


def _dropped(name: str, origin: str) -> Finding:
    return Finding(
        "warning",
        "plan",
        "instance_dropped",
        f"{origin} is null: {name} is left out of the plan, and a server that runs is left alone",
        fix="state: absent removes the server",
        instance=name,
        origin=origin,
    )
