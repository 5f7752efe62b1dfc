"""Families of GPUs. A newer GPU is not a better older one: kernels are built for families, so ask by name."""

from __future__ import annotations

import typing as t

from .._settings.case import Gpu

Family = t.Literal[
    "older",
    "volta",
    "turing",
    "ampere",
    "ada",
    "hopper",
    "blackwell_datacentre",
    "thor",
    "blackwell_consumer",
]

_BY_CAPABILITY: dict[tuple[int, int], Family] = {
    (7, 0): "volta", (7, 2): "volta", (7, 5): "turing",
    (8, 0): "ampere", (8, 6): "ampere", (8, 7): "ampere", (8, 9): "ada", (9, 0): "hopper",
    (10, 0): "blackwell_datacentre", (10, 3): "blackwell_datacentre",
    (10, 1): "thor", (11, 0): "thor", (12, 0): "blackwell_consumer", (12, 1): "blackwell_consumer",
}  # fmt: skip


def capability(gpu: Gpu) -> tuple[int, int] | None:
    """(9, 0) for 9.0; None where it is not known."""
    major, _dot, minor = (gpu.compute_capability or "").partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None


def family(gpu: Gpu) -> Family | None:
    """The family of a GPU; None for one that we do not know, so that nothing is said of it."""
    found = capability(gpu)
    if found is None:
        return None
    return "older" if found < (7, 0) else _BY_CAPABILITY.get(found)
