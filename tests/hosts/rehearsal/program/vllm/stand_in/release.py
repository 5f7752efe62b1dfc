"""The release that this image plays, as build.py wrote it."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

_FILE = Path(__file__).with_name("release.json")


def _read() -> dict[str, t.Any]:
    """Without the file (the sources of a checkout) it is no release, and knows no option."""
    return (
        json.loads(_FILE.read_text())
        if _FILE.exists()
        else {"version": "0.0.0", "options": [], "failures": {}}
    )


_KNOWN = _read()
VERSION: str = _KNOWN["version"]
RELEASE: tuple[int, ...] = tuple(int(part) for part in VERSION.split("."))
OPTIONS: list[dict[str, t.Any]] = _KNOWN["options"]
FAILURES: dict[str, dict[str, t.Any]] = _KNOWN["failures"]
