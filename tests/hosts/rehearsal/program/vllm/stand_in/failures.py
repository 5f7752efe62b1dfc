"""Failing as a class of failures does: its lines, then what it does."""

from __future__ import annotations

import os
import time
import typing as t

from . import log
from .release import FAILURES
from .scenario import ScenarioError

if t.TYPE_CHECKING:
    from .scenario import Scenario

_ENGINE_GONE = "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore': 1}"
_ENGINE_DIED = (
    "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue."
    " See stack trace (above) for the root cause."
)


def check(scenario: Scenario) -> Scenario:
    """Refuse a class that there is not."""
    if scenario.fail and scenario.fail not in FAILURES:
        raise ScenarioError(
            f"fail={scenario.fail}: there is no such class; there are: {', '.join(sorted(FAILURES))}"
        )
    return scenario


def phase_of(scenario: Scenario) -> str:
    """Where the scenario fails; empty where it does not."""
    own: str = FAILURES[scenario.fail]["phase"] if scenario.fail else ""
    return (scenario.fail_at or own) if scenario.fail else ""


def fail(scenario: Scenario, phase: str) -> t.NoReturn:
    """Write the lines, and end or hang as the class does."""
    failure = FAILURES[scenario.fail]
    in_engine = phase in ("load", "profile", "capture")
    if in_engine and failure["lines"]:
        log.core("core.py:1510", "EngineCore failed to start.\nTraceback (most recent call last):", "ERROR")
    if phase == "serving":
        log.core(
            "core.py:2663",
            "EngineCore encountered a fatal error.\nTraceback (most recent call last):",
            "ERROR",
        )
    log.raw("".join(f"{line}\n" for line in failure["lines"]))
    while failure["then"] == "hang":
        time.sleep(1)
    if in_engine and failure["lines"]:
        log.raw(f"{_ENGINE_GONE}\n")
    if phase == "serving":
        log.api("async_llm.py:814", f"AsyncLLM output_handler failed.\n{_ENGINE_DIED}", "ERROR")
    end(failure["exit_code"] if scenario.exit_code < 0 else scenario.exit_code)


def end(code: int) -> t.NoReturn:
    """End now, whatever other threads do."""
    os._exit(code)
