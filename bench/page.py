"""Writes what a script of this folder measured into docs/performance.md, with the machine, the day and the repetitions."""

from __future__ import annotations

import datetime
import os
import platform
import re
import statistics
import subprocess
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"


def median(values: t.Sequence[float], digits: int = 1) -> str:
    """``5.2 (4.9 to 5.6)``: the median, the lowest and the highest; a single value alone."""
    low, middle, high = (
        f"{each:.{digits}f}" for each in (min(values), statistics.median(values), max(values))
    )
    return middle if len(values) == 1 else f"{middle} ({low} to {high})"


def table(head: t.Sequence[str], rows: t.Iterable[t.Sequence[object]]) -> list[str]:
    """Lines of Markdown; the first column is text, the others are figures."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'--:|' * (len(head) - 1)}"]
    return lines + [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]


class Section:
    """The part of the page that one script writes. Made before anything is measured, so that it knows the load then."""

    def __init__(self, name: str) -> None:
        """``name`` stands in the markers on the page, and is that of the script."""
        self._name, self._load = name, os.getloadavg()[0]
        page = PAGE.read_text(encoding="utf-8")
        if not self._between().search(page):
            raise SystemExit(f"{PAGE} has no section of bench/{name}.py")

    def _between(self) -> re.Pattern[str]:
        return re.compile(
            rf"(<!-- begin: written by bench/{self._name}\.py -->\n).*?(<!-- end -->)", re.DOTALL
        )

    def write(self, repetitions: str, lines: t.Sequence[str]) -> None:
        """Print the lines, and put them where those of the last time stand."""
        text = "\n".join([*lines, "", f"{repetitions} {machine()}; load {self._load:.1f} when it began."])
        print(text, flush=True)
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(
            self._between().sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page), encoding="utf-8"
        )


def machine() -> str:
    """What the figures are of."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    today = datetime.datetime.now(tz=datetime.timezone.utc).date()
    return f"{today}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}, {_ansible_core()}"


def _ansible_core() -> str:
    told = subprocess.run(["ansible", "--version"], check=True, capture_output=True, text=True)
    found = re.search(r"\[core ([^\]]+)\]", told.stdout)
    return f"ansible-core {found[1] if found else '?'}"
