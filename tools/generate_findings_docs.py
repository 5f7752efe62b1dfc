#!/usr/bin/env python3
"""Write docs/findings.md from the tables of codes and the rules of the pure packages.

PYTHONPATH=.collections python tools/generate_findings_docs.py
"""

from __future__ import annotations

import pathlib
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.codes import CODES as OF_ADOPT
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.codes import CODES as OF_CDI
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.codes import CODES as OF_FIT
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.rules import RULES as FIT_RULES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_words import CODES as OF_IMAGES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.needs import CODES as OF_NEEDS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.weight_needs import CODES as OF_WEIGHTS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.codes import CODES as OF_PLAN
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.codes import CODES as OF_SETTINGS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.problem import Kind
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules import RULES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules.rule import Rule
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.version import format_release

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "findings.md"

INTRODUCTION = """<!-- Made by tools/generate_findings_docs.py. Change the codes.py of the packages, or their rules. -->
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

{settings}

## What fails at start-up although the parser was content
"""

FIT = """
## Model and GPUs

`docs/fit.md` tells how it is reckoned, and what of it is an estimate.
"""

RULES_OF_FIT = """
Rules of the same stage, which need the model, its weights, the GPUs or the driver:
"""

HOST = """
## A host that lacks what its plan needs
"""

ADOPT = """
## What runs already, taken over

`docs/guides/adopt.md` shows them.
"""

CDI = """
## A host's driver, toolkit and CDI spec
"""


def _releases(rule: Rule) -> str:
    since = format_release(rule.since) if rule.since > (0, 0, 0) else "all"
    if rule.until is None:
        return since if since == "all" else f"{since} and later"
    return f"{'' if since == 'all' else since + ' '}to {format_release(rule.until)}"


def _rule_table(rules: t.Iterable[Rule]) -> str:
    """Rules of one code differ in their releases: a row for each."""
    rows = {
        f"| `{rule.code}` | {rule.severity}, {rule.stage} | {_releases(rule)} "
        f"| {', '.join(rule.needs)} | {rule.source} |"
        for rule in rules
    }
    head = ["| code | | releases | needs facts | source in vLLM |", "|---|---|---|---|---|"]
    return "\n".join([*head, *sorted(rows)])


def _code_table(codes: t.Mapping[str, str]) -> str:
    rows = (f"| `{code}` | {meaning} |" for code, meaning in codes.items())
    return "\n".join(["| code | |", "|---|---|", *rows])


def page() -> str:
    """The whole page."""
    parser = PARSER.format(kinds="`, `".join(t.get_args(Kind)), settings=_code_table(OF_SETTINGS))
    sections = (
        (INTRODUCTION, _code_table(OF_PLAN)),
        (parser, _rule_table(RULES)),
        (FIT, _code_table(OF_FIT)),
        (RULES_OF_FIT, _rule_table(FIT_RULES)),
        (HOST, _code_table({**OF_NEEDS, **OF_IMAGES, **OF_WEIGHTS})),
        (CDI, _code_table(OF_CDI)),
        (ADOPT, _code_table(OF_ADOPT)),
    )
    return "\n".join(f"{head}\n{table}" for head, table in sections) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print("docs/findings.md")
