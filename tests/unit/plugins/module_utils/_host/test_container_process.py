"""The API key of a server is read from its own process, wherever it came from."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.container_process import api_key


def podman(pid: str, rc: int = 0) -> t.Any:
    def run(*command: str, **_further: t.Any) -> Completed:
        return Completed(command, rc, f"{pid}\n", "")

    return run


@pytest.mark.parametrize(
    ("words", "variables", "key"),
    [
        pytest.param(
            ["serve", "m"], {"VLLM_API_KEY": "sk-secret"}, "sk-secret", id="a secret in the environment"
        ),
        pytest.param(
            ["serve", "m", "--api-key", "sk-a", "sk-b"],
            {"VLLM_API_KEY": "sk-c"},
            "sk-a",
            id="command line wins",
        ),
        pytest.param(["serve", "m"], {"HOME": "/"}, None, id="none"),
        pytest.param(["serve", "m"], {"VLLM_API_KEY": ""}, None, id="empty"),
        pytest.param(["serve", "m", "--api-key"], {}, None, id="an option without a value"),
    ],
)
def test_the_key_is_the_one_the_process_was_started_with(
    tmp_path: Path, words: list[str], variables: dict[str, str], key: str | None
) -> None:
    (tmp_path / "42").mkdir()
    (tmp_path / "42" / "cmdline").write_text("\0".join(["vllm", *words]) + "\0")
    (tmp_path / "42" / "environ").write_text("".join(f"{name}={text}\0" for name, text in variables.items()))
    assert api_key(podman("42"), "vllm-tiny", tmp_path) == key


@pytest.mark.parametrize("run", [podman("0"), podman("", rc=125), podman("43")])
def test_a_container_that_does_not_run_has_no_key(run: t.Any, tmp_path: Path) -> None:
    assert api_key(run, "vllm-tiny", tmp_path) is None
