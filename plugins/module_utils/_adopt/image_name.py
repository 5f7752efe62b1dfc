"""The full name of an image: what Docker and Podman make of a short one."""

from __future__ import annotations

import re

from .._settings.finding import Finding
from .found import Tool, guessed, otherwise

_HUB = "docker.io"


def full_name(image: str, tool: Tool) -> tuple[str, list[Finding]]:
    """The reference with its registry. A name without any folder was made on the host."""
    image = re.sub(r"^(?:docker|https?)://", "", image)
    first, slash, _rest = image.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return image, []
    if not slash:
        message = f"{image} names no registry: it is taken as an image of the host"
        fix = "vllm_image_archives: {localhost/…: /path/of/the/archive}, or an image of a registry"
        return f"localhost/{image}", [guessed(message, fix, "image")]
    return f"{_HUB}/{image}", [
        otherwise(f"{image} is {_HUB}/{image}, which every host takes for the same", "image")
    ] if tool == "podman" else []
