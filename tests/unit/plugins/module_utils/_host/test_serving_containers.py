"""Containers that serve with vLLM and are nobody's: told to the control node without any secret."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.serving_containers import (
    serving_containers,
)

HF = "hf_0123456789abcdefghij"
GITLAB = "glpat-0123456789abcdefghij"
PROXY = "http://user:hunter2@proxy:3128"
OURS = {"io.gpuops.vllm-fleet.managed": "true"}


def described(name: str, image: str, **config: t.Any) -> dict[str, t.Any]:
    return {
        "Id": name, "Name": name, "ImageName": image, "Image": "i", "State": {"Pid": 7}, "HostConfig": {},
        "Config": {"Cmd": ["m"], "Entrypoint": ["vllm", "serve"], "Env": [], "Labels": {}, **config},
    }  # fmt: skip


def host(
    podman: list[dict[str, t.Any]], docker: list[dict[str, t.Any]] | None = None
) -> t.Callable[..., Completed]:
    """A host whose tools describe these containers; Docker is not there where None is given."""

    def run(*command: str, **_further: t.Any) -> Completed:
        there = podman if command[0] == "podman" else docker
        if there is None:
            return Completed(command, 127, "", "not found")
        if command[1] == "ps":
            return Completed(command, 0, "\n".join(each["Id"] for each in there), "")
        image = [{"Config": {"Entrypoint": ["vllm", "serve"], "Env": ["B=2"]}}]
        return Completed(command, 0, json.dumps(image if "image" in command else there), "")

    return run


def test_those_with_vllm_that_are_not_ours_are_told(tmp_path: Path) -> None:
    podman = [
        described("a", "docker.io/vllm/vllm-openai:v0.26.0"),
        described("b", "docker.io/library/redis", Cmd=[], Entrypoint=["redis"]),
        described("c", "docker.io/vllm/vllm-openai:v0.26.0", Labels=OURS),
    ]
    docker = [described("/d", "", Image="x", Cmd=["sh", "-c", "vllm serve m"])]
    found = serving_containers(host(podman, docker), proc=tmp_path)
    assert [(each.tool, each.name) for each in found] == [("podman", "a"), ("docker", "d")]


def test_a_name_that_is_not_there_is_told(tmp_path: Path) -> None:
    podman = [described("a", "vllm"), described("b", "whatever", Entrypoint=["x"])]
    assert [each.name for each in serving_containers(host(podman), ["b"], tmp_path)] == ["b"]
    with pytest.raises(HostError, match="there is no container z on this host"):
        serving_containers(host(podman), ["a", "z"], tmp_path)


def test_no_secret_leaves_the_host(tmp_path: Path) -> None:
    environment = [f"HF_TOKEN={HF}", "OTHER_TOKEN=short", f"WHATEVER={HF}", "A=1", "B=2"]
    words = ["m", "--api-key", "my-key", "--x", '{"redis_password":"pw-in-json"}', GITLAB, PROXY]
    script = ["bash", "-c", f"export HF_TOKEN={HF}; vllm serve"]
    line = ["podman", "run", "-e", f"HF_TOKEN={HF}", "--secret", f"x,target={HF}", "vllm", *words]
    one, other = serving_containers(
        host(
            [
                described(name, "vllm", Env=environment, Cmd=words, Entrypoint=entrypoint, CreateCommand=line)
                for name, entrypoint in (("a", ["vllm", "serve"]), ("b", script))
            ]
        ),
        proc=tmp_path,
    )
    everything = json.dumps([one.as_dict(), other.as_dict()])
    for secret in (HF, "short", "my-key", "pw-in-json", GITLAB, "hunter2"):
        assert secret not in everything
    assert set(one.env) == {"HF_TOKEN", "OTHER_TOKEN", "WHATEVER", "A"}
    assert one.env["A"] == "1"
    assert one.env["HF_TOKEN"] == one.env["WHATEVER"] != one.env["OTHER_TOKEN"]


def test_what_a_script_came_to_is_read_from_its_process(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "cmdline").write_bytes(
        b"/usr/bin/python3\0/usr/local/bin/vllm\0serve\0x\0--api-key\0secret-key\0"
    )
    (found,) = serving_containers(
        host([described("a", "vllm", Entrypoint=["/start.sh"], Cmd=[])]), proc=tmp_path
    )
    assert found.command == ("vllm", "serve", "x", "--api-key", "********")


def test_a_host_without_any_tool_has_none(tmp_path: Path) -> None:
    assert (
        serving_containers(
            lambda *command, **_further: Completed(command, 127, "", "not found"), proc=tmp_path
        )
        == []
    )


def test_an_answer_that_is_no_json_is_told(tmp_path: Path) -> None:
    def run(*command: str, **_further: t.Any) -> Completed:
        return Completed(command, 0, "abc", "")

    with pytest.raises(HostError, match="does not describe its containers"):
        serving_containers(run, proc=tmp_path)
