"""adopt.yml as a person runs it on a file: no host is needed, nothing is overwritten, no secret is shown."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .as_a_person import ROOT, play

HF = "hf_0123456789abcdefghij"
LINE = f"docker run --gpus all -e HF_TOKEN={HF} --api-key wrong-place -p 127.0.0.1:8000:8000 vllm/vllm-openai:v0.26.0 Qwen/Qwen3-8B\n"


def adopt(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return play(folder, "gpuops.vllm_fleet.adopt", "-v", *(word for each in options for word in ("-e", each)))


@pytest.mark.skipif(not (ROOT / ".collections").is_dir(), reason="the built collection has no link to itself")
def test_a_line_is_shown_as_an_inventory_and_written_once(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(LINE, encoding="utf-8")
    first = adopt(tmp_path, "vllm_adopt_from=run.sh", "vllm_adopt_file=new.yml")
    assert first.returncode == 0, first.stdout
    assert "model: Qwen/Qwen3-8B" in first.stdout
    assert "changed=0" in first.stdout
    assert "wrong-place" not in first.stdout
    assert HF not in first.stdout + first.stderr + (tmp_path / "new.yml").read_text(encoding="utf-8")
    second = adopt(tmp_path, "vllm_adopt_from=run.sh", "vllm_adopt_file=new.yml")
    assert second.returncode != 0
    assert "is there already and is not overwritten" in second.stdout + second.stderr


@pytest.mark.skipif(not (ROOT / ".collections").is_dir(), reason="the built collection has no link to itself")
def test_what_is_no_server_ends_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "x.yml").write_text("a: [", encoding="utf-8")
    run = adopt(tmp_path, "vllm_adopt_from=x.yml")
    assert "x.yml is no YAML" in run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
