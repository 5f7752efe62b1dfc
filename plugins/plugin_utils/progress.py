"""Lines that tell how long work on a host goes, the same in a terminal and in a log."""

from __future__ import annotations

import contextlib
import threading
import time
import typing as t

from ansible.errors import AnsibleConnectionFailure
from ansible.utils.display import Display

from ..module_utils._settings.counted import sized

display = Display()

_SECONDS_BETWEEN_LINES = 10
_SECONDS_UNTIL_SAID_AGAIN = 30
_PAUSE_AFTER_LOST_CONNECTION = 2
_LOST_FOR_GOOD = 600


class Progress:
    """Lines on standard error, not more than one in ten seconds for a host, except for what is new in kind."""

    def __init__(
        self,
        who: str,
        between: float = _SECONDS_BETWEEN_LINES,
        clock: t.Callable[[], float] = time.monotonic,
        show: t.Callable[[str], None] | None = None,
    ) -> None:
        """``who`` begins each line."""
        self._who, self._between, self._clock = who, between, clock
        self._show = show or (lambda text: display.display(text, stderr=True))
        self._told_at = float("-inf")
        self._first: tuple[float, int] | None = None
        self._told = ""
        self._so_since = 0.0

    def tell(self, text: str, at_once: bool = False) -> None:
        """A line, unless the last one is too young."""
        now = self._clock()
        if at_once or now - self._told_at >= self._between:
            self._told_at = now
            self._show(f"{self._who}: {text}")

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

    def bytes(self, done: int, total: int | None, what: str = "fetched", then: str = "") -> None:
        """A line with what is done, what is to go, and how long that takes at the pace since the first look.

        ``then`` is what happens once all bytes are there.
        """
        now = self._clock()
        self._first = self._first or (now, done)
        began, before = self._first
        if then and total and done >= total:
            self.tell(f"all {sized(total)} {what} after {now - began:.0f} s, {then}")
            return
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
    """``1.2 GB of 4.5 GB fetched (27 %), 3.3 GB to go, 35.0 MB/s, about 94 s left``."""
    speed = f", {sized(pace)}/s" if pace > 0 else ""
    if not total:
        return f"{sized(done)} {what}{speed}"
    left = max(0, total - done)
    until = f", about {_duration(left / pace)} left" if pace > 0 else ""
    return (
        f"{sized(done)} of {sized(total)} {what} ({100 * done // total} %), {sized(left)} to go{speed}{until}"
    )


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
