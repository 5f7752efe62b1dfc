#!/usr/bin/env python3
"""Write docs/findings.md from the codes of planning and the start-up rules of vLLM's releases.

PYTHONPATH=.collections python tools/generate_findings_docs.py
"""

from __future__ import annotations

import pathlib
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.codes import CODES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.problem import Kind
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules import RULES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules.rule import Rule
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.version import format_release

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "findings.md"

INTRODUCTION = """<!-- Made by tools/generate_findings_docs.py. Change _plan/codes.py or the rules in _settings/rules/. -->
# Findings

A finding is one thing to say about an instance. It always has the same keys; what is absent is null.

| key | |
|---|---|
| `severity` | `error` stops the run before any host is touched, `warning` and `info` do not |
| `stage` | where it would show: `parse` and `start` of the server, `fit` of model and GPU, `plan`, `host`, `advice` |
| `code` | a stable name, listed below |
| `host`, `instance`, `setting`, `value` | what it is about |
| `origin` | the variable and the path at which the value was written |
| `message`, `fix` | what is wrong and why; what to write instead |
| `source`, `since`, `until` | where the rule was taken from, and the releases of vLLM it holds for |

`ansible-playbook gpuops.vllm_fleet.validate -e vllm_findings_file=findings.json` (or `.sarif`) writes all of them.

## The inventory
"""

PARSER = """
## What the parser of a release refuses, or takes without doing what it says

`{kinds}`. With `vllm_target_version` the same codes begin with `upgrade_`: what that release would say.

## What fails at start-up although the parser was content
"""


def _releases(rule: Rule) -> str:
    since = format_release(rule.since) if rule.since > (0, 0, 0) else "all"
    if rule.until is None:
        return since if since == "all" else f"{since} and later"
    return f"{'' if since == 'all' else since + ' '}to {format_release(rule.until)}"


def _rule_rows() -> list[str]:
    """Rules of one code differ in their releases: a row for each."""
    rows = {
        f"| `{rule.code}` | {rule.severity}, {rule.stage} | {_releases(rule)} "
        f"| {', '.join(rule.needs)} | {rule.source} |"
        for rule in RULES
    }
    return sorted(rows)


def page() -> str:
    """The whole page."""
    codes = ["| code | |", "|---|---|", *(f"| `{code}` | {meaning} |" for code, meaning in CODES.items())]
    rules = ["| code | | releases | needs facts | source in vLLM |", "|---|---|---|---|---|", *_rule_rows()]
    parser = PARSER.format(kinds="`, `".join(t.get_args(Kind)))
    return f"{INTRODUCTION}\n" + "\n".join(codes) + f"\n{parser}\n" + "\n".join(rules) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print("docs/findings.md")
