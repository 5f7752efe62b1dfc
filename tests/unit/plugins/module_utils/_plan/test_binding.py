"""The plan of an instance bound to its host: the text of the unit, and the intent behind it."""

from __future__ import annotations

import dataclasses
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts, read_facts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.unit import parse_unit

IMAGE = "docker.io/vllm/vllm-openai:v0.26.0"
DIGEST = "sha256:" + "a" * 64
QWEN: dict[str, t.Any] = {
    "model": "Qwen/Qwen3-0.6B",
    "image": IMAGE,
    "gpus": ["0"],
    "secrets": {"HF_TOKEN": "hf"},
    "env": {"A": "1"},
}
HAS = {"Qwen/Qwen3-0.6B": "c" * 40}
BOUND = HostFacts((5, 4, 2), {IMAGE: DIGEST}, secret_versions={"hf": "0123abcd"}, model_revisions=HAS)


def made(facts: HostFacts = BOUND, **keys: t.Any) -> HostPlan:
    return plan_host({"vllm_instances": {"qwen": {**QWEN, **keys}}}, ("hf",), facts)


def described(facts: HostFacts = BOUND, **keys: t.Any) -> dict[str, t.Any]:
    return made(facts, **keys).described()["qwen"]


def lines(facts: HostFacts = BOUND, **keys: t.Any) -> list[str]:
    return str(described(facts, **keys)["unit_text"]).splitlines()


def intent(facts: HostFacts = BOUND, **keys: t.Any) -> str | None:
    value = described(facts, **keys)["intent_hash"]
    return None if value is None else str(value)


def test_a_bound_unit_names_the_image_by_digest_and_the_secret_by_version() -> None:
    text = lines()
    assert f"Image=docker.io/vllm/vllm-openai@{DIGEST}" in text
    assert "Secret=vllm-qwen-hf-0123abcd,type=env,target=HF_TOKEN" in text
    assert "AddDevice=nvidia.com/gpu=0" in text
    assert "PublishPort=127.0.0.1:8000:8000" in text


def test_what_is_not_known_yet_is_shown_as_such_and_gives_no_intent() -> None:
    unbound = HostFacts((5, 4, 2))
    text = lines(unbound)
    assert "Image=docker.io/vllm/vllm-openai@(known after fetch)" in text
    assert "Secret=vllm-qwen-hf-(known after fetch),type=env,target=HF_TOKEN" in text
    assert intent(unbound) is None


def test_without_podman_there_is_no_text_but_an_intent_where_the_rest_is_known() -> None:
    facts = HostFacts(None, {IMAGE: DIGEST}, secret_versions={"hf": "0123abcd"}, model_revisions=HAS)
    assert described(facts)["unit_text"] is None
    assert intent(facts) == intent()


def test_the_text_of_a_unit_can_be_read_back() -> None:
    container = parse_unit("\n".join(lines())).section("Container")
    assert container.last("ContainerName") == "vllm-qwen"
    assert container.last("Pull") == "never"


def test_an_address_of_ipv6_is_published_in_brackets() -> None:
    assert "PublishPort=[::1]:8000:8000" in lines(listen="::1")


def test_with_the_network_of_its_host_nothing_is_published() -> None:
    assert not [line for line in lines(container={"Network": "host"}) if line.startswith("PublishPort")]


def test_limits_become_what_podman_takes() -> None:
    text = lines(
        limits={
            "shm": "8g",
            "memory": "64g",
            "pids": 0,
            "memlock": "unlimited",
            "stack": "64m",
            "nofile": 65536,
        }
    )
    assert "ShmSize=8g" in text
    assert not [line for line in text if line.startswith("PidsLimit")]
    assert [line for line in text if line.startswith("Ulimit")] == [
        "Ulimit=memlock=-1:-1",
        "Ulimit=stack=67108864:67108864",
        "Ulimit=nofile=65536:65536",
    ]


@pytest.mark.parametrize(
    ("podman", "ignored"),
    [
        pytest.param((4, 9, 3), True, id="takes the flag and gives no GPU"),
        pytest.param((5, 0, 0), False, id="the first that acts on it"),
        pytest.param(None, False, id="not known yet"),
    ],
)
def test_the_gpus_flag_is_refused_where_podman_ignores_it(
    podman: tuple[int, int, int] | None, ignored: bool
) -> None:
    found = made(HostFacts(podman), security={"gpus_flag": True}).findings
    told = [each for each in found if each.code == "gpus_flag_ignored"]
    assert bool(told) is ignored
    assert [(each.severity, each.setting, each.origin) for each in told] == [
        ("error", "security.gpus_flag", "vllm_instances.qwen.security.gpus_flag") for _each in told
    ]


def test_opt_outs_reach_the_unit() -> None:
    text = "\n".join(
        lines(
            security={
                "raw_devices": True,
                "sys_admin": True,
                "label_disable": True,
                "apparmor_unconfined": True,
            }
        )
    )
    assert "AddDevice=/dev/nvidia0" in text
    assert "AddDevice=/dev/nvidiactl" in text
    assert "nvidia.com/gpu" not in text
    assert "AddCapability=SYS_ADMIN" in text
    assert "SecurityLabelDisable=true" in text
    assert "apparmor=unconfined" in text


