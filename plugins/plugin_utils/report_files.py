"""The files of a report on the control node."""

from __future__ import annotations

import itertools
import pathlib
import time
import typing as t


def stamp(moment: float) -> str:
    """A moment as a part of a file's name, in UTC, so that names sort by time."""
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(moment))


def iso(moment: float) -> str:
    """A moment as a reader wants it: ISO 8601, UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def write_report(directory: str, name: str, texts: t.Mapping[str, str]) -> dict[str, str]:
    """One file for each ending in ``texts``, under a name that no earlier run took; their paths. OSError is the caller's."""
    folder = pathlib.Path(directory).expanduser().absolute()
    folder.mkdir(parents=True, exist_ok=True)
    free = _free_name(folder, name, texts)
    paths = {}
    for ending, text in texts.items():
        path = folder / f"{free}.{ending}"
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
        paths[ending] = str(path)
    return paths


def _free_name(folder: pathlib.Path, name: str, endings: t.Iterable[str]) -> str:
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(each for each in names if not any((folder / f"{each}.{end}").exists() for end in endings))
