"""Tables as text: for a terminal, and as Markdown."""

from __future__ import annotations

import typing as t

Rows = t.Sequence[t.Sequence[str]]
EMPTY = "-"


def text_table(columns: t.Sequence[str], rows: Rows) -> str:
    """Columns as wide as their widest cell, two spaces between them."""
    lines = [columns, *rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines
    )


def markdown_table(columns: t.Sequence[str], rows: Rows) -> str:
    """A table of Markdown; whatever a cell holds, it stays one cell."""
    lines = [columns, ["---"] * len(columns), *[[_cell(cell) for cell in row] for row in rows]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def told(columns: t.Sequence[str], rows: Rows) -> tuple[list[str], list[list[str]]]:
    """The same without the columns that say nothing in any row."""
    kept = [at for at in range(len(columns)) if any(row[at] != EMPTY for row in rows)]
    return [columns[at] for at in kept], [[row[at] for at in kept] for row in rows]


def _cell(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return " ".join(escaped.split())
