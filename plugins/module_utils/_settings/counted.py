"""Counts and sizes in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """``1 host``, ``2 hosts``."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def sized(count: float) -> str:
    """Bytes as people read them, in steps of a thousand, as the hub and registries tell sizes: ``9.8 GB``, ``198 kB``."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" or count >= 100 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
