"""Reads a command line as the parser of one vLLM release does, and goes on behind every mistake to find the others.

It follows Python's argparse with the settings that vLLM uses (prefixes of long options are understood, one optional
positional), on the options of the release's table. A parser of our own because argparse stops at the first mistake and
differs between the Pythons of controllers, while the one that counts is the Python in vLLM's images.
"""

from __future__ import annotations

import typing as t

from . import words as before
from .parsed import Parsed
from .reader import Reader
from .remarks import remarks_on

if t.TYPE_CHECKING:
    from .tables import Table

__all__ = ["Parsed", "parse"]


def parse(
    words: t.Sequence[str], table: Table, files: before.Files | None = None, serve: bool = True
) -> Parsed:
    """The verdict on what follows ``vllm serve`` (or, with ``serve`` false, the module of the API server)."""
    parsed = Parsed()
    line = list(words)
    if serve:
        line = _step(parsed, lambda: before.model_to_front(line, table.release))
    line = _step(parsed, lambda: before.read_config(line, table.release, files or {}, table.by_name, serve))
    line = before.dashes(line, table.release)
    try:
        line, parsed.dotted = before.gather_dotted(line, table.release)
    except before.RefusedError as refused:
        parsed.problems.append(refused.problem)
        line = refused.rest
    Reader(table, parsed, line).read()
    parsed.remarks += remarks_on(words, parsed, table, files or {}, serve)
    return parsed


def _step(parsed: Parsed, step: t.Callable[[], list[str]]) -> list[str]:
    """The line after one step; a line that is refused is read on for further mistakes."""
    try:
        return step()
    except before.RefusedError as refused:
        parsed.problems.append(refused.problem)
        return refused.rest
