"""Digests and IDs as people compare them."""

from __future__ import annotations

import re

_DIGEST = re.compile(r"[0-9a-f]{64}")


def short(text: str) -> str:
    """A digest or an ID as Podman lists it: twelve digits; any other text as it is."""
    digits = text.rpartition("sha256:")[2]
    return digits[:12] if _DIGEST.fullmatch(digits) else text
