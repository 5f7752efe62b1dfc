from __future__ import annotations

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.gpuops.vllm_fleet.plugins.filter.vllm_host_needs import vllm_host_needs

IMAGE = "docker.io/vllm/vllm-openai:v0.26.0"
PLAN = {"qwen": {"name": "qwen", "state": "present", "image": IMAGE, "devices": ["nvidia.com/gpu=0"]}}


def test_nothing_missing_is_no_text() -> None:
    assert vllm_host_needs(PLAN, "gpu-01") == ""


def test_a_failed_pull_is_told_by_its_last_line_with_host_and_instance() -> None:
    pulls = [{"item": IMAGE, "msg": "Failed to pull image", "stderr": "Trying…\nError: no such host\n"}]
    text = vllm_host_needs(PLAN, "gpu-01", [IMAGE], pulls)
    assert "gpu-01 qwen" in text
    assert "pulling it failed: Error: no such host" in " ".join(text.split())


def test_a_skipped_pull_is_not_told_as_a_failed_one() -> None:
    text = " ".join(vllm_host_needs(PLAN, "gpu-01", [IMAGE], [{"item": IMAGE, "skipped": True}]).split())
    assert "pulling it failed" not in text


def test_an_unresolved_device_is_told_with_reason_and_fix() -> None:
    device = {"name": "nvidia.com/gpu=0", "message": "no CDI spec", "fix": "make one"}
    text = vllm_host_needs(PLAN, "gpu-01", unresolved_devices=[device])
    assert "no CDI spec" in text
    assert "make one" in text


@pytest.mark.parametrize("wrong", ["text", ["qwen"], None])
def test_what_is_no_plan_is_refused_without_a_traceback(wrong: object) -> None:
    with pytest.raises(AnsibleFilterError, match="as vllm_plan returns them"):
        vllm_host_needs(wrong, "gpu-01")
