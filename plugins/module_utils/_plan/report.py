"""Findings as people and programs read them: a table, JSON, SARIF."""

from __future__ import annotations

import json
import textwrap
import typing as t

from .._settings.counted import counted
from .._settings.finding import SEVERITIES, Finding, in_order

_SARIF_LEVEL = {"error": "error", "warning": "warning", "info": "note"}
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_HIDDEN = 60


def format_findings(findings: t.Iterable[Finding], width: int = 110) -> str:
    """One table for all hosts. Findings that differ in the host or the instance alone are told once."""
    blocks = [_block(finding, places, width) for finding, places in _grouped(in_order(findings))]
    return "\n".join(blocks)


def summary(findings: t.Sequence[Finding], hosts: int) -> str:
    """``3 errors and 2 warnings on 10 hosts``."""
    counts = {each: sum(finding.severity == each for finding in findings) for each in SEVERITIES}
    named = {"error": "error", "warning": "warning", "info": "note"}
    said = [counted(counts[each], named[each]) for each in SEVERITIES if counts[each]]
    return f"{' and '.join(said) or 'nothing to say'} on {counted(hosts, 'host')}"


def _grouped(findings: t.Sequence[Finding]) -> list[tuple[Finding, list[str]]]:
    """Findings that say the same, with all their places."""
    groups: dict[str, tuple[Finding, list[str]]] = {}
    for finding in findings:
        facts = {**finding.as_dict(), "host": None, "instance": None}
        if finding.stage == "advice":
            facts["origin"] = None  # what a release does by itself was written nowhere
        _first, places = groups.setdefault(repr(facts), (finding, []))
        place = " ".join(part for part in (finding.host, finding.instance) if part)
        places += [place] if place and place not in places else []
    return list(groups.values())


def _block(finding: Finding, places: t.Sequence[str], width: int) -> str:
    """A line that says where, and below it what, from where, and what to write."""
    shown = ", ".join(places[:4]) + (f" and {len(places) - 4} more" if len(places) > 4 else "")
    what = finding.setting or ""
    if finding.setting and finding.value is not None:
        what += f" = {_shown(finding.value)}"
    head = f"{finding.severity.upper():8}" + "  ".join(part for part in (shown, what) if part)
    lines = textwrap.wrap(
        head, max(width, 60), subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False
    )
    rows = [("", f"{finding.message} [{finding.code}]"), ("origin", finding.origin), ("fix", finding.fix)]
    for label, text in rows:
        if text:
            lines += _wrapped(label, text, width)
    return "\n".join(lines)


def _wrapped(label: str, text: str, width: int) -> list[str]:
    indent = " " * 16
    return textwrap.wrap(
        text,
        max(width, 60),
        initial_indent=f"        {label:8}" if label else " " * 8,
        subsequent_indent=indent if label else " " * 8,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [indent]


def _shown(value: t.Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _HIDDEN else text[: _HIDDEN - 1] + "…"


def to_json(findings: t.Iterable[Finding]) -> str:
    """A list of findings with all their keys."""
    content = {"schema": 1, "findings": [finding.as_dict() for finding in findings]}
    return json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n"


def to_sarif(findings: t.Sequence[Finding]) -> str:
    """SARIF 2.1.0, which code hosts show at a pull request. What is named is a place in the inventory, not a file."""
    codes = sorted({finding.code for finding in findings})
    run = {
        "tool": {"driver": {"name": "gpuops.vllm_fleet", "rules": [{"id": code} for code in codes]}},
        "results": [_sarif_result(finding) for finding in findings],
    }
    return (
        json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, default=str)
        + "\n"
    )


def _sarif_result(finding: Finding) -> dict[str, t.Any]:
    text = finding.message + (f"\nFix: {finding.fix}" if finding.fix else "")
    names = (finding.host, finding.instance, finding.origin or finding.setting)
    name = "/".join(part for part in names if part)
    result: dict[str, t.Any] = {
        "ruleId": finding.code,
        "level": _SARIF_LEVEL[finding.severity],
        "message": {"text": text},
        "properties": finding.as_dict(),
    }
    if name:
        result["locations"] = [{"logicalLocations": [{"fullyQualifiedName": name}]}]
    return result


_FORMATS: dict[str, t.Callable[[t.Sequence[Finding]], str]] = {".json": to_json, ".sarif": to_sarif}


def format_for(path: str) -> t.Callable[[t.Sequence[Finding]], str]:
    """Who writes a file of this name; ValueError where nobody does."""
    for ending, writer in _FORMATS.items():
        if path.endswith(ending):
            return writer
    raise ValueError(f"findings_file: {path} must end in {' or '.join(_FORMATS)}")
