"""Containers as `podman inspect` and `docker inspect` describe them."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import (
    Found,
    Tool,
    UnreadableError,
    found_from,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.inspect import read_inspect

DIGEST = "docker.io/vllm/vllm-openai@sha256:" + "a" * 64
IMAGE = {
    "Config": {"Env": ["PATH=/x", "VLLM_USAGE_SOURCE=image", "CUDA=12"], "Entrypoint": ["vllm", "serve"]},
    "RepoDigests": [DIGEST],
}
# The shape is that of Podman 5.4.2.
PODMAN = {
    "Name": "llm",
    "ImageName": "docker.io/vllm/vllm-openai:v0.26.0",
    "Image": "b" * 64,
    "Config": {
        "Cmd": ["--model", "m"], "Entrypoint": ["vllm", "serve"], "Image": "docker.io/vllm/vllm-openai:v0.26.0",
        "Env": ["PATH=/x", "VLLM_USAGE_SOURCE=mine", "CUDA=12", "A=b=c", "HOSTNAME=llm", "container=podman"],
        "CreateCommand": ["podman", "run", "-d", "--device", "nvidia.com/gpu=0", "-e", "A=b=c", "--ulimit", "memlock=-1", "x", "--model", "m"],
    },
    "HostConfig": {
        "Devices": [{"PathOnHost": "/dev/nvidiactl", "PathInContainer": "/dev/nvidia0"}], "IpcMode": "host", "ShmSize": 65536000,
        "SecurityOpt": ["label=disable"],
        "PortBindings": {"8000/tcp": [{"HostIp": "127.0.0.1", "HostPort": "8001"}]}, "NetworkMode": "bridge", "Privileged": False,
        "Ulimits": [{"Name": "RLIMIT_NOFILE", "Soft": 1, "Hard": 1}], "RestartPolicy": {"Name": "no"},
    },
    "Mounts": [{"Type": "bind", "Source": "/a", "Destination": "/b", "RW": False}],
    "NetworkSettings": {"Networks": {"podman": {}}},
}  # fmt: skip
DOCKER = {
    "Name": "/llm",
    "Image": "sha256:" + "b" * 64,
    "Config": {"Cmd": ["m"], "Entrypoint": ["bash", "-c", "x"], "Image": "vllm/vllm-openai:latest", "Env": ["A=1"], "Labels": {}},
    "HostConfig": {
        "DeviceRequests": [{"Driver": "", "Count": 0, "DeviceIDs": ["0", "2"], "Capabilities": [["gpu"]]}], "NetworkMode": "host", "Privileged": True,
        "Runtime": "runc", "ShmSize": 17179869184, "Memory": 68719476736, "CapAdd": ["SYS_NICE"], "RestartPolicy": {"Name": "always"},
        "Ulimits": [{"Name": "memlock", "Soft": -1, "Hard": -1}], "PortBindings": {}, "ReadonlyRootfs": True,
    },
    "Mounts": [{"Type": "volume", "Name": "hf", "Source": "/var/lib/docker/volumes/hf/_data", "Destination": "/hf", "RW": True}],
}  # fmt: skip


def texts(found: Found) -> set[str]:
    return {each.text() for each in found.options}


def test_a_container_of_podman_is_read_with_what_its_command_line_alone_tells() -> None:
    found = read_inspect(PODMAN, IMAGE, "podman")
    assert (found.name, found.image, found.entrypoint) == ("llm", "docker.io/vllm/vllm-openai:v0.26.0", None)
    assert found.command == ("--model", "m")
    assert found.env == {"VLLM_USAGE_SOURCE": "mine", "A": "b=c"}
    assert texts(found) == {
        "--device nvidia.com/gpu=0", "--ulimit memlock=-1", "--volume /a:/b:ro", "--publish 127.0.0.1:8001:8000/tcp", "--ipc host",
        "--security-opt label=disable",
    }  # fmt: skip


def test_a_container_of_docker_is_read_and_a_moving_tag_is_pinned() -> None:
    image = {**IMAGE, "RepoDigests": [DIGEST.replace("docker.io/", "")]}
    found = read_inspect(DOCKER, image, "docker", version="0.26.0")
    assert (found.image, found.version) == (DIGEST.replace("docker.io/", ""), "0.26.0")
    assert found.entrypoint == ("bash", "-c", "x")
    assert texts(found) == {
        "--gpus device=0,2", "--volume /var/lib/docker/volumes/hf/_data:/hf", "--network host", "--privileged", "--read-only", "--cap-add SYS_NICE",
        "--shm-size 17179869184", "--memory 68719476736", "--ulimit memlock=-1:-1", "--restart always",
    }  # fmt: skip
    assert [each.code for each in found.findings] == ["adopted_otherwise"]


def test_an_image_that_was_made_on_the_host_keeps_its_name() -> None:
    own = {"RepoDigests": ["localhost/vllm@sha256:" + "a" * 64]}
    assert (
        read_inspect({**PODMAN, "ImageName": "localhost/vllm:mine"}, own, "podman").image
        == "localhost/vllm:mine"
    )


@pytest.mark.parametrize("described", [None, [], {}, {"Config": 1}])
def test_what_is_no_container_is_told(described: t.Any) -> None:
    with pytest.raises(UnreadableError):
        read_inspect(described, {}, "podman")


@pytest.mark.parametrize("key", ["HostConfig", "Mounts", "NetworkSettings", "Name", "ImageName"])
def test_a_part_that_is_missing_or_of_another_kind_is_left_out(key: str) -> None:
    for value in (None, [], {}, "x", 1, [1]):
        read_inspect({**PODMAN, key: value}, {"Config": value, "RepoDigests": value}, "podman")


@pytest.mark.parametrize(("described", "tool"), [(PODMAN, "podman"), (DOCKER, "docker")])
def test_what_was_found_travels_as_plain_data(described: t.Any, tool: Tool) -> None:
    found = read_inspect(described, IMAGE, tool)
    assert found_from(found.as_dict()) == found
