"""What a server's log says about why it does not serve."""

from __future__ import annotations

import dataclasses
import functools
import re
import typing as t

from .index import Index
from .lines import Line, read_lines
from .signature import KINDS, Phase, Signature, compiled, filled
from .signatures import PHASES, SIGNATURES
from .unknown import is_wrapper, telling_text

UNKNOWN = "unknown"
_LONGEST = 500  # of a line that is quoted
# vLLM asks the Hub also for a model that is a directory, calls the refusal an error, and does well without.
_TRIED = re.compile(r"^Error retrieving [\w ]+: |\bretrying \d+ of \d+$")
_MARKS = re.compile("|".join(pattern for pattern, _phase in PHASES))


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """A failure's class, its cause, what to do, and the line that says so."""

    failure_class: str
    cause: str
    remedy: str
    line: str

    def as_dict(self) -> dict[str, str]:
        """The same as plain data."""
        return dataclasses.asdict(self)


class _Match(t.NamedTuple):
    signature: Signature
    diagnosis: Diagnosis


def diagnose(log: str) -> Diagnosis:
    """The first line that says why; ``unknown`` when none does."""
    lines = read_lines(log)
    best = _best_fatal(lines) or _last_hint(lines)
    return best.diagnosis if best else _unknown(lines)


def fatal_line(log: str) -> Diagnosis | None:
    """The diagnosis when the log since the start shows that this server will not come up, else None."""
    lines = read_lines(log)
    best = _best_fatal(lines)
    if best:
        return best.diagnosis
    return _unknown(lines) if any(map(is_wrapper, lines)) else None


def diagnose_starts(logs: t.Sequence[str]) -> Diagnosis:
    """The diagnosis of a unit that was started more than once: of the newest start that says why it failed.

    A start that still has nothing to say is passed over; a start that got as far as serving is not.
    """
    found = diagnose("")
    for log in reversed(logs):
        found = diagnose(log)
        if found.failure_class != UNKNOWN or re.search(PHASES[-1][0], log):
            return found
    return found


@functools.cache
def _signatures(fatal: bool) -> Index:
    return Index([signature for signature in SIGNATURES if signature.is_fatal == fatal])


def _best_fatal(lines: t.Sequence[Line]) -> _Match | None:
    """The match of the most telling kind; of one kind the first line, in a line the first signature."""
    best: _Match | None = None
    phase: Phase = ""
    looked_at: set[tuple[str, str, Phase]] = set()  # each process of a server says the same once more
    for line in lines:
        phase = _phase_of(line, phase)
        if line.is_routine or not _may_explain(line) or (line.text, line.file, phase) in looked_at:
            continue
        looked_at.add((line.text, line.file, phase))
        for signature in _signatures(True).possible(line.text):
            if best and KINDS.index(signature.kind) >= KINDS.index(best.signature.kind):
                continue
            if _fits(signature, line, phase) and (values := signature.values_in(line.text)) is not None:
                best = _Match(signature, _diagnosis(signature, values, line))
        if best and best.signature.kind == KINDS[0]:
            break
    return best


def _last_hint(lines: t.Sequence[Line]) -> _Match | None:
    """Of hints the last one counts: it is nearest to where the log ends. A server that serves prints them as well."""
    if any(_phase_of(line, "") == "serving" for line in lines):
        return None
    for number, line in enumerate(reversed(lines)):
        for signature in [] if line.is_frame or line.is_source else _signatures(False).possible(line.text):
            if number and signature.only_last:
                continue
            values = signature.values_in(line.text)
            if values is not None:
                return _Match(signature, _diagnosis(signature, values, line))
    return None


def _may_explain(line: Line) -> bool:
    """Whether it is more than the way to an error, as a traceback prints it, and more than a try that is followed by another."""
    if line.is_frame or (line.is_source and not line.text.startswith("assert ")):
        return False
    return not _TRIED.search(line.text)


def _fits(signature: Signature, line: Line, phase: Phase) -> bool:
    if signature.phases and phase not in signature.phases:
        return False
    return not signature.raised_in or bool(line.file and compiled(signature.raised_in).search(line.file))


def _phase_of(line: Line, before: Phase) -> Phase:
    if not _MARKS.search(line.text):
        return before
    return next(t.cast("Phase", phase) for pattern, phase in PHASES if compiled(pattern).search(line.text))


def _diagnosis(signature: Signature, values: t.Mapping[str, str], line: Line) -> Diagnosis:
    return Diagnosis(
        signature.failure_class,
        filled(signature.cause, values),
        filled(signature.remedy, values),
        line.text[:_LONGEST],
    )


def _unknown(lines: t.Sequence[Line]) -> Diagnosis:
    """No cause, but the lines an operator should read first."""
    telling = telling_text(lines)
    if not telling:
        return Diagnosis(UNKNOWN, "The log names no failure that is known here.", "Read the whole log.", "")
    return Diagnosis(
        UNKNOWN,
        "The log holds an error that is not known here.",
        "Read the log around this line.",
        telling[:_LONGEST],
    )
