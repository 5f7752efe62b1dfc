"""A directory of a host as a variable names it: one spelling of it, for paths are compared as text."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")


def normal_directory(path: str) -> str:
    """The absolute path without slashes that say nothing; ValueError says why it is none that can be mounted."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("~"):
        raise ValueError("begins with ~, which is another place for every user")
    if not path.startswith("/"):
        raise ValueError("is not absolute")
    if not parts:
        raise ValueError("is the whole host")
    if ".." in parts:
        raise ValueError("goes up with ..")
    if ":" in path:
        raise ValueError("holds a colon, where a mount ends its path")
    if path != path.strip() or _UNPRINTABLE.search(path):
        raise ValueError("holds a line break, or blanks around it")
    return "/" + "/".join(parts)
