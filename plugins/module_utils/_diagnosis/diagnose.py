"""What a server's log says about why it does not serve."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .lines import Line, read_lines
from .signature import KINDS, Phase, Signature, compiled, filled
from .signatures import PHASES, SIGNATURES, WRAPPERS

UNKNOWN = "unknown"
_LONGEST = 500  # of a line that is quoted
_ERROR = r"^(?:[\w.]+\.)?\w*(?:Error|Exception)(?:: \S|$)|^(?:Error|Fatal|fatal|error|CRITICAL): \S"


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
    best = _best(lines, SIGNATURES)
    return best.diagnosis if best else _unknown(lines)


def fatal_line(log: str) -> Diagnosis | None:
    """The diagnosis when the log since the start shows that this server will not come up, else None."""
    lines = read_lines(log)
    best = _best(lines, [signature for signature in SIGNATURES if signature.is_fatal])
    if best:
        return best.diagnosis
    return _unknown(lines) if any(map(_is_wrapper, lines)) else None


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


def _best(lines: t.Sequence[Line], signatures: t.Sequence[Signature]) -> _Match | None:
    """The match of the most telling kind; of one kind the first line, in a line the first signature."""
    best: _Match | None = None
    serving = any(_phase_of(line, "") == "serving" for line in lines)
    phase: Phase = ""
    for number, line in enumerate(lines):
        phase = _phase_of(line, phase)
        last = number == len(lines) - 1
        for signature in signatures:
            if best and not _says_more(signature, best.signature):
                continue
            if not _may_apply(signature, line, phase, last, serving):
                continue
            values = signature.values_in(line.text)
            if values is not None:
                best = _Match(signature, _diagnosis(signature, values, line))
        if best and best.signature.kind == KINDS[0]:
            break
    return best


def _says_more(signature: Signature, best: Signature) -> bool:
    """Whether it is of a more telling kind. Of hints the last one counts: it is nearest to where the log ends."""
    if signature.kind == best.kind == "hint":
        return True
    return KINDS.index(signature.kind) < KINDS.index(best.kind)


def _may_apply(signature: Signature, line: Line, phase: Phase, last: bool, serving: bool) -> bool:
    if line.is_source and not line.text.startswith("assert "):
        return False
    if signature.is_fatal:
        return not line.is_routine and (not signature.phases or phase in signature.phases)
    # A hint explains a start that went wrong; a server that got as far as serving prints it as well.
    return not serving and (last or not signature.only_last)


def _phase_of(line: Line, before: Phase) -> Phase:
    for pattern, phase in PHASES:
        if compiled(pattern).search(line.text):
            return t.cast("Phase", phase)
    return before


def _diagnosis(signature: Signature, values: t.Mapping[str, str], line: Line) -> Diagnosis:
    return Diagnosis(
        signature.failure_class,
        filled(signature.cause, values),
        filled(signature.remedy, values),
        line.text[:_LONGEST],
    )


def _unknown(lines: t.Sequence[Line]) -> Diagnosis:
    """No cause, but the line an operator should read first: the first error that no wrapper made."""
    errors = [line for line in lines if not line.is_routine and compiled(_ERROR).search(line.text)]
    telling = [line for line in errors if not _is_wrapper(line)] or errors or list(filter(_is_wrapper, lines))
    if not telling:
        return Diagnosis(UNKNOWN, "The log names no failure that is known here.", "Read the whole log.", "")
    return Diagnosis(
        UNKNOWN,
        "The log holds an error that is not known here.",
        "Read the log around this line.",
        telling[0].text[:_LONGEST],
    )


def _is_wrapper(line: Line) -> bool:
    return not line.is_routine and any(compiled(pattern).search(line.text) for pattern in WRAPPERS)
