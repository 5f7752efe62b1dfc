"""How much memory this host has."""

from __future__ import annotations

import re
from pathlib import Path

_TOTAL = re.compile(r"^MemTotal:\s+(\d+) kB$", re.MULTILINE)


def total_mib(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """The memory of the host in MiB; None where it cannot be read."""
    try:
        found = _TOTAL.search(meminfo.read_text(encoding="utf-8"))
    except OSError:
        return None
    return int(found.group(1)) // 1024 if found else None
