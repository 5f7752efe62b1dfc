"""Parsers of tool calls and of reasoning: names that a release registers and plug-ins add."""

from __future__ import annotations

import typing as t

from .rule import Breach, row, rule, rules_of
from .view import View


def _names(view: View, registry: str) -> str:
    return ", ".join(sorted(view.table.registry(registry)))


@rule(
    "unknown_tool_parser",
    "enable_auto_tool_choice tool_call_parser",
    "entrypoints/common/cli_args.py:620 (0.33.0)",
)
def tool_parser_is_known(view: View) -> t.Iterator[Breach]:
    """Where tools are chosen by the model, their parser must exist."""
    name = view.text("tool_call_parser")
    if not name or not view.flag("enable_auto_tool_choice") or view.given("tool_parser_plugin"):
        return
    if view.unregistered("tool_parsers", name):
        yield Breach(
            "tool_call_parser",
            f"This release has no tool parser {name}; only a plug-in (tool_parser_plugin) could provide it."
            f" It has {_names(view, 'tool_parsers')}.",
            "one of them, or tool_parser_plugin",
        )


def _reasoning_unknown(view: View) -> bool:
    name = view.text("reasoning_parser")
    plugged = view.given("reasoning_parser_plugin")
    return bool(name) and not plugged and view.unregistered("reasoning_parsers", name)


def _reasoning_text(view: View) -> str:
    return (
        f"This release has no reasoning parser {view.text('reasoning_parser')}; only a plug-in"
        f" (reasoning_parser_plugin) could provide it. It has {_names(view, 'reasoning_parsers')}."
    )


_PARSERS = (
    row(
        "unknown_reasoning_parser",
        "reasoning_parser",
        "config/structured_outputs.py:79 (0.12.0)",
        _reasoning_unknown,
        _reasoning_text,
        "one of them",
        since="0.11.0",
        until="0.12.0",
    ),
    row(
        "unknown_reasoning_parser",
        "reasoning_parser",
        "entrypoints/common/cli_args.py:629 (0.19.1)",
        _reasoning_unknown,
        lambda view: _reasoning_text(view) + " Nothing complains before the model is loaded.",
        "one of them",
        since="0.13.0",
        until="0.19.1",
        severity="warning",
    ),
    row(
        "unknown_reasoning_parser",
        "reasoning_parser",
        "reasoning/abs_reasoning_parsers.py (0.33.0)",
        _reasoning_unknown,
        _reasoning_text,
        "one of them",
        since="0.20.0",
    ),
    row(
        "unknown_reasoning_parser",
        "structured_outputs_config",
        "entrypoints/common/cli_args.py:629 (0.33.0)",
        lambda view: (
            bool(view.json("structured_outputs_config").get("reasoning_parser"))
            and not view.given("reasoning_parser_plugin")
            and view.unregistered(
                "reasoning_parsers", str(view.json("structured_outputs_config")["reasoning_parser"])
            )
        ),
        lambda view: (
            "structured_outputs_config names an unknown reasoning parser; it has"
            f" {_names(view, 'reasoning_parsers')}, others only by a plug-in."
        ),
        "one of them",
        since="0.11.1",
    ),
    row(
        "tool_parser_missing",
        "enable_auto_tool_choice",
        "entrypoints/common/cli_args.py:554 (0.33.0)",
        lambda view: view.flag("enable_auto_tool_choice") and not view.text("tool_call_parser"),
        lambda view: "enable_auto_tool_choice needs tool_call_parser.",
        "tool_call_parser: the one of the model's family, e.g. hermes",
    ),
)

RULES = rules_of(globals())
