"""The table of faults, as docs/reliability.md shows it."""

from __future__ import annotations

import dataclasses
import datetime
import os
import re
import typing as t

if t.TYPE_CHECKING:
    from pathlib import Path

BEGIN, END = "<!-- begin: written by make reliability -->", "<!-- end -->"


@dataclasses.dataclass
class Row:
    """One fault: what the operator is told, what serves afterwards, and for how long nothing did."""

    fault: str = ""
    told: str = ""
    after: str = ""
    gap: float | None = None
    own: float | None = None  # the new server's own start time, where it is an update that went well


_rows: list[Row] = []


def add(row: Row) -> None:
    """Take a row in."""
    if row.fault:
        _rows.append(row)


def write(page: Path) -> None:
    """Put the table between the marks of the page; the rest of the page stays."""
    text = page.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    assert pattern.search(text), f"{page} has no marks for the table"
    page.write_text(pattern.sub(lambda _found: f"{BEGIN}\n{_table()}{END}", text), encoding="utf-8")


def _table() -> str:
    today = datetime.datetime.now(datetime.timezone.utc).date()
    load = os.getloadavg()[0]
    head = (
        f"{len(_rows)} faults, {today}, {os.cpu_count()} cores, load average at the end {load:.1f}.\n\n"
        "| fault | the operator is told | afterwards | without service |\n|---|---|---|---|\n"
    )
    return head + "".join(_line(row) for row in _rows)


def _line(row: Row) -> str:
    gap = "-" if row.gap is None else f"{row.gap:.1f} s"
    own = (
        ""
        if row.own is None
        else f" (its own start {row.own:.1f} s, {row.gap / row.own:.2f} x)"
        if row.gap
        else ""
    )
    cells = (row.fault, " ".join(row.told.split()), row.after, gap + own)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
