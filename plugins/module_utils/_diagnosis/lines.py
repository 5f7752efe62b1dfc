"""A server's log, line by line, without what the logger, the process, systemd, Podman or compose put in front."""

from __future__ import annotations

import dataclasses
import re
import typing as t

_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_LEVEL = r"(?P<level>DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)"

# What may stand in front, in any order and more than once.
_PREFIXES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\s*(?:[│|] )+",  # a log pasted from a terminal's box
        r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \S+ [^\s:\[\]]+(?:\[\d+\])?: ?",  # journal, short
        rf"{_TIME} \S+ [^\s:\[\]]+\[\d+\]: ?",  # journal, short-iso
        r"\[ *\d+\.\d{6}\] (?:\S+ [^\s:\[\]]+\[\d+\]: ?)?",  # journal, short-monotonic; the kernel's own
        rf"{_TIME} (?:stdout|stderr) [FP] ",  # Kubernetes
        r"[\w.-]+ +\| ",  # compose
        rf"\[?{_TIME}\]?(?: - | |$)",
        r"\*{0,2}\([\w.-][^()]*\bpid=\d+[^()]*\)\*{0,2} ?",  # (EngineCore_DP0 pid=8), (Worker_TP1 pid=530)
        r"\[rank\d+\]:(?:\[\w [^\]]*\])? ?",
        rf"{_LEVEL}(?::| -)? +(?:\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? )?(?:\[[\w/.<>-]+:\d+\] ?|[\w/]+\.py:\d+\] ?|\S+\.py:\d+ - )?",
        rf"- {_LEVEL} - (?:\S+\.py:\d+ - )?",  # Python's usual format
        r"\[[\w/.-]+\.(?:py|cpp|cc|cu|cuh):\d+\] ?",
    )
)
# Colours and cursor movements; the journal and some terminals keep them without their escape character.
_ANSI = re.compile(r"\x1b\[[\d;?]*[A-Za-z]|\x1b\][^\x07]*\x07|(?:ESC|#033|\^\[)\[[\d;]*m")
_SOURCE = 4  # columns by which a traceback indents the program
_LONGEST = 2000  # the configuration that vLLM prints is longer; no signature is


@dataclasses.dataclass(frozen=True)
class Line:
    """What a line says, and the level of its logger (None where no logger wrote it)."""

    text: str
    level: str | None
    indent: int = 0
    is_source: bool = False  # a line of a program, quoted in a traceback

    @property
    def is_routine(self) -> bool:
        """Whether the server itself did not think that this was an error."""
        return self.level in ("DEBUG", "INFO", "WARNING", "WARN")


def read_lines(log: str) -> list[Line]:
    """The lines of a log that say anything; each redrawing of a progress bar is a line of its own."""
    raw = log.replace("\r", "\n").split("\n")
    lines, in_frame = [], False
    for line in filter(lambda line: line.text, map(read_line, raw)):
        in_frame = line.text.startswith('File "') or (in_frame and line.indent >= _SOURCE)
        quoted = in_frame and line.indent >= _SOURCE
        lines.append(dataclasses.replace(line, is_source=quoted))
    return lines


def read_line(raw: str) -> Line:
    """One line without its prefixes."""
    text, level = _ANSI.sub("", raw[:_LONGEST]), None
    while True:
        shorter, found = _without_prefix(text)
        level = level or found
        if shorter == text:
            return Line(text.strip(), level, len(text) - len(text.lstrip()))
        text = shorter


def _without_prefix(text: str) -> tuple[str, str | None]:
    for prefix in _PREFIXES:
        found = prefix.match(text)
        if found and found.end():
            return text[found.end() :], t.cast("str | None", found.groupdict().get("level"))
    return text, None
