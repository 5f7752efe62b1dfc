"""Short names of images."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Tool
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.image_name import full_name


@pytest.mark.parametrize(
    ("image", "tool", "full", "codes"),
    [
        ("vllm/vllm-openai:v1", "docker", "docker.io/vllm/vllm-openai:v1", []),
        ("vllm/vllm-openai:v1", "podman", "docker.io/vllm/vllm-openai:v1", ["adopted_otherwise"]),
        ("quay.io/x/y@sha256:1", "docker", "quay.io/x/y@sha256:1", []),
        ("lan:5000/y", "docker", "lan:5000/y", []),
        ("localhost/y:1", "podman", "localhost/y:1", []),
        ("docker://docker.io/x/y", "podman", "docker.io/x/y", []),
        ("vllm-node:tf5", "docker", "localhost/vllm-node:tf5", ["adoption_guesses"]),
    ],
)
def test_a_name_gets_its_registry(image: str, tool: Tool, full: str, codes: list[str]) -> None:
    found, findings = full_name(image, tool)
    assert (found, [each.code for each in findings]) == (full, codes)
