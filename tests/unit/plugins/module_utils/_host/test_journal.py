from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.journal import read_starts, starts_in


def entry(message: t.Any, start: str, of_systemd: bool = False) -> str:
    field = "INVOCATION_ID" if of_systemd else "_SYSTEMD_INVOCATION_ID"
    return json.dumps({"MESSAGE": message, field: start})


def test_messages_are_put_together_by_start_and_the_newest_stands_last() -> None:
    lines = [
        entry("Starting", "a", of_systemd=True),
        entry("old error", "a"),
        entry("Starting", "b", of_systemd=True),
        entry("new error", "b"),
    ]
    assert starts_in("\n".join(lines)) == ["Starting\nold error", "Starting\nnew error"]


def test_a_coloured_message_comes_as_numbers_and_is_read_as_text() -> None:
    assert starts_in(entry(list("\x1b[31mhé".encode()), "a")) == ["\x1b[31mhé"]


@pytest.mark.parametrize("line", ["", "no json", "[1]", "null"])
def test_a_line_that_is_no_entry_is_passed_over(line: str) -> None:
    assert starts_in(f"{line}\n{entry('x', 'a')}\n{line}") == ["x"]


def test_an_entry_without_a_message_does_no_harm() -> None:
    assert starts_in(json.dumps({"_SYSTEMD_INVOCATION_ID": "a", "MESSAGE": None})) == [""]


def test_the_journal_of_exactly_that_unit_is_asked_for() -> None:
    asked: list[tuple[str, ...]] = []

    def run(*command: str, env: t.Mapping[str, str] | None = None) -> Completed:
        asked.append(command)
        return Completed(command, 0, entry("x", "a"), "")

    assert read_starts(run, "vllm-qwen.service", 7) == ["x"]
    assert asked[0][:5] == ("journalctl", "--unit", "vllm-qwen.service", "--lines", "7")


def test_a_journal_that_can_not_be_read_is_an_error_in_words() -> None:
    def run(*command: str, env: t.Mapping[str, str] | None = None) -> Completed:
        return Completed(command, 1, "", "No journal files were opened due to insufficient permissions.")

    with pytest.raises(HostError, match=r"vllm-qwen\.service can't be read: No journal files"):
        read_starts(run, "vllm-qwen.service")
