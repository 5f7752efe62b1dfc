"""What lies open of a server is told: its address, secrets on its command line, namespaces of the host."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host

QWEN = {"image": "a/vllm:v0.26.0", "gpus": ["0"], "model": "m/m"}
OF_EXPOSURE = {"open_without_key", "routes_without_key", "secret_in_settings", "security_opt_out"}


def plan(**keys: t.Any) -> HostPlan:
    return plan_host({"vllm_instances": {"qwen": {**QWEN, **keys}}}, ("key",), HostFacts(), "gpu-01")


def codes(made: HostPlan) -> list[str]:
    return [finding.code for finding in made.findings if finding.code in OF_EXPOSURE]


@pytest.mark.parametrize(
    ("listen", "secrets", "code"),
    [
        ("127.0.0.1", {}, []),
        ("127.0.0.9", {}, []),
        ("::1", {}, []),
        ("0.0.0.0", {}, ["open_without_key"]),
        ("10.0.0.4", {"HF_TOKEN": "key"}, ["open_without_key"]),
        ("10.0.0.4", {"VLLM_API_KEY": "key"}, ["routes_without_key"]),
    ],
)
def test_a_server_that_others_reach_is_told(listen: str, secrets: dict[str, str], code: list[str]) -> None:
    assert codes(plan(listen=listen, secrets=secrets)) == code


@pytest.mark.parametrize(
    ("version", "known"), [("0.32.0", True), ("0.9.0", True), ("0.33.0", False), ("latest", False)]
)
def test_of_a_release_that_was_not_tried_the_finding_says_so(version: str, known: bool) -> None:
    made = plan(image=f"a/vllm:{version}", listen="10.0.0.4", secrets={"VLLM_API_KEY": "key"})
    (message,) = [each.message for each in made.findings if each.code == "routes_without_key"]
    assert "/invocations" in message
    assert ("of this release that is not known" in message) is not known


@pytest.mark.parametrize(
    "keys",
    [
        {"settings": {"api_key": "hunter2"}},
        {"settings": {"api-key": ["hunter2", "hunter3"]}},
        {"settings": {"hf_token": "hunter2"}},
        {"argv": "m/m --api-key hunter2"},
        {"argv": "m/m --api-key=hunter2 --max-num-seq 4"},
        {"argv": ["m/m", "--api_key", "hunter2"], "settings": {}},
    ],
)
def test_a_secret_on_the_command_line_is_an_error_that_does_not_repeat_it(keys: dict[str, t.Any]) -> None:
    made = plan(**keys)
    assert not made.valid
    assert "hunter" not in repr([finding.as_dict() for finding in made.findings])
    if "argv" not in keys or "settings" not in keys:
        assert codes(made) == ["secret_in_settings"]


def test_a_switch_is_no_secret() -> None:
    assert codes(plan(settings={"hf_token": True})) == []


@pytest.mark.parametrize(
    ("container", "said"),
    [
        ({"Network": "host"}, "container.Network shares the host's network namespace"),
        ({"PodmanArgs": "--ipc=host"}, "container.PodmanArgs shares the host's ipc namespace"),
        ({"PodmanArgs": ["--pid host", "--name x"]}, "container.PodmanArgs shares the host's pid namespace"),
    ],
)
def test_a_namespace_of_the_host_is_told(container: dict[str, t.Any], said: str) -> None:
    messages = [
        each.message for each in plan(container=container).findings if each.code == "security_opt_out"
    ]
    assert len(messages) == 1
    assert messages[0].startswith(said)


def test_a_namespace_of_its_own_is_not_told() -> None:
    assert codes(plan(container={"Network": "llm.network", "PodmanArgs": "--ipc=private"})) == []
