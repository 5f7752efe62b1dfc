from __future__ import annotations

import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.needs import (
    missing_images,
    unresolved_devices,
)


def instance(name: str, **changes: t.Any) -> dict[str, t.Any]:
    return {
        "name": name,
        "state": "present",
        "image": "docker.io/vllm/vllm-openai:v0.26.0",
        "devices": ["nvidia.com/gpu=0"],
        **changes,
    }


PLAN = {
    "qwen": instance("qwen"),
    "glm": instance("glm", image="localhost/own:1", devices=["nvidia.com/gpu=1"]),
    "old": instance("old", state="absent"),
}


def test_a_missing_image_names_each_instance_that_wants_it_and_what_to_do() -> None:
    (finding,) = missing_images(PLAN, ["docker.io/vllm/vllm-openai:v0.26.0"])
    assert (finding.instance, finding.setting, finding.code, finding.stage) == (
        "qwen",
        "image",
        "image_missing",
        "host",
    )
    assert (finding.fix or "").startswith("fetch it first: fetch.yml")
    assert finding.origin == "vllm_instances.qwen.image, or a layer that sets it"


def test_an_image_of_localhost_is_told_to_have_no_registry() -> None:
    (finding,) = missing_images(PLAN, ["localhost/own:1"])
    assert "no registry" in finding.message
    assert "fetch" not in (finding.fix or "")


def test_the_origin_of_the_plan_is_used_where_it_is_given() -> None:
    plan = {"qwen": instance("qwen", origins={"image": "vllm_defaults.image"})}
    (finding,) = missing_images(plan, [plan["qwen"]["image"]])
    assert finding.origin == "vllm_defaults.image"


def test_an_unresolved_device_names_the_instance_the_reason_and_the_fix() -> None:
    lacking = [{"name": "nvidia.com/gpu=1", "message": "the CDI spec knows 0", "fix": "write 0"}]
    (finding,) = unresolved_devices(PLAN, lacking)
    assert (finding.instance, finding.setting, finding.value, finding.fix) == ("glm", "gpus", "1", "write 0")
    assert "nvidia.com/gpu=1: the CDI spec knows 0" in finding.message


def test_an_absent_instance_needs_nothing() -> None:
    assert (
        unresolved_devices({"old": PLAN["old"]}, [{"name": "nvidia.com/gpu=0", "message": "m", "fix": "f"}])
        == []
    )
