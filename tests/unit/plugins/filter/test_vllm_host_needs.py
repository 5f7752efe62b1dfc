from __future__ import annotations

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.gpuops.vllm_fleet.plugins.filter.vllm_host_needs import vllm_host_needs

IMAGE = "docker.io/vllm/vllm-openai:v0.26.0"
PLAN = {"qwen": {"name": "qwen", "state": "present", "image": IMAGE, "devices": ["nvidia.com/gpu=0"]}}


def test_nothing_missing_is_no_text() -> None:
    assert vllm_host_needs(PLAN, "gpu-01") == ""


def test_a_missing_image_is_told_with_host_and_instance() -> None:
    text = vllm_host_needs(PLAN, "gpu-01", [IMAGE])
    assert "gpu-01 qwen" in text
    assert "fetch it first" in text


def test_an_unresolved_device_is_told_with_reason_and_fix() -> None:
    device = {"name": "nvidia.com/gpu=0", "message": "no CDI spec", "fix": "make one"}
    text = vllm_host_needs(PLAN, "gpu-01", unresolved_devices=[device])
    assert "no CDI spec" in text
    assert "make one" in text


@pytest.mark.parametrize("wrong", ["text", ["qwen"], None])
def test_what_is_no_plan_is_refused_without_a_traceback(wrong: object) -> None:
    with pytest.raises(AnsibleFilterError, match="as vllm_plan returns them"):
        vllm_host_needs(wrong, "gpu-01")
