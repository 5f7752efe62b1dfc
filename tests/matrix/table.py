"""What the matrix ran, as one table, and what it did not run; ends with 1 when something failed."""

from __future__ import annotations

import sys
from pathlib import Path

COLUMNS = ("unit", "sanity", "planning", "releases")


def main(file: str) -> int:
    """Show the results that run.sh and hosts/run.sh left in the file."""
    lines = [line.split("\t") for line in Path(file).read_text(encoding="utf-8").splitlines()]
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for core, python, column, what in lines:
        rows.setdefault((core, python), {})[column] = what
    table = [("ansible-core", "Python", *COLUMNS)]
    table += [(*key, *(cells.get(column, "-") for column in COLUMNS)) for key, cells in sorted(rows.items())]
    widths = [max(len(row[number]) for row in table) for number in range(len(table[0]))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    missing = [
        (key, column)
        for key, cells in sorted(rows.items())
        for column in COLUMNS
        if column not in cells and not key[0].startswith("host")
    ]
    for (core, python), column in missing:
        print(f"not run: {column} with ansible-core {core} on Python {python}")
    print("not run: ansible-core 2.17, 2.18, 2.20; more in tests/matrix/README.md")
    failed = any(what == "FAILED" for cells in rows.values() for what in cells.values())
    return int(failed or any(column != "releases" for _, column in missing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
