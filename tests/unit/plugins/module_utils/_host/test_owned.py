"""Ours is what carries our labels; everything else that looks like vLLM is named and left alone."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import owned
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed

OURS = {
    "io.gpuops.vllm-fleet.managed": "true",
    "io.gpuops.vllm-fleet.fleet": "default",
    "io.gpuops.vllm-fleet.instance": "qwen",
    "PODMAN_SYSTEMD_UNIT": "vllm-qwen.service",
}


def described(
    name: str, labels: dict[str, str], image: str = "docker.io/vllm/vllm-openai:v1"
) -> dict[str, t.Any]:
    return {
        "Id": name, "Name": name, "Path": "vllm", "Args": ["serve", "m"], "ImageName": image, "Image": "a" * 64,
        "State": {"Running": True, "Pid": 7, "StartedAt": "x"}, "Config": {"Labels": labels}, "OCIConfigPath": "/c",
    }  # fmt: skip


def podman(*containers: dict[str, t.Any]) -> t.Callable[..., Completed]:
    def run(*command: str, **_further: t.Any) -> Completed:
        ids = "\n".join(each["Id"] for each in containers)
        return Completed(command, 0, ids if command[1] == "ps" else json.dumps(containers), "")

    return run


def test_labels_tell_whose_a_container_is() -> None:
    found = owned.containers(podman(described("vllm-qwen", OURS), described("vllm-hand", {})))
    assert (found["vllm-qwen"].instance, found["vllm-qwen"].fleet) == ("qwen", "default")
    assert found["vllm-qwen"].unit == "vllm-qwen.service"
    assert found["vllm-qwen"].command == ("vllm", "serve", "m")
    assert found["vllm-hand"].instance is None


def test_a_host_without_podman_has_no_containers() -> None:
    assert owned.containers(lambda *command, **_further: Completed(command, 127, "", "not found")) == {}


def test_what_looks_like_vllm_and_is_not_ours_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "vllm-hand.container").write_text("[Container]\nImage=vllm:1\n")
    (tmp_path / "web.container").write_text("[Container]\nImage=nginx\n")
    (tmp_path / "llm.container").write_text("[Container]\nImage=docker.io/vllm/vllm-openai:v1\n")
    theirs = {**OURS, "io.gpuops.vllm-fleet.fleet": "theirs", "io.gpuops.vllm-fleet.instance": "x"}
    run = podman(described("vllm-qwen", OURS), described("vllm-hand", {}), described("vllm-x", theirs))
    told = owned.foreign(owned.look(run, str(tmp_path)), "default")
    assert [(each["kind"], each["name"], each["fleet"]) for each in told] == [
        ("container", "vllm-hand", None),
        ("container", "vllm-x", "theirs"),
        ("unit", "llm", None),
    ]


def test_a_tag_of_ours_names_its_instance_and_a_digest_is_no_tag() -> None:
    names = ["localhost/vllm-fleet/qwen:3", "localhost/vllm-fleet/qwen@sha256:0", "localhost/vllm:1"]
    assert [(each.name, each.instance) for each in owned.tags(names)] == [
        ("localhost/vllm-fleet/qwen:3", "qwen")
    ]
