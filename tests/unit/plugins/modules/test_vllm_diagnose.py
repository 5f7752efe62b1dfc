from __future__ import annotations

import json
import os
import pathlib
import typing as t

import pytest

from .as_on_a_host import run_module

ENTRY = json.dumps(
    {"MESSAGE": "ValueError: LoRA rank 64 is greater than max_lora_rank 16.", "INVOCATION_ID": "a"}
)


def ask(folder: pathlib.Path, script: str, **options: t.Any) -> dict[str, t.Any]:
    """The module as it runs on a host whose journalctl is the script."""
    journalctl = folder / "journalctl"
    journalctl.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    journalctl.chmod(0o755)
    return run_module("vllm_diagnose", folder, os.environ["PATH"], **options)


def test_the_journal_of_the_instance_is_diagnosed_and_nothing_changed(tmp_path: pathlib.Path) -> None:
    found = ask(tmp_path, f"echo '{ENTRY}'", instance="qwen")
    assert (found["failure_class"], found["unit"], found["starts"]) == ("lora", "vllm-qwen.service", 1)
    assert found["changed"] is False


def test_an_empty_journal_is_unknown(tmp_path: pathlib.Path) -> None:
    found = ask(tmp_path, "true", instance="qwen", _ansible_check_mode=True)
    assert (found["failure_class"], found["starts"]) == ("unknown", 0)


@pytest.mark.parametrize(
    ("options", "script", "message"),
    [
        ({"instance": "../etc"}, "true", "no name of an instance"),
        ({"instance": "qwen", "lines": 0}, "true", "lines: 0 is below 1"),
        ({"instance": "qwen"}, "echo no permission >&2; exit 1", "can't be read: no permission"),
    ],
)
def test_what_can_not_be_done_is_said(
    tmp_path: pathlib.Path, options: dict[str, t.Any], script: str, message: str
) -> None:
    found = ask(tmp_path, script, **options)
    assert found["failed"] is True
    assert message in found["msg"]
