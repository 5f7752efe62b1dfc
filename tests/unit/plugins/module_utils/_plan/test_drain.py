"""How long running requests may take to end: the server is told, and systemd waits longer."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import plan_host

QWEN: dict[str, t.Any] = {"model": "Qwen/Qwen3-0.6B", "gpus": ["0"]}


def planned(version: str, **keys: t.Any) -> dict[str, t.Any]:
    instance = {**QWEN, "image": f"docker.io/vllm/vllm-openai:v{version}", **keys}
    return plan_host({"vllm_instances": {"q": instance}}, (), HostFacts((5, 4, 2))).described()["q"]


def given(instance: dict[str, t.Any]) -> str | None:
    argv = instance["argv"]
    return argv[argv.index("--shutdown-timeout") + 1] if "--shutdown-timeout" in argv else None


@pytest.mark.parametrize(
    ("version", "keys", "expected"),
    [
        ("0.18.0", {"limits": {"drain": 120}}, "120"),
        ("0.17.1", {"limits": {"drain": 120}}, None),  # its parser does not know it
        ("0.18.0", {}, None),
        ("0.18.0", {"limits": {"drain": 120}, "settings": {"shutdown_timeout": 7}}, "7"),
        (
            "0.18.0",
            {"limits": {"drain": 120}, "argv": "vllm serve m --shutdown-timeout 7", "model": None},
            "7",
        ),
    ],
)
def test_the_server_is_told_where_its_release_can_be_told(
    version: str, keys: dict[str, t.Any], expected: str | None
) -> None:
    assert given(planned(version, **keys)) == expected


@pytest.mark.parametrize(
    ("keys", "podman", "systemd"), [({}, 60, 90), ({"limits": {"drain": 120}}, 150, 180)]
)
def test_podman_and_systemd_wait_longer_than_the_server_takes(
    keys: dict[str, t.Any], podman: int, systemd: int
) -> None:
    lines = planned("0.18.0", **keys)["unit_text"].splitlines()
    assert f"StopTimeout={podman}" in lines
    assert f"TimeoutStopSec={systemd}" in lines
