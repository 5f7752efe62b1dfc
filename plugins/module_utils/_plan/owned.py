"""Where a server is reached, and what else of a pasted command line is the instance's own to say."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding
from .._settings.pasted import read_pasted
from .command_line import given
from .tree import Node

# Inside its own network the server listens on every address: what Podman publishes arrives from outside that network.
# The port is the same inside and outside, so that logs, `ps` and clients speak of one number.
EVERYWHERE = "0.0.0.0"
EVERYWHERE_TOO = "::"  # where Podman publishes an address of IPv6; Linux then takes IPv4 as well
OWNED = {"host": "listen", "port": "port", "uds": None}


def owned_settings(place: Node | None) -> list[Finding]:
    """Settings that say where a server is reached."""
    found = []
    for name, key in OWNED.items():
        inner = place.find(name) if place else None
        if inner:
            found.append(_owned(name, key, inner.plain(), inner.origin, "settings"))
    return found


def _owned(name: str, key: str | None, value: t.Any, origin: str, where: str) -> Finding:
    instead = f"write {key}: {value} beside {where}" if key else "a server is reached by listen and port"
    return Finding(
        "error",
        "plan",
        "owned_setting",
        f"{name} is no setting here: listen and port own where the server is reached",
        fix=f"remove it; {instead}",
        setting=name,
        value=value,
        origin=origin,
    )


def owned_words(node: Node, values: t.Mapping[str, t.Any], pasted: t.Any) -> list[Finding]:
    """A pasted line may repeat what the plan says; where it says something else, somebody would miss it."""
    place = node.find("argv")
    if not pasted or not place:
        return []
    line = read_pasted(pasted)
    words = line.words
    found = [_left_out(name, place) for name in line.env if name not in values.get("env", {})]
    for name, key in OWNED.items():
        for said in given(words, f"--{name}"):
            same = str(values.get(key)) == said if key else False
            if not same and (name, said) != ("host", EVERYWHERE):
                found.append(_owned(name, key, said, place.origin, "argv"))
    if EVERYWHERE in given(words, "--host") and values.get("listen") not in (EVERYWHERE, "::"):
        found.append(_loopback(str(values.get("listen")), place))
    return found


def _left_out(name: str, place: Node) -> Finding:
    """Not taken over by itself: it is often a secret, or a shell's variable."""
    return Finding(
        "warning",
        "plan",
        "env_in_argv",
        f"the command line sets {name}, and only options are taken over from it",
        fix=f"env: {{{name}: …}}, or secrets: {{{name}: …}}",
        setting=f"env.{name}",
        origin=place.origin,
    )


def _loopback(listen: str, place: Node) -> Finding:
    return Finding(
        "warning",
        "plan",
        "listen_narrower",
        f"the command line listens on {EVERYWHERE}, and the instance on {listen}: that is what counts",
        fix=f"listen: {EVERYWHERE}",
        setting="listen",
        value=listen,
        origin=place.origin,
    )


def narrow_network(node: Node, values: t.Mapping[str, t.Any]) -> list[Finding]:
    """Podman's own network carries IPv4 only, so that nothing behind an address of IPv6 would answer."""
    listen, place = str(values.get("listen", "")), node.find("listen")
    if ":" not in listen or "Network" in values.get("container", {}):
        return []
    return [
        Finding(
            "warning",
            "plan",
            "listen_without_ipv6",
            f"the instance listens on {listen}, and Podman's default network carries IPv4 only",
            fix="container: {Network: …} with a network that was created with --ipv6, or host",
            setting="listen",
            value=listen,
            origin=place.origin if place else None,
        )
    ]
