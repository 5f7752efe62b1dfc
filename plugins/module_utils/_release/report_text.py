"""The report for a terminal, and as Markdown for a pull request."""

from __future__ import annotations

import re
import typing as t

from .._settings.columns import markdown_table, text_table
from .report_words import changes, headline, held, problem, remarks, table

Data = t.Mapping[str, t.Any]
_CHANGE = ("what", "before", "after", "where")
_PREDICTED = "Predicted; check mode did none of it."


def terminal(report: Data) -> str:
    """The table, what changed, and below it what went wrong, in full."""
    blocks = [_PREDICTED] if report["check_mode"] else []
    blocks += [text_table(*table(report))]
    changed = changes(report)
    blocks += [text_table(_CHANGE, changed)] if changed else []
    blocks += ["\n".join(remarks(report))] if remarks(report) else []
    blocks += [f"{each['host']}: {problem(each)}" for each in report["problems"]]
    return "\n\n".join([*blocks, *held(report), headline(report)])


def markdown(report: Data) -> str:
    """The same with headings, and what it came to first."""
    about = [(name, report.get(key)) for name, key in (("Fleet", "fleet"), ("Written", "written_at"))]
    blocks = [
        f"# vLLM fleet: {report['result']}",
        headline(report)[0].upper() + headline(report)[1:] + ".",
        " · ".join(f"{name}: {said}" for name, said in about if said),
        _PREDICTED if report["check_mode"] else "",
        markdown_table(*table(report)),
    ]
    changed = changes(report)
    blocks += ["## What changed", markdown_table(_CHANGE, changed)] if changed else []
    blocks += _listed("## Worth knowing", remarks(report))
    blocks += _problems(report)
    blocks += _listed("## Held back", held(report))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _listed(title: str, lines: t.Sequence[str]) -> list[str]:
    return [title, "\n".join(f"- {line}" for line in lines)] if lines else []


def _problems(report: Data) -> list[str]:
    """Each in full: messages have several lines, log lines among them."""
    blocks = []
    for each in report["problems"]:
        blocks += [f"### {each['host']}", _fenced(problem(each))]
    return ["## What went wrong", *blocks] if blocks else []


def _fenced(text: str) -> str:
    """A fence that is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}"
