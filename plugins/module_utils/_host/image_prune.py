"""Old images of ours go; what the operator brought himself, and what anything still needs, stays."""

from __future__ import annotations

import json
import re
import typing as t
from pathlib import Path

from .command import HostError, Run
from .image_memory import read_memory, read_outdated, write_memory
from .owned import TAG
from .release_files import UNIT_DIRECTORY

_TAG = re.compile(re.escape(TAG) + r"(?P<instance>[^:/@]+):(?P<release>\d+)")


def release_tag(instance: str, release: int) -> str:
    """The local name of the image of a release."""
    return f"{TAG}{instance}:{release}"


def prune(
    run: Run,
    state: str,
    keep: t.Mapping[str, t.Collection[int]],
    planned: t.Collection[str] | None = None,
    units: str = UNIT_DIRECTORY,
) -> list[str]:
    """Remove what is not needed any more, and tell what went.

    ``keep`` holds, for each instance to look at, the releases whose images stay; tags of other instances are left alone.
    ``planned`` are the references of this host's plan: with them also images go that were fetched and never released.
    Without them only images go that a removed tag held.
    """
    images = _images(run)
    gone = [name for each in images for name in _names(each) if _is_old(name, keep)]
    actions = [f"remove the name {name}" for name in gone if run("podman", "untag", name, name).ok]
    held = {each["Id"] for each in images if set(_names(each)) & set(gone)}
    memory = read_memory(state)
    ours = {name: known for name, known in memory.items() if known.way != "host"}
    outdated = read_outdated(state)
    if planned is not None:
        held |= outdated | {known.image_id for name, known in ours.items() if name not in planned}
        ours = {name: known for name, known in ours.items() if name not in planned}
    needed = _needed(run, state, planned, units)
    for image in _images(run):
        if image["Id"] in held and image["Id"] not in needed and not _needed_digest(image, needed):
            actions += _remove(run, image, set(ours))
    removed = held - {each["Id"] for each in _images(run)}
    write_memory(
        state,
        {name: known for name, known in memory.items() if known.image_id not in removed},
        outdated - removed,
    )
    return actions


def _images(run: Run) -> list[dict[str, t.Any]]:
    done = run("podman", "images", "--format", "json")
    try:
        return [each for each in json.loads(done.stdout) or [] if not each.get("ReadOnly")]
    except (ValueError, AttributeError) as problem:
        raise HostError(f"podman does not list its images: {done.said}", done) from problem


def _names(image: t.Mapping[str, t.Any]) -> list[str]:
    return list(image.get("Names") or image.get("RepoTags") or [])


def _is_old(name: str, keep: t.Mapping[str, t.Collection[int]]) -> bool:
    found = _TAG.fullmatch(name)
    return bool(found and found["instance"] in keep and int(found["release"]) not in keep[found["instance"]])


def _needed(run: Run, state: str, planned: t.Collection[str] | None, units: str) -> set[str]:
    """IDs and digests that something still names: releases by their tags, units, the plan."""
    needed = {each["Id"] for each in _images(run) if any(_TAG.fullmatch(name) for name in _names(each))}
    memory = read_memory(state)
    needed.update(known.image_id for name, known in memory.items() if name in (planned or ()))
    for unit in Path(units).glob("vllm-*.container"):
        for image in re.findall(r"^Image=(.+)$", unit.read_text(errors="replace"), re.MULTILINE):
            needed.add(image.rpartition("@")[2])
    return needed


def _needed_digest(image: t.Mapping[str, t.Any], needed: t.Collection[str]) -> bool:
    return any(name.rpartition("@")[2] in needed for name in image.get("RepoDigests") or [])


def _remove(run: Run, image: t.Mapping[str, t.Any], ours: t.Collection[str]) -> list[str]:
    """Take our names away, and the image itself where no other name is left; one in use stays."""
    names = _names(image)
    if {name for name in names if "@" not in name} - set(ours):  # a pull by digest leaves a name of its own
        return []
    done = run("podman", "image", "rm", *(names or [image["Id"]]))
    return [f"remove the image {names[0] if names else image['Id'][:12]}"] if done.ok else []
