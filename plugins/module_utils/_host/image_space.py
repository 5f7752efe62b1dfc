"""Whether there is room for an image where Podman keeps its images."""

from __future__ import annotations

import json
import os
import typing as t
from pathlib import Path

from .._settings.counted import sized
from .command import HostError, Run
from .image_words import Trouble
from .registry import Layer


def graph_root(run: Run) -> str:
    """Where this Podman keeps its images."""
    done = run("podman", "info", "--format", "{{.Store.GraphRoot}}")
    if not done.ok or not done.stdout.strip():
        raise HostError(f"podman does not say where it keeps its images: {done.said}", done)
    return done.stdout.strip()


def free_bytes(place: str) -> int:
    """What a file system has left, also for a folder that is not made yet."""
    path = Path(place)
    while not path.exists() and path != path.parent:
        path = path.parent
    seen = os.statvfs(path)
    return seen.f_bavail * seen.f_frsize


def missing_layers(layers: t.Sequence[Layer], root: str) -> list[Layer]:
    """The layers that Podman does not have yet, as its own list of layers says."""
    there = {digest for path in Path(root).glob("*-layers/*layers.json") for digest in _listed(path)}
    return [layer for layer in {each.digest: each for each in layers}.values() if layer.digest not in there]


def _listed(path: Path) -> set[str]:
    try:
        return {each.get("compressed-diff-digest", "") for each in json.loads(path.read_text())}
    except (OSError, ValueError, AttributeError, TypeError):
        return set()  # then all of them are counted


def lacks_room(to_come: int, unpacked: int, root: str, free: int, factor: float) -> Trouble | None:
    """``to_come`` is what is downloaded, ``unpacked`` what it becomes; both lie there for a moment."""
    needed = to_come + unpacked
    if needed <= free:
        return None
    return Trouble(
        "image_no_space",
        f"it needs about {sized(needed)} on {root} ({sized(to_come)} to bring, reckoned as {sized(unpacked)} unpacked),"
        f" and {sized(free)} are free",
        f"make {sized(needed - free)} of room there (podman image prune), or give Podman a larger disk; where the image is"
        f" known to unpack to less than {factor:g} times its size, lower vllm_image_unpack_factor",
    )
