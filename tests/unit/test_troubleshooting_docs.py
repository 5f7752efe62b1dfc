"""The page of messages knows every failure that is diagnosed, every code of a host, and only messages that are said."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signatures import SIGNATURES

from .test_inventory_docs import generator

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guides" / "troubleshooting.md"


def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def messages() -> list[str]:
    """The first column of what the run says."""
    section = text().partition("## What the run says")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [message for row in rows for message in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


@functools.cache
def said() -> str:
    """Whatever the collection can say: its sources, with text that is broken over lines put together."""
    places = [
        path for folder in ("plugins", "roles", "playbooks") for path in (ROOT / folder).rglob("*.[py]*")
    ]
    sources = " ".join(path.read_text(encoding="utf-8") for path in places if path.suffix in (".py", ".yml"))
    return re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*f?"', "", sources))


def test_the_tables_are_the_ones_that_the_data_makes() -> None:
    assert generator("generate_troubleshooting").page(text()) == text(), (
        "run tools/generate_troubleshooting.py"
    )


def test_every_class_of_failures_has_an_entry() -> None:
    assert {each.failure_class for each in SIGNATURES if f"`{each.failure_class}`" not in text()} == set()


def test_there_are_messages_to_look_at() -> None:
    assert len(messages()) > 20


@pytest.mark.parametrize("message", messages())
def test_every_message_of_a_run_is_one_that_is_said(message: str) -> None:
    parts = [part.strip(" ,:") for part in re.split(r"…|: |\d[\d.]*|\bqwen\b", message.strip("[]"))]
    sources = said()
    assert [part for part in parts if len(part) > 3 and part not in sources] == []
