"""Parsers of tool calls and of reasoning: names that a release registers and plug-ins add."""

from __future__ import annotations

import typing as t

from .registered import unregistered
from .rule import Breach, row, rule, rules_of
from .view import View

_REASONING = "unknown_reasoning_parser"
_PLUGIN = "reasoning_parser_plugin"


@rule(
    "unknown_tool_parser",
    "enable_auto_tool_choice tool_call_parser",
    "entrypoints/common/cli_args.py:620 (0.33.0)",
)
def tool_parser_is_known(view: View) -> t.Iterator[Breach]:
    """Where tools are chosen by the model, their parser must exist."""
    if view.flag("enable_auto_tool_choice") and not view.given("tool_parser_plugin"):
        name = view.text("tool_call_parser")
        yield from unregistered(
            view, "tool_parsers", "tool_call_parser", name, "tool parser", "tool_parser_plugin"
        )


def _reasoning(view: View, tail: str = "") -> t.Iterator[Breach]:
    if not view.given(_PLUGIN):
        name = view.text("reasoning_parser")
        yield from unregistered(
            view, "reasoning_parsers", "reasoning_parser", name, "reasoning parser", _PLUGIN, tail
        )


@rule(_REASONING, "reasoning_parser", "config/structured_outputs.py:79 (0.12.0)", "0.11.0", "0.12.0")
def early_reasoning_parser_is_known(view: View) -> t.Iterator[Breach]:
    """The engine's configuration looks the name up."""
    yield from _reasoning(view)


@rule(
    _REASONING,
    "reasoning_parser",
    "entrypoints/common/cli_args.py:629 (0.19.1)",
    "0.13.0",
    "0.19.1",
    severity="warning",
)
def late_reasoning_parser_is_known(view: View) -> t.Iterator[Breach]:
    """In these releases the name is looked up when the model is loaded."""
    yield from _reasoning(view, " Nothing complains before the model is loaded.")


@rule(_REASONING, "reasoning_parser", "reasoning/abs_reasoning_parsers.py (0.33.0)", "0.20.0")
def reasoning_parser_is_known(view: View) -> t.Iterator[Breach]:
    """The engine's configuration looks the name up, again."""
    yield from _reasoning(view)


@rule(_REASONING, "structured_outputs_config", "entrypoints/common/cli_args.py:629 (0.33.0)", "0.11.1")
def nested_reasoning_parser_is_known(view: View) -> t.Iterator[Breach]:
    """The API server looks up the one that structured_outputs_config names."""
    name = str(view.json("structured_outputs_config").get("reasoning_parser") or "")
    if not view.given(_PLUGIN):
        setting = "structured_outputs_config.reasoning_parser"
        yield from unregistered(view, "reasoning_parsers", setting, name, "reasoning parser", _PLUGIN)


TOOL_PARSER_MISSING = row(
    "tool_parser_missing",
    "enable_auto_tool_choice",
    "entrypoints/common/cli_args.py:554 (0.33.0)",
    lambda view: view.flag("enable_auto_tool_choice") and not view.text("tool_call_parser"),
    lambda view: "enable_auto_tool_choice needs tool_call_parser.",
    "tool_call_parser: the one of the model's family, e.g. hermes",
)

RULES = rules_of(globals())
