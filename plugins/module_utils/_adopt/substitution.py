"""What commands in a shell's brackets print, where that can be told: the folder a script runs in, or lies in."""

from __future__ import annotations

import re
import typing as t

_NOISE = re.compile(r"[\"']|\s*(?:&?>|\d>&?)\s*\S+|(?<=\s)--?[A-Za-z]*(?=\s)")
_SELF = r"(?:\$\{?0\}?|\$\{?BASH_SOURCE(?:\[0\])?\}?)"
_FOLDER = re.compile(
    rf"(?:cd\s+)?(?:\$\(|`)?\s*dirname\s+(?:(?:\$\(|`)\s*(?:readlink|realpath)\s+)?{_SELF}\s*[)`]*(?P<more>(?:/[\w.-]+)*)\s*(?:&&|;)?\s*(?:pwd)?"
)
_OF_PATH = re.compile(r"(?P<what>dirname|basename|realpath|readlink)(?: -{1,2}[a-z]*)* (?P<path>[^\s;&|<>]+)")
_PATH = re.compile(r"/[\w.@+/-]*")


def value_of(text: str, folder: str | None) -> str | None:
    """What ``$(…)`` stands for; None where that is not known. ``folder`` is where the script lies and runs."""
    inner = " ".join(_NOISE.sub("", text.strip("`") if text.startswith("`") else text[2:-1]).split())
    if inner == "pwd":
        return folder
    found = _FOLDER.fullmatch(inner)
    return None if found is None or folder is None else whole_path(folder + found["more"])


def path_of(text: str, expand: t.Callable[[str], str]) -> str | None:
    """What ``$(dirname …)`` and its like make of a path that is known."""
    found = _OF_PATH.fullmatch(" ".join(text[2:-1].split()))
    path = expand(found["path"].strip("\"'")) if found else ""
    if found is None or not _PATH.fullmatch(path):
        return None
    if found["what"] == "basename":
        return path.rstrip("/").rpartition("/")[2]
    return whole_path(path.rstrip("/").rpartition("/")[0] if found["what"] == "dirname" else path)


def whole_path(path: str) -> str:
    """A path from the root, without dots."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)
