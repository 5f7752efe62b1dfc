"""What a host remembers of its images, so that one tag stays one image until somebody asks for more."""

from __future__ import annotations

import dataclasses
import json
import typing as t
from pathlib import Path

from .._plan.image import parse_reference
from . import podman, release_files
from .command import HostError, Run

SCHEMA = 1
# How an image came. What the host had by itself is the operator's, and never removed.
Way = t.Literal["registry", "archive", "host"]


@dataclasses.dataclass(frozen=True)
class Known:
    """An image of this host; ``identity`` is a registry's digest, or the ID where it came without a registry."""

    identity: str
    image_id: str
    way: Way


def _file(state: str) -> Path:
    return Path(state) / "images.json"


def read_memory(state: str) -> dict[str, Known]:
    """By reference, as the plan writes it; HostError where a newer release of ours wrote the file."""
    try:
        return {name: Known(**each) for name, each in _content(state)["images"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise HostError(
            f"{_file(state)} cannot be read ({problem}): remove it, and tags are resolved anew"
        ) from problem


def _content(state: str) -> dict[str, t.Any]:
    text = release_files.read(_file(state))
    content: dict[str, t.Any] = {"schema": SCHEMA, "images": {}} if text is None else json.loads(text)
    if content["schema"] > SCHEMA:
        raise HostError(
            f"{_file(state)} has schema {content['schema']}, and this release reads {SCHEMA} at most:"
            " upgrade the collection on the control node"
        )
    return content


def write_memory(state: str, known: t.Mapping[str, Known], outdated: t.Collection[str] | None = None) -> None:
    """Replace what is remembered; ``outdated`` are IDs, None leaves them as they are."""
    old = read_outdated(state) if outdated is None else outdated
    images = {name: dataclasses.asdict(known[name]) for name in sorted(known)}
    text = json.dumps({"schema": SCHEMA, "images": images, "outdated": sorted(old)}, indent=1) + "\n"
    if text != release_files.read(_file(state)):
        release_files.write(_file(state), text)


def read_outdated(state: str) -> set[str]:
    """IDs of images of ours whose name went to a newer one."""
    read_memory(state)
    return set(_content(state).get("outdated") or ())


def remember(state: str, reference: str, known: Known) -> None:
    """Keep one image in mind; the one that had its name is outdated, where it was ours."""
    memory, outdated = read_memory(state), read_outdated(state)
    before = memory.get(reference)
    if before and before.way != "host":
        outdated.add(before.image_id)
    write_memory(state, {**memory, reference: known}, outdated - {known.image_id})


def asked(reference: str) -> str:
    """The reference as Podman takes it: a tag or a digest, not both."""
    parts = parse_reference(reference)
    return f"{parts.name}@{parts.digest}" if parts.digest else reference


def find(run: Run, reference: str, memory: t.Mapping[str, Known]) -> Known | None:
    """The image of a reference on this host: the remembered one, else what Podman has under that name."""
    known = memory.get(reference)
    if known and run("podman", "image", "exists", known.image_id).ok:
        return known
    image = podman.image(run, asked(reference))
    if image is None:
        return None
    return Known(parse_reference(reference).digest or image.identity, image.id, "host")
