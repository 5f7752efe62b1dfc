"""Each key of an instance against the table: what is written, as the type that is meant, and what is wrong with it."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.finding import Finding
from .._settings.secretive import HIDDEN, is_secretive
from .kinds import read
from .schema import BY_PATH, KEYS, SECTIONS, Key, keys_below
from .tree import Node
from .values import Problem
from .words import kind_of, nearest

# Their own keys are free.
_FREE = frozenset({"settings", "env", "secrets", "container"})


@dataclasses.dataclass(frozen=True)
class Read:
    """The keys of an instance by their dotted path, defaults included; a key that is wrong is left out."""

    values: dict[str, t.Any]
    findings: list[Finding]


def read_instance(node: Node) -> Read:
    """Every key of the table, and everything that the table does not know."""
    values: dict[str, t.Any] = {}
    findings = _unknown(node)
    for key in KEYS:
        place = node.find(*key.path.split("."))
        if place is None:
            if key.default is not None:
                values[key.path] = key.default
            continue
        if _is_section(key, place):
            continue
        value, problems = read(key, place)
        findings += [_finding(key, place, problem) for problem in problems]
        if not problems:
            values[key.path] = value
    findings += _missing(node) + _given_away(node, values) + _open_secrets(node, values)
    return Read(values, findings)


def _is_section(key: Key, place: Node) -> bool:
    """`model` as a mapping: its own keys are read one by one."""
    return key.path in SECTIONS and isinstance(place.value, dict)


def _finding(key: Key, place: Node, problem: Problem) -> Finding:
    return Finding(
        "error",
        "plan",
        problem.code,
        problem.message,
        fix=problem.fix,
        setting=problem.setting or key.path,
        value=place.plain() if problem.value is None else problem.value,
        origin=problem.origin or place.origin,
    )


def _unknown(node: Node) -> list[Finding]:
    findings = _unknown_below(node, None)
    for section in SECTIONS:
        place = node.find(section)
        if place and isinstance(place.value, dict):
            findings += _unknown_below(place, section)
        elif place and section != "model":
            findings.append(
                Finding(
                    "error",
                    "plan",
                    "bad_type",
                    f"{section} must be a mapping of {', '.join(keys_below(section))}, not {kind_of(place.value)}",
                    fix=f"{section}: {{{keys_below(section)[0]}: …}}",
                    setting=section,
                    value=place.plain(),
                    origin=place.origin,
                )
            )
    return findings


def _unknown_below(node: Node, section: str | None) -> list[Finding]:
    known = keys_below(section)
    findings = []
    for name, place in node.value.items():
        if name in known:
            continue
        findings.append(
            Finding(
                "error",
                "plan",
                "unknown_key",
                f"{section or 'an instance'} has no key {name}; it has {', '.join(known)}",
                fix=_meant(name, section, known),
                setting=f"{section}.{name}" if section else name,
                value=place.plain(),
                origin=place.origin,
            )
        )
    return findings


def _meant(name: str, section: str | None, known: t.Sequence[str]) -> str:
    guess = nearest(name, known)
    if guess:
        return f"{guess}: …"
    if section is None:
        below = [key.path for key in KEYS if key.path.endswith("." + name)]
        if below:
            return f"{below[0].split('.')[0]}: {{{name}: …}}"
        return f"remove it; an option of vllm serve belongs into settings: {{{name}: …}}"
    return "remove it"


def _missing(node: Node) -> list[Finding]:
    if (node.find("state") or Node("present", "", 0)).value == "absent":
        return []
    findings = []
    for key in KEYS:
        if not key.required or node.find(*key.path.split(".")):
            continue
        if key.path == "model" and node.find("argv"):
            continue  # a pasted command line usually names it
        findings.append(
            Finding(
                "error",
                "plan",
                f"missing_{key.path}",
                f"no layer sets {key.path}",
                fix=f"{key.path}: {key.example}",
                setting=key.path,
                origin=f"{node.origin}.{key.path}",
            )
        )
    model = node.find("model")
    if model and isinstance(model.value, dict) and not model.find("repo"):
        fix = f"model: {{repo: {BY_PATH['model.repo'].example}}}"
        message = "model is a mapping without repo"
        findings.append(
            Finding(
                "error", "plan", "missing_model", message, fix=fix, setting="model.repo", origin=model.origin
            )
        )
    return findings


def _given_away(node: Node, values: t.Mapping[str, t.Any]) -> list[Finding]:
    findings = []
    for key in KEYS:
        place = node.find(*key.path.split("."))
        if key.gives_away and place and values.get(key.path):
            findings.append(
                Finding(
                    "warning",
                    "plan",
                    "security_opt_out",
                    f"{key.path}: {key.gives_away}",
                    fix="remove it, unless the host cannot do without",
                    setting=key.path,
                    value=True,
                    origin=place.origin,
                )
            )
    return findings


def _open_secrets(node: Node, values: t.Mapping[str, t.Any]) -> list[Finding]:
    """A token in `env` ends up in the unit file, in `podman inspect` and in every diff."""
    findings = []
    for name in values.get("env", {}):
        place = node.find("env", name)
        if place and is_secretive(name) and place.value:
            findings.append(
                Finding(
                    "warning",
                    "plan",
                    "secret_in_env",
                    f"env.{name} looks like a secret; in env everybody on the host can read it",
                    fix=f"vllm_secrets: {{{name.lower()}: …}} and secrets: {{{name}: {name.lower()}}}",
                    setting=f"env.{name}",
                    value=HIDDEN,
                    origin=place.origin,
                )
            )
    return findings