def test_by_default_nothing_is_given_away() -> None:
    text = "\n".join(lines())
    for word in ("SYS_ADMIN", "SecurityLabelDisable", "unconfined", "privileged", "/dev/nvidia", "--gpus"):
        assert word not in text


@pytest.mark.parametrize(
    ("podman", "keys"),
    [
        pytest.param((4, 3, 1), {}, id="no Quadlet"),
        pytest.param(
            (4, 4, 0), {"container": {"GlobalArgs": "--log-level=debug"}}, id="a key it does not know"
        ),
    ],
)
def test_what_this_podman_cannot_be_asked_is_a_finding_and_no_traceback(
    podman: tuple[int, int, int], keys: dict[str, t.Any]
) -> None:
    plan = made(HostFacts(podman, {IMAGE: DIGEST}), **keys)
    assert [
        (finding.severity, finding.stage, finding.code)
        for finding in plan.findings
        if finding.severity != "info"
    ] == [("error", "host", "unit_not_writable")]
    assert plan.described()["qwen"]["unit_text"] is None


@pytest.mark.parametrize(
    "keys",
    [
        {"settings": {"max_num_seqs": 4}},
        {"gpus": ["1"]},
        {"env": {"A": "2"}},
        {"volumes": ["/a:/b"]},
        {"limits": {"shm": "8g"}},
        {"listen": "0.0.0.0"},
        {"port": 8001},
        {"security": {"label_disable": True}},
        {"container": {"HostName": "qwen"}},
        {"secrets": {"TOKEN": "hf"}},
    ],
    ids=lambda keys: next(iter(keys)),
)
def test_another_intent_is_another_release(keys: dict[str, t.Any]) -> None:
    assert intent(**keys) != intent()


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(
            dataclasses.replace(BOUND, image_digests={IMAGE: "sha256:" + "b" * 64}),
            id="image",
        ),
        pytest.param(dataclasses.replace(BOUND, secret_versions={"hf": "ffffffff"}), id="secret"),
    ],
)
def test_another_image_or_secret_is_another_release(facts: HostFacts) -> None:
    assert intent(facts) != intent()


def test_another_podman_or_gate_or_spelling_is_not_another_release() -> None:
    assert intent(dataclasses.replace(BOUND, podman_version=(4, 9, 3))) == intent()
    assert intent(gate={"timeout": 60}) == intent()
    assert intent(settings={"max-num-seqs": 4}) == intent(settings={"max_num_seqs": 4})


def test_a_unit_of_the_same_intent_is_the_same_text() -> None:
    first = lines(settings={"a": 1, "b": {"x": 1, "y": 2}})
    second = lines(settings={"b": {"y": 2, "x": 1}, "a": 1})
    assert first == second


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"podman": "5"}, "host_facts has no key podman"),
        ({"podman_version": 5.4}, "podman_version must be a text"),
        ({"podman_version": "new"}, "podman_version must be a text"),
        ({"gpu_facts": {"0": {}}}, "gpu_facts must be a list"),
        ({"image_digests": ["a"]}, "image_digests must be a mapping"),
        ({"image_digests": {"a": 1}}, "image_digests.a must be a text"),
        ({"secret_versions": {"hf": ""}}, "secret_versions.hf must be a text"),
    ],
)
def test_facts_of_the_wrong_shape_are_told(given: dict[str, t.Any], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        read_facts(given)


def test_facts_that_are_not_there_are_unknown() -> None:
    assert read_facts(None) == HostFacts()
    assert read_facts({"podman_version": None, "image_digests": {"a": None}}) == HostFacts()
    assert read_facts({"podman_version": "4.9.4-rhel"}).podman_version == (4, 9, 4)


@pytest.mark.parametrize(
    ("keys", "written"),
    [
        ({}, ["DropCapability=all", "AddCapability=DAC_OVERRIDE", "NoNewPrivileges=true"]),
        (
            {"port": 80},
            [
                "DropCapability=all",
                "AddCapability=DAC_OVERRIDE",
                "AddCapability=NET_BIND_SERVICE",
                "NoNewPrivileges=true",
            ],
        ),
        ({"security": {"own_files_only": True}}, ["DropCapability=all", "NoNewPrivileges=true"]),
        ({"security": {"all_capabilities": True}}, ["NoNewPrivileges=true"]),
        ({"security": {"new_privileges": True}}, ["DropCapability=all", "AddCapability=DAC_OVERRIDE"]),
        (
            {"security": {"read_only": True}},
            ["DropCapability=all", "AddCapability=DAC_OVERRIDE", "NoNewPrivileges=true", "ReadOnly=true"],
        ),
        (
            {"container": {"AddCapability": ["CHOWN"]}},
            [
                "DropCapability=all",
                "AddCapability=DAC_OVERRIDE",
                "NoNewPrivileges=true",
                "AddCapability=CHOWN",
            ],
        ),
    ],
)
@pytest.mark.parametrize("podman", [(4, 4, 0), (5, 8, 0)])
def test_a_server_gets_no_more_privileges_than_it_needs_and_asks_for(
    podman: tuple[int, int, int], keys: dict[str, t.Any], written: list[str]
) -> None:
    text = lines(dataclasses.replace(BOUND, podman_version=podman), **keys)
    about = ("DropCapability", "AddCapability", "NoNewPrivileges", "ReadOnly")
    assert [line for line in text if line.startswith(about)] == written
