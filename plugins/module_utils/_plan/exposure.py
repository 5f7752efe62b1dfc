"""Who can reach a server, and what lies open: keys, secrets on a command line, and namespaces of the host."""

from __future__ import annotations

import re
import typing as t

from .._settings.finding import Finding, Severity
from .._settings.secretive import HIDDEN, is_secretive
from .._settings.version import format_release, parse_release
from .instance import Instance
from .tree import Node

_KEY = "VLLM_API_KEY"
# The newest release whose routes were tried (a server with a key, asked without one); docs/security.md has the table.
_TRIED = (0, 32, 0)
# Namespaces of the host that somebody may ask for in Quadlet's own words.
_SHARED = re.compile(r"--(?P<what>ipc|pid|uts|userns|cgroupns)[= ]host\b")
_WHAT = {
    "network": "every port that the server opens, inside or for its own processes, is one of the host's",
    "ipc": "the server and every process of the host that shares memory can read each other's",
    "pid": "the server sees every process of the host, with its command line",
    "uts": "the server may see and share the host's name",
    "userns": "root in the container is root of the host's user namespace",
    "cgroupns": "the server sees the host's control groups",
}


def exposure(instance: Instance, node: Node) -> list[Finding]:
    """Everything that is open of a server that is to be present."""
    return [*_spoken_secrets(instance, node), *_reach(instance, node), *_shared_namespaces(instance, node)]


def _problem(
    code: str,
    severity: Severity,
    message: str,
    fix: str,
    setting: str,
    value: str,
    place: Node | None,
    node: Node,
) -> Finding:
    origin = place.origin if place else node.origin
    return Finding(severity, "plan", code, message, fix=fix, setting=setting, value=value, origin=origin)


def _spoken_secrets(instance: Instance, node: Node) -> list[Finding]:
    """A secret in the settings is in the unit, in `ps` of every user of the host, and in vLLM's own log."""
    found = []
    for option in sorted(set(_secret_options(instance.argv or ()))):
        name = option[2:].replace("-", "_")
        place = node.find("settings", name) or node.find("settings", option[2:]) or node.find("argv")
        variable = {"api_key": _KEY, "hf_token": "HF_TOKEN"}.get(name, name.upper())
        message = (
            f"{name} would stand in the unit, in `ps` and in vLLM's log, where everybody on the host reads it"
        )
        fix = f"vllm_secrets: {{{name}: …}} and secrets: {{{variable}: {name}}} instead"
        found.append(_problem("secret_in_settings", "error", message, fix, name, HIDDEN, place, node))
    return found


def _secret_options(argv: t.Sequence[str]) -> t.Iterator[str]:
    """Options of a canonical command line that carry a secret; a switch carries none."""
    for option, word in zip(argv, [*argv[1:], "--"]):
        if option.startswith("--") and is_secretive(option) and not word.startswith("--"):
            yield option


def _reach(instance: Instance, node: Node) -> list[Finding]:
    """Beyond loopback: without a key, and with one."""
    if not instance.listen or _is_loopback(instance.listen):
        return []
    place = node.find("listen")
    where = f"{instance.listen}:{instance.port}"
    if _KEY in {**instance.secrets, **instance.env} or instance.option("--api-key"):
        message = f"{where}: {_unguarded(instance.version)}"
        fix = "listen: 127.0.0.1 behind a proxy that lets only /v1 through"
        return [
            _problem("routes_without_key", "warning", message, fix, "listen", instance.listen, place, node)
        ]
    message = f"whoever reaches {where} may use the server: it has no API key"
    fix = f"secrets: {{{_KEY}: <key of vllm_secrets>}}, or listen: 127.0.0.1 behind a proxy"
    return [_problem("open_without_key", "warning", message, fix, "listen", instance.listen, place, node)]


def _unguarded(version: str | None) -> str:
    release = parse_release(version or "")
    if release is None or release > _TRIED:
        return (
            f"with an API key, vLLM up to {format_release(_TRIED)} still answers /invocations (the same completions as /v1) and more without"
            " it; of this release that is not known"
        )
    return (
        "with an API key, this vLLM still answers /invocations (the same completions as /v1), /tokenize, /metrics and more"
        " without it"
    )


def _is_loopback(address: str) -> bool:
    return address.startswith("127.") or address == "::1"


def _shared_namespaces(instance: Instance, node: Node) -> list[Finding]:
    """Asked for in `container`: allowed, and told."""
    args = instance.container.get("PodmanArgs", ())
    words = " ".join(str(each) for each in ([args] if isinstance(args, str) else args))
    shared = [found["what"] for found in _SHARED.finditer(words)]
    shared += ["network"] if instance.shares_network else []
    found = []
    for what in sorted(set(shared)):
        key = "Network" if what == "network" else "PodmanArgs"
        message = f"container.{key} shares the host's {what} namespace: {_WHAT[what]}"
        fix = "remove it" + (
            "; limits: {shm: …} is what processes of one server share" if what == "ipc" else ""
        )
        place = node.find("container", key)
        found.append(
            _problem("security_opt_out", "warning", message, fix, f"container.{key}", "host", place, node)
        )
    return found
