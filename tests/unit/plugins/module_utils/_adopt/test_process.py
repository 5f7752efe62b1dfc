"""A server without a container finds in one what it had on its host."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.adopt import adopt
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.script import read_run_lines

IMAGE = "docker.io/vllm/vllm-openai:v0.26.0"


def instance(text: str) -> dict[str, t.Any]:
    adopted = adopt(read_run_lines(text, "run.sh"), {"PWD": "/srv/llm"}, image=IMAGE)
    (found,) = adopted.instances.values()
    return found


@pytest.mark.parametrize(
    ("text", "volumes"),
    [
        ("export HF_HOME=/data/hf\nvllm serve m/m", ["/data/hf:/data/hf"]),
        ("vllm serve m/m --download-dir /data/hf/", ["/data/hf:/data/hf"]),
        ("export HF_HOME=/data\nvllm serve m/m --download-dir /data/hf", ["/data:/data"]),
        ("vllm serve m/m --chat-template /data/t.jinja", ["/data/t.jinja:/data/t.jinja:ro"]),
        ("vllm serve m/m --chat-template t.jinja", ["/srv/llm/t.jinja:/srv/llm/t.jinja:ro"]),
        ("vllm serve m/m --enable-lora --lora-modules a=/data/a", ["/data/a:/data/a"]),
        ("vllm serve /data/m --served-model-name m", None),
    ],
)
def test_paths_of_the_host_are_mounted_where_they_are(text: str, volumes: list[str] | None) -> None:
    assert instance(text).get("volumes") == volumes


def test_only_exported_variables_reach_the_server_and_none_about_programs_of_the_host() -> None:
    text = (
        "export PATH=/opt/venv/bin:$PATH CUDA_HOME=/opt/cuda OMP_NUM_THREADS=4 MODEL=m/m\nLOG=/var/log/x\n"
        "NCCL_DEBUG=INFO vllm serve $MODEL"
    )
    assert instance(text)["env"] == {"OMP_NUM_THREADS": "4", "NCCL_DEBUG": "INFO"}
    assert instance("set -a\nVLLM_X=1\nset +a\nA=2\nvllm serve m/m")["env"] == {"VLLM_X": "1"}


def test_variables_of_files_are_read_where_they_are_and_told_where_not() -> None:
    text = "source .env\nexport $(grep -v '^#' two.env | xargs)\nvllm serve $MODEL"
    files = {".env": "MODEL=m/m\n", "two.env": "VLLM_X=1\n"}.get
    (found,) = read_run_lines(text, "run.sh", files=files)
    assert (found.command, found.env) == (("vllm", "serve", "m/m"), {"VLLM_X": "1"})
    (found,) = read_run_lines(text, "run.sh")
    assert [each.message.split(",")[0] for each in found.findings] == [".env", "two.env"]
