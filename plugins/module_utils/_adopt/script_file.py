"""A file of a shell: what it starts, or what it writes into files that are to be started."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .files import Files
from .found import Found, UnreadableError
from .interpolate import Interpolation
from .quadlet_unit import read_unit
from .script import read_run_lines, starts_server
from .shell import read_script
from .shell_text import HereDocument, here_documents

_UNIT = re.compile(r"^\[(?:Service|Container)\]", re.MULTILINE)


def read_script_file(text: str, source: str, variables: t.Mapping[str, str], files: Files) -> list[Found]:
    """Every server of a script; UnreadableError where there is none."""
    if not starts_server(text, variables):
        known = _variables(text, variables, files)
        written = [
            each
            for one in here_documents(text)
            for each in _written(one, Interpolation(known), source, variables, files)
        ]
        if written:
            return written
    return read_run_lines(text, source, variables, files)


def _written(
    document: HereDocument, values: Interpolation, source: str, variables: t.Mapping[str, str], files: Files
) -> list[Found]:
    """The servers of a text that a script writes, with its ``values``: a unit, or another script."""
    body = document.body if document.literal else _expanded(document.body, values)
    try:
        if _UNIT.search(body):
            found = read_unit(body, source, files, variables)
        elif starts_server(body, variables):
            found = read_run_lines(body, source, variables, files)
        else:
            return []
    except UnreadableError:
        return []
    return [dataclasses.replace(each, unresolved=(*each.unresolved, *values.unresolved)) for each in found]


def _variables(text: str, variables: t.Mapping[str, str], files: Files) -> t.Mapping[str, str]:
    try:
        return read_script(text, variables, files=files).variables
    except UnreadableError:
        return variables


def _expanded(body: str, values: Interpolation) -> str:
    """A document as a shell writes it: variables are put in, and a backslash keeps a dollar or a backslash."""
    pieces = re.split(r"\\([\\$`])|\\\n", body)
    return "".join((piece or "") if place % 2 else values.expand(piece) for place, piece in enumerate(pieces))
