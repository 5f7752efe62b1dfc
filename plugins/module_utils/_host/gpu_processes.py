"""Who holds the memory of a GPU: the processes that nvidia-smi lists, each with the unit that systemd runs it in."""

from __future__ import annotations

import dataclasses
import re
import typing as t
from pathlib import Path

if t.TYPE_CHECKING:
    from xml.etree import ElementTree

_UNIT = re.compile(r"[^/]+\.(?:service|scope)")


@dataclasses.dataclass(frozen=True)
class GpuProcess:
    """A process with memory on a GPU."""

    pid: int
    name: str | None = None
    used_memory_mib: int | None = None
    unit: str | None = None


def parse_processes(gpu: ElementTree.Element, proc: Path) -> tuple[GpuProcess, ...]:
    """The processes of one GPU in what ``nvidia-smi -q -x`` prints; ``proc`` is /proc."""
    found = []
    for node in gpu.findall("processes/process_info"):
        pid = (node.findtext("pid") or "").strip()
        if pid.isdigit():
            name = (node.findtext("process_name") or "").strip()
            size = re.fullmatch(r"(\d+) MiB", (node.findtext("used_memory") or "").strip())
            found.append(
                GpuProcess(
                    int(pid),
                    name.partition(" ")[0].rpartition("/")[2] or None,
                    int(size.group(1)) if size else None,
                    unit_of(pid, proc),
                )
            )
    return tuple(found)


def unit_of(pid: str, proc: Path) -> str | None:
    """The innermost unit that a process belongs to; None where it is gone, or systemd does not run it."""
    try:
        groups = (proc / pid / "cgroup").read_text(encoding="utf-8")
    except OSError:
        return None
    units = _UNIT.findall(
        next((line for line in groups.splitlines() if ".service" in line or ".scope" in line), "")
    )
    return units[-1] if units else None
