"""Files are told apart by what is in them; whatever they hold, there is an answer that says something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import UnreadableError
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.adopt_files import read_file

IMAGE = "vllm/vllm-openai:v0.26.0"
COMPOSE = f"""
x-llm: &llm
  image: {IMAGE}
  env_file: llm.env
services:
  a:
    <<: *llm
    command: ["${{M}}"]
    ports: !reset []
  web: {{image: nginx}}
"""
INSPECT = [{"Name": "a", "Config": {"Image": IMAGE, "Cmd": ["m"]}, "HostConfig": {}}]


@pytest.mark.parametrize(
    ("name", "text", "source", "command"),
    [
        ("run.sh", f"docker run {IMAGE} $M", "run.sh", ("m",)),
        ("pasted.txt", f"$ podman run --env-file llm.env {IMAGE} m", "pasted.txt", ("m",)),
        ("compose.yaml", COMPOSE, "compose.yaml: service a", ("m",)),
        ("llm.container", f"[Container]\nImage={IMAGE}\nExec=m\n", "llm.container", ("m",)),
        ("llm.service", f"[Service]\nExecStart=/usr/bin/podman run {IMAGE} m\n", "llm.service", ("m",)),
        ("inspect.json", json.dumps(INSPECT), "container a", ("m",)),
    ],
)
def test_a_file_is_read_as_what_it_is(
    tmp_path: Path, name: str, text: str, source: str, command: tuple[str, ...]
) -> None:
    (tmp_path / ".env").write_text("M=m\n")
    (tmp_path / "llm.env").write_text("A=1\n")
    (tmp_path / name).write_text(text, encoding="utf-8")
    (found,) = read_file(tmp_path / name, {"M": "m"})
    assert (found.source, found.command) == (source, command)
    assert ("A" in found.env) is ("llm.env" in text)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yml", "a: [", "is no YAML"),
        ("a.yml", "a: b", "no compose file"),
        ("a.yml", "- a", "there is no"),
        ("a.json", "{", "begins like JSON and is none"),
        ("a.json", "[]", "no answer of"),
        ("a.sh", "", "it is empty"),
        ("a.sh", "\x00\x01", "there is no"),
        ("a.container", "x", "is no unit"),
    ],
)
def test_what_holds_no_server_is_told(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableError, match=message):
        read_file(tmp_path / name, {})


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(UnreadableError, match="cannot be read"):
            read_file(path, {})
