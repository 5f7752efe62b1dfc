"""Units that people wrote themselves."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import UnreadableError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.quadlet_unit import read_unit

UNIT = """
[Container]
Image=docker.io/vllm/vllm-openai:v0.26.0
ContainerName=llm
AddDevice=nvidia.com/gpu=0
Exec=--model m --hf-overrides '{"a": "b c"}' \\
  --chat-template "50%% $$x" --port ${PORT}
Environment=A=1 "B=2 3"
EnvironmentFile=/etc/llm.env
Secret=hf,type=env,target=HF_TOKEN
Volume=/srv/hf:/root/.cache/huggingface:Z
PublishPort=127.0.0.1:8000:8000
PodmanArgs=--shm-size=8g -e D=4
SecurityLabelDisable=true
HostName=llm
Notify=healthy
[Service]
Environment=PORT=8000
"""


def test_the_words_of_a_unit_are_undone_as_systemd_does_it() -> None:
    (found,) = read_unit(UNIT, "vllm.container", {"/etc/llm.env": "C=3"}.get)
    assert found.command == (
        "--model", "m", "--hf-overrides", '{"a": "b c"}', "--chat-template", "50% $x", "--port", "8000",
    )  # fmt: skip
    assert found.env == {"A": "1", "B": "2 3", "C": "3", "D": "4"}
    assert {f"{each.name} {each.value}" for each in found.options} == {
        "--device nvidia.com/gpu=0", "--secret hf,type=env,target=HF_TOKEN", "--publish 127.0.0.1:8000:8000", "--shm-size 8g",
        "--volume /srv/hf:/root/.cache/huggingface:Z", "--security-opt label=disable", "quadlet:HostName llm", "--sdnotify healthy",
    }  # fmt: skip


def test_names_that_are_taken_are_those_of_container_and_unit() -> None:
    (found,) = read_unit(UNIT, "vllm-qwen.container")
    assert (found.name, set(found.taken)) == ("llm", {"llm", "vllm-qwen", "systemd-vllm-qwen"})


@pytest.mark.parametrize(
    ("start", "tool", "command"),
    [
        ("/usr/bin/podman run --rm vllm/vllm-openai:v0.26.0 m", "podman", ("m",)),
        (
            "-/opt/venv/bin/vllm serve m --port $PORT",
            "none",
            ("/opt/venv/bin/vllm", "serve", "m", "--port", "9"),
        ),
    ],
)
def test_a_service_is_read_by_what_it_starts(start: str, tool: str, command: tuple[str, ...]) -> None:
    (found,) = read_unit(f"[Service]\nEnvironment=PORT=9\nExecStart={start}\n", "llm.service")
    assert (found.tool, found.command, found.name) == (tool, command, "llm")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[Unit]\nDescription=x\n", "starts nothing"),
        ("what", "is no unit"),
        ("[Container]\nImage=x\nExec='a\n", "is no unit"),
        ("[Service]\nExecStart=/usr/bin/nginx\n", "there is no"),
    ],
)
def test_what_is_no_server_is_told(text: str, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read_unit(text, "x.container")


def test_a_script_that_a_unit_starts_is_named() -> None:
    with pytest.raises(UnreadableError, match=r"take /opt/llm/start\.sh over"):
        read_unit("[Service]\nExecStart=/bin/bash /opt/llm/start.sh\n", "llm.service")


def test_mounts_of_a_unit_are_mounts() -> None:
    text = "[Container]\nImage=vllm\nMount=type=bind,source=/a,target=/b,ro\n"
    assert read_unit(text, "x.container")[0].values("--mount") == ["type=bind,source=/a,target=/b,ro"]


@pytest.mark.parametrize("line", ["Environment='TOKEN=hunter2", "Exec hunter2", "Environment=A=hunter2\\"])
def test_a_unit_that_cannot_be_read_is_told_without_what_stands_in_it(line: str) -> None:
    with pytest.raises(UnreadableError) as told:
        read_unit(f"[Container]\nImage=vllm\nExec='\n{line}\n", "x.container")
    assert "hunter2" not in str(told.value)
