"""What commands in a shell's brackets print, where that can be told: the folder a script runs in, or lies in."""

from __future__ import annotations

import re

_NOISE = re.compile(r"[\"']|\s*(?:&?>|\d>&?)\s*\S+|(?<=\s)--?[A-Za-z]*(?=\s)")
_SELF = r"(?:\$\{?0\}?|\$\{?BASH_SOURCE(?:\[0\])?\}?)"
_FOLDER = re.compile(
    rf"(?:cd\s+)?(?:\$\(|`)?\s*dirname\s+(?:(?:\$\(|`)\s*(?:readlink|realpath)\s+)?{_SELF}\s*[)`]*(?P<more>(?:/[\w.-]+)*)\s*(?:&&|;)?\s*(?:pwd)?"
)


def value_of(text: str, folder: str | None) -> str | None:
    """What ``$(…)`` stands for; None where that is not known. ``folder`` is where the script lies and runs."""
    inner = " ".join(_NOISE.sub("", text.strip("`") if text.startswith("`") else text[2:-1]).split())
    if inner == "pwd":
        return folder
    found = _FOLDER.fullmatch(inner)
    return None if found is None or folder is None else _folder(folder + found["more"])


def _folder(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)
