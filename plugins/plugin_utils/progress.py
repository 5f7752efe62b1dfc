"""Lines that tell how long work on a host goes, the same in a terminal and in a log."""

from __future__ import annotations

import contextlib
import threading
import time
import typing as t

from ansible.errors import AnsibleConnectionFailure
from ansible.utils.display import Display

display = Display()

_SECONDS_BETWEEN_LINES = 10
_SECONDS_UNTIL_SAID_AGAIN = 30
_PAUSE_AFTER_LOST_CONNECTION = 2
_LOST_FOR_GOOD = 600
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


class Progress:
    """Lines on standard error, not more than one in ten seconds for a host, except for what is new in kind."""

    def __init__(
        self, who: str, between: float = _SECONDS_BETWEEN_LINES, clock: t.Callable[[], float] = time.monotonic
    ) -> None:
        """``who`` begins each line."""
        self._who, self._between, self._clock = who, between, clock
        self._told_at = float("-inf")
        self._first: tuple[float, int] | None = None
        self._told = ""
        self._so_since = 0.0

    def tell(self, text: str, at_once: bool = False) -> None:
        """A line, unless the last one is too young."""
        now = self._clock()
        if at_once or now - self._told_at >= self._between:
            self._told_at = now
            display.display(f"{self._who}: {text}", stderr=True)

    def news(self, text: str) -> None:
        """A line, unless the last one is too young. What the last one said is said again after half a minute."""
        now = self._clock()
        age = now - self._told_at
        if text != self._told and age >= self._between:
            self._told, self._so_since = text, now
            self.tell(text, at_once=True)
        elif text == self._told and age >= _SECONDS_UNTIL_SAID_AGAIN:
            self.tell(f"{text} (for {now - self._so_since:.0f} s)", at_once=True)

    def beating(self, doing: str) -> contextlib.AbstractContextManager[None]:
        """Lines while something works that cannot speak itself."""
        return beating(lambda text: self.tell(text, at_once=True), doing)

    def bytes(self, done: int, total: int | None, what: str = "fetched") -> None:
        """A line with what is done, what is to go, and how long that takes at the pace since the first look."""
        now = self._clock()
        self._first = self._first or (now, done)
        began, before = self._first
        pace = (done - before) / (now - began) if now > began else 0.0
        self.tell(amount(done, total, pace, what))


@contextlib.contextmanager
def beating(
    say: t.Callable[[str], None], doing: str, between: float = _SECONDS_BETWEEN_LINES
) -> t.Iterator[None]:
    """Say what is done, and for how long, while the body works and cannot speak itself. What is quick says nothing.

    A line after ten, twenty and thirty seconds, then one in half a minute: a hundred hosts may be at it.
    """
    ended, began = threading.Event(), time.monotonic()

    def beat() -> None:
        pause = between
        while not ended.wait(pause):
            gone = time.monotonic() - began
            say(f"{doing}, for {gone:.0f} s")
            pause = between if gone < 3 * between else 3 * between

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def follow(
    progress: Progress,
    look: t.Callable[[], dict[str, t.Any]],
    tell: t.Callable[[Progress, dict[str, t.Any]], None],
) -> dict[str, t.Any]:
    """Look until ``running`` is false. The work goes on by itself while the host is out of reach, for ten minutes at most."""
    lost_since = None
    while True:
        try:
            seen = look()
        except AnsibleConnectionFailure as error:
            lost_since = lost_since or time.monotonic()
            if time.monotonic() - lost_since > _LOST_FOR_GOOD:
                raise
            progress.tell(f"out of reach, the host goes on by itself: {error}")
            time.sleep(_PAUSE_AFTER_LOST_CONNECTION)
            continue
        lost_since = None
        if not seen["running"]:
            return seen
        tell(progress, seen)


def amount(done: int, total: int | None, pace: float, what: str = "fetched") -> str:
    """``1.2 of 4.5 GB fetched (27 %), 3.3 GB to go, 35 MB/s, about 94 s``."""
    speed = f", {size(int(pace))}/s" if pace > 0 else ""
    if not total:
        return f"{size(done)} {what}{speed}"
    left = max(0, total - done)
    until = f", about {left / pace:.0f} s" if pace > 0 else ""
    return f"{size(done)} of {size(total)} {what} ({100 * done // total} %), {size(left)} to go{speed}{until}"


def size(count: int) -> str:
    """Bytes as people read them, in steps of a thousand, as the hub and registries tell sizes."""
    value, unit = float(count), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:.0f} {_UNITS[unit]}" if unit == 0 else f"{value:.1f} {_UNITS[unit]}"
