"""Versions of three numbers: vLLM's, as image tags and the server itself write them; others are shown the same way."""

from __future__ import annotations

import re

Release = tuple[int, int, int]

_RELEASE = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?(?=$|[^\d.]|\.\D|\.\d)")
# Images of NVIDIA are numbered by year and month (nvcr.io/nvidia/vllm:25.11-py3), which tells no release of vLLM.
_YEAR_AND_MONTH = re.compile(r"2\d\.(?:0[1-9]|1[0-2])(?:\.\d+)?(?:-|$)")


def parse_release(text: str) -> Release | None:
    """The release that ``text`` begins with: ``v0.26.0-cu129`` is (0, 26, 0); None where it does not name one."""
    found = _RELEASE.match(text.strip())
    if not found or _YEAR_AND_MONTH.match(text.strip()):
        return None
    major, minor, patch = found.groups(default="0")
    return int(major), int(minor), int(patch)


def format_release(release: Release) -> str:
    """(0, 26, 0) is ``0.26.0``."""
    return ".".join(str(part) for part in release)
