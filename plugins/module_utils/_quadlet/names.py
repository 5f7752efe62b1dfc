"""Names that stand in a unit, refused where Podman or Quadlet would take them for something else."""

from __future__ import annotations

import re

from . import escape

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def variable(text: str) -> str:
    """The name of an environment variable."""
    if not _VARIABLE.fullmatch(text):
        raise ValueError(
            f"{text!r} is no name of an environment variable: letters, digits and _, no digit first"
        )
    return text


def name(text: str, what: str) -> str:
    """The name of a container or a secret."""
    if not _NAME.fullmatch(text):
        raise ValueError(f"{text!r} is no name of {what}: letters, digits, '_', '.' and '-', no sign first")
    return text


def image(text: str) -> str:
    """The reference or ID of an image."""
    if text.endswith((".image", ".build")):
        raise ValueError(f"image {text!r}: Quadlet takes this for another unit, not for an image")
    if any(char.isspace() for char in text):
        raise ValueError(f"image {text!r} holds spaces")
    return escape.value(text)
