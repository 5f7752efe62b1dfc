"""A program is waited for; one that asks a driver which hangs is given up."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import command
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import plain_run
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.nvidia_smi import gpus


def test_what_a_program_says_and_reads() -> None:
    done = plain_run("sh", "-c", "cat; echo $WORD >&2; exit 3", stdin="given", env={"WORD": "told"})
    assert (done.rc, done.stdout, done.stderr) == (3, "given", "told\n")


def test_a_program_that_is_not_there_ends_with_127() -> None:
    assert plain_run("no-such-program").rc == 127


def test_a_driver_that_hangs_is_given_up_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setitem(command._MOST_SECONDS, "nvidia-smi", 0.2)
    began = time.monotonic()
    found = gpus(plain_run)
    assert time.monotonic() - began < 60
    assert found.gpus == ()
    assert found.problem is not None
    assert "nvidia-smi: no answer in 0.2 s" in found.problem.message
