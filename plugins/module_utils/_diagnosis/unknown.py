"""The most telling lines of a log that no signature explains: the innermost error, not what was made of it."""

from __future__ import annotations

import typing as t

from .signature import compiled
from .signatures import WRAPPERS

if t.TYPE_CHECKING:
    from .lines import Line

# How programs say that something went wrong: Python's errors, other programs' words, crashes.
_ERROR = (
    r"^(?:[\w.]+\.)?\w*(?:Error|Exception|Timeout|Expired)(?:: \S|$)|^(?:Error|Fatal|fatal|error|CRITICAL|ERROR): \S|"
    r"^Value error, |\berror: \S|^Fatal Python error: |Segmentation fault|SIG[A-Z]{3,} received|\(core dumped\)|^Aborted|^Killed$|^\s*what\(\):|"
    r"^terminate called|status=\d+/(?!SUCCESS)[A-Z_0-9/]+$"
)
# What comes between two errors of a chain, or begins a new story.
_ENDS = (
    r"^(?:Traceback|During handling|The above exception|\[?[A-Z]\w+\]?:? ?(?:\d|$)|For further information)"
)
_MOST_LINES = 3


def is_wrapper(line: Line) -> bool:
    """Whether it only says that something else had failed."""
    return not line.is_routine and any(compiled(pattern).search(line.text) for pattern in WRAPPERS)


def telling_text(lines: t.Sequence[Line]) -> str:
    """The first error that no wrapper made, with the rest of its message; "" where the log has none."""
    found = [
        number
        for number, line in enumerate(lines)
        if not line.is_routine and not line.is_source and compiled(_ERROR).search(line.text)
    ]
    telling = [number for number in found if not is_wrapper(lines[number])] or found
    telling = telling or [number for number, line in enumerate(lines) if is_wrapper(line)]
    return _message(lines, telling[0]) if telling else ""


def _message(lines: t.Sequence[Line], first: int) -> str:
    """A message with its next lines, where one of the same process goes on. A validation error begins below its head."""
    texts = [lines[first].text]
    for line in lines[first + 1 :]:
        if line.process != lines[first].process:
            continue
        ended = line.is_routine or line.is_frame or line.level != lines[first].level
        if ended or len(texts) == _MOST_LINES or compiled(_ENDS).search(line.text) or is_wrapper(line):
            break
        texts.append(line.text)
    said = [text for text in texts if text.startswith("Value error, ")]
    return " ".join(said or texts).partition(" [type=")[0]
