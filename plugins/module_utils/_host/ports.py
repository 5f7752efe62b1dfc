"""Who listens on a TCP port of this host, told from /proc."""

from __future__ import annotations

from pathlib import Path

_LISTEN = "0A"


def listening(port: int, proc: Path = Path("/proc")) -> str | None:
    """Who listens on the port, for people; None where nobody does."""
    inodes = {inode for table in ("tcp", "tcp6") for inode in _inodes(proc / "net" / table, port)}
    if not inodes:
        return None
    return _process(inodes, proc) or "a process that /proc does not show"


def _inodes(table: Path, port: int) -> list[str]:
    try:
        lines = table.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return []
    rows = (line.split() for line in lines)
    return [row[9] for row in rows if row[3] == _LISTEN and int(row[1].rpartition(":")[2], 16) == port]


def _process(inodes: set[str], proc: Path) -> str | None:
    wanted = {f"socket:[{inode}]" for inode in inodes}
    for folder in proc.iterdir():
        if folder.name.isdigit() and _has_one(folder, wanted):
            return f"process {folder.name} ({_name(folder)})"
    return None


def _has_one(folder: Path, wanted: set[str]) -> bool:
    try:
        return any(str(link.readlink()) in wanted for link in (folder / "fd").iterdir())
    except OSError:  # it ended meanwhile, or is not ours to read
        return False


def _name(folder: Path) -> str:
    try:
        return (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "ended"
