"""Which instances of a host have to be stopped, started and undone together."""

from __future__ import annotations

import dataclasses
import typing as t

EVERYWHERE = ("0.0.0.0", "::", "*", "")
_ALL = "all"


@dataclasses.dataclass(frozen=True)
class Claim:
    """What an instance has of its host while it runs: GPUs by a name that is theirs alone, and an address with a port."""

    gpus: frozenset[str] = frozenset()
    listen: str = ""
    port: int | None = None

    def overlaps(self, other: Claim) -> bool:
        """Whether the two cannot be held by two servers independently."""
        every = _ALL in self.gpus or _ALL in other.gpus
        if self.gpus & other.gpus or (every and self.gpus and other.gpus):
            return True
        if self.port is None or self.port != other.port:
            return False
        return self.listen == other.listen or self.listen in EVERYWHERE or other.listen in EVERYWHERE


def claim(devices: t.Iterable[str], listen: str, port: int | None, uuids: t.Mapping[str, str]) -> Claim:
    """A claim; ``uuids`` maps an index to the UUID of its GPU, so that two names of one GPU are one."""
    names = (device.rpartition("=")[2] for device in devices)
    return Claim(frozenset(uuids.get(name, name) for name in names), listen, port)


def group(claims: t.Mapping[str, t.Sequence[Claim]]) -> list[list[str]]:
    """The names in groups whose claims, old or new, overlap; in the order in which the names come."""
    groups: list[list[str]] = []
    for name, own in claims.items():
        touching = [each for each in groups if any(_overlap(own, claims[other]) for other in each)]
        groups = [each for each in groups if each not in touching]
        groups.append([*(member for each in touching for member in each), name])
    order = list(claims)
    return sorted(groups, key=lambda each: min(order.index(name) for name in each))


def _overlap(one: t.Sequence[Claim], other: t.Sequence[Claim]) -> bool:
    return any(a.overlaps(b) for a in one for b in other)
