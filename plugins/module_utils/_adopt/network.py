"""Where a server is reached: published ports and networks as `listen` and `port`."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._settings.finding import Finding
from .found import Found, dropped, guessed, lost, otherwise

DEFAULT_PORT = 8000
EVERYWHERE = "0.0.0.0"
LOOPBACK = "127.0.0.1"
_PUBLISHED = re.compile(
    r"(?:(?P<address>\[[^\]]+\]|\d+\.[\d.]+|localhost|\*):)?(?:(?P<outside>[\d-]*):)?(?P<inside>[\d-]+)(?:/(?P<kind>\w+))?"
)
# A network of Podman's with its options, in words that mean the same to Quadlet; `.network` is another unit.
_OF_PODMAN = re.compile(r"[\w.:,=/@\[\]-]+(?<!\.network)")
# Settings that make a server open further ports, for other servers.
_SPEAKS = ("data_parallel", "nnodes", "master_addr", "node_rank", "kv_transfer_config")


@dataclasses.dataclass
class Place:
    """Where a server is reached."""

    listen: str = LOOPBACK
    port: int = DEFAULT_PORT
    network: str | None = None
    findings: list[Finding] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class _Port:
    address: str
    outside: int | None
    inside: int


def place_of(found: Found, host: str | None, port: t.Any, settings: t.Mapping[str, t.Any]) -> Place:
    """Read ports and networks; ``host`` and ``port`` are what the server's own command line says."""
    inside = int(port) if str(port or "").isdigit() else DEFAULT_PORT
    place = Place(port=inside)
    networks = found.values("--network")
    if found.tool == "none" or "host" in networks:
        place.listen = _address(host) or EVERYWHERE
        _host_network(found, settings, place)
        return place
    _published(found, inside, place)
    _named_networks(found, networks, place)
    return place


def _address(host: str | None) -> str | None:
    """Podman binds to addresses, not to names."""
    return {"localhost": LOOPBACK, "*": EVERYWHERE, "": None, "::": EVERYWHERE}.get(host or "", host)


def _host_network(found: Found, settings: t.Mapping[str, t.Any], place: Place) -> None:
    if found.tool == "none":
        return
    speaks = sorted(name for name in settings if name.startswith(_SPEAKS))
    if speaks:
        place.network = "host"
        why = f"it has {', '.join(speaks)}, and opens further ports for other servers"
        place.findings.append(
            otherwise(f"--network host stays as container.Network: {why}", "container.Network")
        )
        return
    message = f"--network host: the port is published instead, at the same {place.listen}:{place.port}"
    place.findings.append(dropped(message, "container: {Network: host} where the server opens further ports"))


def _published(found: Found, inside: int, place: Place) -> None:
    ports = [port for text in found.values("--publish") for port in _ports(text, place)]
    own = [each for each in ports if each.inside == inside]
    if not own and len(ports) == 1:
        own = ports
        message = f"port {ports[0].inside} of the container is published, and vLLM listens on {inside}: the published one is taken"
        place.findings.append(guessed(message, "port: …", "port"))
    if not own:
        if ports:
            place.findings.append(
                lost(f"no published port leads to {inside}, where vLLM listens", "port: …", "port")
            )
        place.findings.append(
            otherwise(
                f"no port is published: the server is reached at {LOOPBACK}:{place.port} of its host", "port"
            )
        )
        return
    first = own[0]
    place.listen = _address(first.address.strip("[]")) or EVERYWHERE
    if first.outside is None:
        place.findings.append(guessed(f"the host's port is left to chance: {inside} is taken", None, "port"))
    place.port = first.outside or inside
    if place.port != inside:
        message = f"port {inside} of the container becomes {place.port}, inside and outside alike"
        place.findings.append(otherwise(message, "port"))
    if any(each != first for each in ports):
        more = ", ".join(sorted({str(each.outside or each.inside) for each in ports if each != first}))
        place.findings.append(lost(f"further published ports ({more}): a server has one", None, "port"))


def _ports(text: str, place: Place) -> list[_Port]:
    match = _PUBLISHED.fullmatch(text)
    if match is None or match["kind"] == "udp":
        place.findings.append(lost(f"the published port {text} is not understood", "port: …", "port"))
        return []
    inside, outside = _range(match["inside"]), _range(match["outside"] or "")
    pairs = zip(inside, outside) if len(outside) == len(inside) else ((each, None) for each in inside)
    return [_Port(match["address"] or "", out, port) for port, out in pairs]


def _range(text: str) -> list[int]:
    first, _dash, last = text.partition("-")
    if not first.isdigit() or (last and not last.isdigit()):
        return []
    return [
        each for each in range(int(first), min(int(last or first), int(first) + 64) + 1) if 0 < each < 65536
    ]


def _named_networks(found: Found, networks: t.Sequence[str], place: Place) -> None:
    named = [each for each in networks if each not in ("bridge", "default", "podman", "none")]
    if not named:
        return
    if found.tool == "podman" and len(named) == 1 and _OF_PODMAN.fullmatch(named[0]):
        place.network = named[0]
        return
    message = (
        f"the networks {', '.join(named)}: others reach the server at {place.listen}:{place.port} of its host"
    )
    place.findings.append(
        lost(message, "container: {Network: …} with a network that Podman has", "container.Network")
    )
