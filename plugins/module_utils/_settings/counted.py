"""Counts in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """``1 host``, ``2 hosts``."""
    return f"{count} {noun}" + ("" if count == 1 else "s")
