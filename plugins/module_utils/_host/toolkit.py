"""The packages and programs of the NVIDIA container toolkit that are on this host."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

from .._toolkit.packages import CTK, FULL, HOOK
from .command import HostError

if t.TYPE_CHECKING:
    from .command import Run

_QUERIES: dict[str, tuple[str, ...]] = {
    "Debian": ("dpkg-query", "--show", "--showformat", "${Package} ${Version} ${db:Status-Status}\\n"),
    "RedHat": ("rpm", "--query", "--queryformat", "%{NAME} %{VERSION}-%{RELEASE} installed\\n"),
    "Suse": ("rpm", "--query", "--queryformat", "%{NAME} %{VERSION}-%{RELEASE} installed\\n"),
    "Archlinux": ("pacman", "--query"),
}


def installed(run: Run, family: str) -> dict[str, str]:
    """The packages of the set with their versions."""
    done = run(*_QUERIES[family], *FULL)
    if done.rc == 127:
        raise HostError(
            f"{_QUERIES[family][0]} is not on this host, though it is one of the {family} family", done
        )
    return parse(done.stdout)


def parse(listed: str) -> dict[str, str]:
    """Lines of name, version and perhaps state; what is only left over as configuration is not installed."""
    lines = (line.split() for line in listed.splitlines())
    return {
        words[0]: words[1]
        for words in lines
        if words and words[0] in FULL and (len(words) == 2 or words[2:] == ["installed"])
    }


def programs(root: str = "/") -> list[str]:
    """Those of the programs of the base package that can be run."""
    paths = (CTK, HOOK)
    return [path for path in paths if os.access(Path(root, path.lstrip("/")), os.X_OK)]


def present(paths: t.Iterable[str], root: str = "/") -> list[str]:
    """Those of some files that are there."""
    return [path for path in paths if Path(root, path.lstrip("/")).exists()]


def text(path: str, root: str = "/") -> str | None:
    """What a file holds; None where there is none."""
    try:
        return Path(root, path.lstrip("/")).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
