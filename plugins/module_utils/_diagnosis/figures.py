"""Arithmetic and nearest names for remedies."""

from __future__ import annotations

import difflib
import re
import typing as t

_MOST = 1 << 20  # more heads, experts or columns than any model has


def round_length(tokens: int) -> int:
    """A context length at or below ``tokens`` that a person would write: a multiple of 1024, 256 or 16."""
    step = 1024 if tokens >= 8192 else 256 if tokens >= 1024 else 16
    return tokens // step * step


def divisors(number: int) -> list[int]:
    """All divisors, smallest first; none for a number that no model has."""
    return [n for n in range(1, number + 1) if number % n == 0] if number <= _MOST else []


def near_divisors(number: int, asked: int) -> list[int]:
    """The divisors next to ``asked``: the largest below and the smallest above."""
    below = [n for n in divisors(number) if n < asked]
    above = [n for n in divisors(number) if n > asked]
    return below[-1:] + above[:1]


def smallest_factor(size: int, block: int) -> int | None:
    """The smallest factor of at most 64 by which ``size`` grows to a multiple of ``block``."""
    return next((n for n in range(1, 65) if size * n % block == 0), None)


def power_of_two(number: int) -> int:
    """The largest power of two that is not above ``number``."""
    return 1 << max(number.bit_length() - 1, 0)


def next_power_of_two(number: int) -> int:
    """The smallest power of two that is not below ``number``."""
    below = power_of_two(number)
    return below if below == number else below * 2


def whole_numbers(text: str) -> list[int]:
    """The numbers behind equal signs, such as ``a=512.0 or b=None``."""
    return [int(number) for number in re.findall(r"=(\d+)", text)]


def names_in(text: str) -> list[str]:
    """The names in a printed list, however it is quoted."""
    return re.findall(r"[\w.+-]+", text)


def nearest(name: str, known: t.Sequence[str]) -> str | None:
    """The name of ``known`` that ``name`` was probably meant to be."""
    found = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return found[0] if found else None
