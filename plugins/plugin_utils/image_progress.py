"""Lines on how far an image is, for a terminal and a log alike."""

from __future__ import annotations

import contextlib
import time
import typing as t

from ..module_utils._host.image_space import text
from .progress import beating

_SECONDS_BETWEEN_LINES = 10


class Lines:
    """Not more than one in ten seconds for an image on a host; the first and what is said plainly come at once."""

    def __init__(
        self, who: str, show: t.Callable[[str], None], clock: t.Callable[[], float] = time.monotonic
    ) -> None:
        """Nothing is said yet."""
        self._who, self._show, self._clock = who, show, clock
        self._began = clock()
        self._first: tuple[float, int] | None = None
        self._told_at = float("-inf")

    def say(self, words: str) -> None:
        """A line at once."""
        self._show(f"{self._who}: {words}")

    def beating(self, doing: str) -> contextlib.AbstractContextManager[None]:
        """Lines while something works that cannot speak itself."""
        return beating(self.say, doing)

    def bytes(self, done: int, total: int | None, doing: str = "pulled") -> None:
        """How far it is, where a line is due."""
        now = self._clock()
        first_at, first_done = self._first = self._first or (now, done)
        if now - self._told_at < _SECONDS_BETWEEN_LINES:
            return
        self._told_at = now
        speed = (done - first_done) / (now - first_at) if now > first_at else 0.0
        if total is None:
            self.say(f"{text(done)} {doing}, size not known{_speed(speed)}")
        elif done >= total:
            self.say(f"all {text(total)} {doing} after {now - self._began:.0f} s, being unpacked")
        else:
            left = f", about {_duration((total - done) / speed)} left" if speed > 0 else ""
            to_go = f"{text(done)} of {text(total)} {doing}, {text(total - done)} to go"
            self.say(f"{to_go}{_speed(speed)}{left}")


def _speed(speed: float) -> str:
    return f", {text(speed)}/s" if speed > 0 else ""


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
