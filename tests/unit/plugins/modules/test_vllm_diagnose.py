from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import typing as t

import pytest

MODULE = "ansible_collections.gpuops.vllm_fleet.plugins.modules.vllm_diagnose"
ENTRY = json.dumps(
    {"MESSAGE": "ValueError: LoRA rank 64 is greater than max_lora_rank 16.", "INVOCATION_ID": "a"}
)


def run_module(tmp_path: pathlib.Path, script: str, **options: t.Any) -> dict[str, t.Any]:
    """The module as it runs on a host whose journalctl is the script."""
    journalctl = tmp_path / "journalctl"
    journalctl.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    journalctl.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    arguments = json.dumps({"ANSIBLE_MODULE_ARGS": options})
    done = subprocess.run(
        [sys.executable, "-m", MODULE, arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return t.cast("dict[str, t.Any]", json.loads(done.stdout))


def test_the_journal_of_the_instance_is_diagnosed_and_nothing_changed(tmp_path: pathlib.Path) -> None:
    found = run_module(tmp_path, f"echo '{ENTRY}'", instance="qwen")
    assert (found["failure_class"], found["unit"], found["starts"]) == ("lora", "vllm-qwen.service", 1)
    assert found["changed"] is False


def test_an_empty_journal_is_unknown(tmp_path: pathlib.Path) -> None:
    found = run_module(tmp_path, "true", instance="qwen", _ansible_check_mode=True)
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
    found = run_module(tmp_path, script, **options)
    assert found["failed"] is True
    assert message in found["msg"]
