"""How wide what is shown to people may be."""

from __future__ import annotations

import os

_WIDTH = 110  # where nothing says how wide the terminal is


def width() -> int:
    """Columns, as the variable of that name says."""
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() else _WIDTH
