"""Bytes, their units, and figures that are known only within bounds."""

from __future__ import annotations

import dataclasses

MIB = 1 << 20
GIB = 1 << 30

DTYPE_BYTES = {
    "float32": 4, "float": 4, "fp32": 4, "float16": 2, "half": 2, "bfloat16": 2, "bf16": 2, "fp16": 2, "fp8": 1, "float64": 8,
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Span:
    """A figure that is not known exactly: at least, most likely, at most."""

    low: float
    likely: float
    high: float

    def __add__(self, other: Span) -> Span:
        return Span(self.low + other.low, self.likely + other.likely, self.high + other.high)

    def __mul__(self, factor: float) -> Span:
        return Span(self.low * factor, self.likely * factor, self.high * factor)

    def at_least(self, floor: float) -> Span:
        """The same, never below the floor."""
        return Span(max(self.low, floor), max(self.likely, floor), max(self.high, floor))


def exactly(value: float) -> Span:
    """A figure that is known."""
    return Span(value, value, value)


NOTHING = exactly(0)


def ceil_div(value: int, by: int) -> int:
    """Whole division, rounded up."""
    return -(-value // by)


def gib(value: float) -> str:
    """Bytes for people, as vLLM prints them: two digits."""
    return f"{value / GIB:.2f} GiB"
