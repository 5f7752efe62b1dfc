"""A server's log, line by line, without what the logger, the process, systemd, Podman or compose put in front."""

from __future__ import annotations

import re
import typing as t

_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_LEVEL = r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)"

# What may stand in front, in any order and more than once; tried together, which is much faster than one by one.
_PREFIX = re.compile(
    "|".join(
        (
            r"\s*(?:[│|] )+",  # a log pasted from a terminal's box
            r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \S+ [^\s:\[\]]+(?:\[\d+\])?: ?",  # journal, short
            rf"{_TIME} \S+ [^\s:\[\]]+\[\d+\]: ?",  # journal, short-iso
            r"\[ *\d+\.\d{6}\] (?:\S+ [^\s:\[\]]+\[\d+\]: ?)?",  # journal, short-monotonic; the kernel's own
            rf"{_TIME} (?:stdout|stderr) [FP] ",  # Kubernetes
            r"[\w.-]+ +\| ",  # compose
            rf"\[?{_TIME}\]?(?: - | |$)",
            r"\*{0,2}\((?P<process>[\w.-][^()]*\bpid=\d+[^()]*)\)\*{0,2} ?",  # (EngineCore_DP0 pid=8), (Worker_TP1 pid=530)
            r"\[rank(?P<rank>\d+)\]:(?:\[\w [^\]]*\])? ?",
            rf"(?P<level>{_LEVEL})(?::| -)? +(?:\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? )?"
            r"(?:\[[\w/.<>-]+:\d+\] ?|[\w/]+\.py:\d+\] ?|\S+\.py:\d+ - )?",
            rf"- (?P<middle>{_LEVEL}) - (?:\S+\.py:\d+ - )?",  # Python's usual format
            r"\[[\w/.-]+\.(?:py|cpp|cc|cu|cuh):\d+\] ?",
        )
    )
)
# Colours and cursor movements; the journal and some terminals keep them without their escape character.
_ANSI = re.compile(
    r"\x1b\[[\d;?]*[A-Za-z]|\x1b\][^\x07]*\x07|(?:ESC|#033|\^\[)\[[\d;]*m|[\x00-\x08\x0b-\x1f\x7f]"
)
_MAY_BE_COLOURED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|ESC\[|#033|\^\[")
_FRAME = re.compile(r'File "([^"]+)", line \d+')
# What follows such a line is the traceback of an error that the server lives on with: a plugin that can't be loaded (it goes on
# without), usage statistics that can't be sent, an object that fails while it is thrown away, a log line that can't be written.
_SURVIVED = re.compile(
    r"^Failed to load plugin |^Exception ignored (?:in|while)\b|^Exception in thread \S+ \(_report_usage|^--- Logging error ---"
)
_ON_THE_WAY = ("Traceback (most recent", "During handling of", "The above exception was")
_SOURCE = 4  # columns by which a traceback indents the program
_LONGEST = 2000  # the configuration that vLLM prints is longer; no signature is


class Line(t.NamedTuple):
    """What a line says, and the level of its logger (None where no logger wrote it)."""

    text: str
    level: str | None
    indent: int = 0
    is_source: bool = False  # a line of a program, quoted in a traceback
    process: str = ""  # who wrote it, where the line says so
    file: str = ""  # the file that the traceback above names last: where the error of this line was raised

    @property
    def is_routine(self) -> bool:
        """Whether the server itself did not think that this was an error."""
        return self.level in ("DEBUG", "INFO", "WARNING", "WARN")

    @property
    def is_frame(self) -> bool:
        """Whether it names a place in a program, as tracebacks do."""
        return self.text.startswith('File "')


def read_lines(log: str) -> list[Line]:
    """The lines of a log that say anything; each redrawing of a progress bar is a line of its own."""
    lines: list[Line] = []
    files: dict[str, str] = {}  # of the traceback that each process is writing: they may be interleaved
    survived: set[str] = set()  # processes that are writing the traceback of an error that they live on with
    for raw in log.replace("\r", "\n").split("\n"):
        line = read_line(raw)
        if not line.text:
            continue
        frame = _FRAME.match(line.text)
        file = frame.group(1) if frame else files.get(line.process)
        if _SURVIVED.match(line.text):
            survived.add(line.process)
        elif not file and not line.text.startswith(_ON_THE_WAY):
            survived.discard(line.process)
        if line.process in survived:
            line = line._replace(level="WARNING")
        if not file:
            lines.append(line)
            continue
        is_source = not frame and line.indent >= _SOURCE
        lines.append(line._replace(is_source=is_source, file=file))
        files[line.process] = file if frame or is_source else ""
    return lines


def read_line(raw: str) -> Line:
    """One line without its prefixes."""
    text, level, process, at = raw[:_LONGEST], "", "", 0
    if _MAY_BE_COLOURED.search(text):
        text = _ANSI.sub("", text)
    while True:
        found = _PREFIX.match(text, at)
        if not found or found.end() == at:
            rest = text[at:]
            return Line(rest.strip(), level or None, len(rest) - len(rest.lstrip()), process=process)
        level = level or found["level"] or found["middle"] or ""
        process = found["process"] or (found["rank"] and f"rank{found['rank']}") or process
        at = found.end()
