#!/usr/bin/env python3
"""Write the tables of docs/guides/troubleshooting.md: recorded lines of logs as the diagnosis answers them, and codes.

PYTHONPATH=.collections python tools/generate_troubleshooting.py
"""

from __future__ import annotations

import json
import pathlib
import re
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.codes import CODES as OF_CDI
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.catalog import escaped
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.diagnose import Diagnosis, diagnose
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signature import in_general
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signatures import SIGNATURES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_words import CODES as OF_IMAGES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.needs import CODES as OF_NEEDS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.weight_needs import CODES as OF_WEIGHTS

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "guides" / "troubleshooting.md"
RECORDED = ROOT / "tests" / "fixtures" / "diagnosis"
LONGEST = 150  # of a line; a search finds it by its beginning
MOST = 3  # of a class

Table = t.Callable[[], str]


def recorded() -> list[str]:
    """What real servers and Podman wrote: single lines, and pieces of logs."""
    logs = [
        line.partition("|")[2]
        for line in (RECORDED / "wordings.txt").read_text(encoding="utf-8").splitlines()
    ]
    for name in ("failures.jsonl", "more_failures.jsonl"):
        records = (RECORDED / name).read_text(encoding="utf-8").splitlines()
        logs += ["\n".join(json.loads(record)["lines"]) for record in records]
    return logs


def examples() -> dict[str, list[Diagnosis]]:
    """For each class of failures some of its lines, each with another remedy; its general words where none is recorded."""
    found: dict[str, dict[str, Diagnosis]] = {each.failure_class: {} for each in SIGNATURES}
    for log in recorded():
        told = diagnose(log)
        if told.failure_class in found:
            found[told.failure_class].setdefault(re.sub(r"\d[\d.,]*", "#", told.remedy), told)
    general = {
        each.failure_class: Diagnosis(each.failure_class, in_general(each.cause), in_general(each.remedy), "")
        for each in reversed(SIGNATURES)
    }
    return {name: list(causes.values())[:MOST] or [general[name]] for name, causes in found.items()}


def _code(line: str) -> str:
    short = line if len(line) <= LONGEST else line[:LONGEST].rstrip() + "…"
    mark = "``" if "`" in short else "`"
    pad = " " if mark == "``" else ""
    return f"{mark}{pad}{short.replace('|', chr(92) + '|')}{pad}{mark}"


def of_logs() -> str:
    """What a log says, what it means, what to do."""
    rows = [
        f"| {_code(told.line) if told.line else ''} | {escaped(told.cause)} `{name}` | {escaped(told.remedy)} |"
        for name, causes in examples().items()
        for told in causes
    ]
    return "\n".join(["| the log says | it means | do |", "|---|---|---|", *rows])


def of_hosts() -> str:
    """What the code of a host's finding means."""
    codes = {**OF_NEEDS, **OF_IMAGES, **OF_WEIGHTS, **OF_CDI}
    rows = [f"| `{code}` | {escaped(meaning)} |" for code, meaning in sorted(codes.items())]
    return "\n".join(["| code | it means |", "|---|---|", *rows])


TABLES: dict[str, Table] = {"lines of logs": of_logs, "codes of hosts": of_hosts}


def page(text: str) -> str:
    """The page with its tables written anew."""
    for name, table in TABLES.items():
        begin, end = (
            f"<!-- begin: {name}, made by tools/generate_troubleshooting.py -->",
            f"<!-- end: {name} -->",
        )
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{table()}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print("docs/guides/troubleshooting.md")
