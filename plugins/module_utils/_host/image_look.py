"""What this host has of images, as whoever brings them has to know it."""

from __future__ import annotations

import dataclasses
import os
import typing as t

from .._settings.version import format_release
from .image_memory import find, read_memory

if t.TYPE_CHECKING:
    from .command import Run
    from .podman import Version

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def architecture() -> str:
    """The architecture as images name it."""
    machine = os.uname().machine
    return _ARCHITECTURES.get(machine, machine)


def look(run: Run, version: Version | None, references: t.Sequence[str], state: str) -> dict[str, t.Any]:
    """Which of the images are there, and what is remembered; ``version`` is that of Podman."""
    memory = read_memory(state)
    found = {each: find(run, each, memory) for each in references} if version else {}
    return {
        "podman_version": format_release(version) if version else None,
        "platform": architecture(),
        "images": {name: dataclasses.asdict(each) for name, each in found.items() if each},
        "remembered": {name: each.identity for name, each in memory.items()},
    }
