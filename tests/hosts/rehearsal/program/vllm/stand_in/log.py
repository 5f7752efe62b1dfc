"""Lines as vLLM logs them: to standard output, each with its process, time and place."""

from __future__ import annotations

import os
import sys
import time


def say(process: str, place: str, text: str, level: str = "INFO") -> None:
    """One line, or several that belong together."""
    head = f"({process} pid={os.getpid()}) {level} {time.strftime('%m-%d %H:%M:%S')} [{place}] "
    raw("".join(f"{head}{line}\n" for line in text.split("\n")))


def api(place: str, text: str, level: str = "INFO") -> None:
    """The process that answers requests."""
    say("APIServer", place, text, level)


def core(place: str, text: str, level: str = "INFO") -> None:
    """The process that holds the GPU."""
    say("EngineCore", place, text, level)


def uvicorn(text: str) -> None:
    """The web server's own lines have no process and no time."""
    raw(f"INFO:     {text}\n")


def raw(text: str) -> None:
    """Text as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()
