"""What the hosts of one run share about images, so that a tag is resolved once and two identities are seen."""

from __future__ import annotations

import contextlib
import typing as t

from . import run_memory

# So many hosts may fail to resolve a tag before the others take their word for it.
ENOUGH_FAILURES = 3
Told = dict[str, t.Any]


@contextlib.contextmanager
def shared() -> t.Iterator[Told]:
    """The content, for one process at a time; what is changed in it is kept."""
    with run_memory.shared("images") as content:
        for part in ("looks", "fresh", "resolved", "failed"):
            content.setdefault(part, {})
        yield content


def note_look(host: str, look: Told) -> None:
    """Keep what was seen on a host."""
    with shared() as content:
        content["looks"][host] = content["fresh"][host] = look


def take_look(host: str) -> Told | None:
    """What was seen on this host, once: after that it is no longer true."""
    with shared() as content:
        return t.cast("Told | None", content["fresh"].pop(host, None))


def looks_of(platform: str) -> dict[str, Told]:
    """What was seen on the hosts of a platform."""
    with shared() as content:
        return {host: each for host, each in content["looks"].items() if each["platform"] == platform}


def resolve_once(
    host: str, reference: str, platform: str, ask: t.Callable[[], Told]
) -> tuple[str | None, Told | None]:
    """The digest, asked by the first host that can; or the trouble. The other hosts wait for it."""
    key = f"{reference} {platform}"
    with shared() as content:
        if key in content["resolved"]:
            return content["resolved"][key], None
        failed = content["failed"].setdefault(key, {})
        failed.pop(host, None)  # it may have been given what it lacked
        if len(failed) >= ENOUGH_FAILURES:
            first = next(iter(failed.values()))
            return None, {**first, "message": f"{first['message']} (asked by {', '.join(failed)})"}
        answer = ask()
        if answer["trouble"]:
            failed[host] = answer["trouble"]
            return None, answer["trouble"]
        content["resolved"][key] = answer["digest"]
        return answer["digest"], None


def identities(reference: str, looks: t.Mapping[str, Told]) -> dict[str, list[str]]:
    """Identity -> hosts, for one reference. Two digests of one image (of its list, of itself) count as one."""
    named: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for host, look in looks.items():
        there = look["images"].get(reference)
        identity = there["identity"] if there else look["remembered"].get(reference)
        if identity is None:
            continue
        image_id = there["image_id"] if there else identity
        found.setdefault(named.setdefault(image_id, identity), []).append(host)
    return found
