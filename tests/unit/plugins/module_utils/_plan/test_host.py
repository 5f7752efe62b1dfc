"""What shows only when the instances of a host are looked at together."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import plan_host

UUID = "GPU-1d2e3f40-0000-1111-2222-333344445555"
FACTS = HostFacts(
    gpus=({"index": 0, "uuid": UUID}, {"index": 1, "uuid": "GPU-aaaaaaaa-0000-0000-0000-000000000000"})
)
COMMON = {"image": "a/vllm:v0.26.0"}


def found(
    first: dict[str, t.Any],
    second: dict[str, t.Any],
    defaults: dict[str, t.Any] | None = None,
    facts: HostFacts | None = None,
) -> list[tuple[str, str | None]]:
    variables = {
        "vllm_defaults": {**COMMON, **(defaults or {})},
        "vllm_instances": {
            "a": {"model": "m/a", "port": 8000, "gpus": ["0"], **first},
            "b": {"model": "m/b", "port": 8001, "gpus": ["1"], **second},
        },
    }
    findings = plan_host(variables, (), facts or HostFacts()).findings
    return [(finding.code, finding.setting) for finding in findings if finding.severity == "error"]


def share(value: float) -> dict[str, t.Any]:
    return {"gpus": ["0"], "settings": {"gpu_memory_utilization": value}}


def test_two_instances_that_share_nothing_are_fine() -> None:
    assert found({}, {}) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param({"port": 8001}, {}, id="one address"),
        pytest.param({"port": 8001, "listen": "0.0.0.0"}, {}, id="every address and one"),
        pytest.param({"port": 8001, "listen": "::"}, {"listen": "10.0.0.1"}, id="every address, IPv6"),
    ],
)
def test_one_port_of_one_address_serves_one_instance(
    first: dict[str, t.Any], second: dict[str, t.Any]
) -> None:
    assert found(first, second) == [("port_twice", "port")]


def test_one_port_of_two_addresses_serves_two() -> None:
    assert found({"port": 8001, "listen": "10.0.0.1"}, {"listen": "10.0.0.2"}) == []


@pytest.mark.parametrize(
    ("first", "second", "setting"),
    [
        pytest.param({"model": "m/b"}, {}, "model", id="one model twice"),
        pytest.param(
            {"settings": {"served_model_name": ["x", "chat"]}},
            {"settings": {"served_model_name": "chat"}},
            "served_model_name",
            id="one of several names",
        ),
    ],
)
def test_one_name_behind_one_address_means_one_server(
    first: dict[str, t.Any], second: dict[str, t.Any], setting: str
) -> None:
    assert found(first, second) == [("served_name_twice", setting)]


def test_one_model_under_two_names_is_fine() -> None:
    assert found({"model": "m/b", "settings": {"served_model_name": "other"}}, {}) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(["0"], ["0"], id="the same index"),
        pytest.param("all", ["1"], id="all and one"),
        pytest.param(["0", "1"], ["1", "2"], id="one of several"),
        pytest.param(["1:0"], ["1:0"], id="a MIG device"),
    ],
)
def test_a_gpu_belongs_to_one_instance(first: t.Any, second: t.Any) -> None:
    assert found({"gpus": first}, {"gpus": second}) == [("gpu_shared", "gpus")]


def test_the_message_names_the_gpu_that_is_shared() -> None:
    variables = {
        "vllm_defaults": COMMON,
        "vllm_instances": {"a": {"model": "m/a"}, "b": {"model": "m/b", "port": 8001, "gpus": ["3"]}},
    }
    findings = plan_host(variables, (), HostFacts()).findings
    assert [
        "a and b name the same GPU (3)" in each.message for each in findings if each.code == "gpu_shared"
    ] == [True]


def test_two_instances_that_name_no_gpu_both_take_all() -> None:
    assert found({"gpus": None}, {"gpus": None}) == [("gpu_shared", "gpus")]


def test_servers_without_a_gpu_share_none() -> None:
    assert found({"gpus": []}, {"gpus": []}) == []


def test_an_index_and_a_uuid_of_one_gpu_meet_once_the_facts_are_known() -> None:
    assert found({"gpus": ["0"]}, {"gpus": [UUID]}) == []
    assert found({"gpus": ["0"]}, {"gpus": [UUID]}, facts=FACTS) == [("gpu_shared", "gpus")]


def test_two_names_of_one_mig_device_meet_as_well() -> None:
    device = {"name": "0:1", "uuid": "MIG-1d2e3f40-0000-1111-2222-333344445555"}
    facts = HostFacts(gpus=({"index": 0, "uuid": UUID, "mig_devices": [device]},))
    assert found({"gpus": ["0:1"]}, {"gpus": [device["uuid"]]}, facts=facts) == [("gpu_shared", "gpus")]
    assert found({"gpus": ["0:1"]}, {"gpus": ["0:2"]}, facts=facts) == []


def test_sharers_that_each_claim_their_part_may_share() -> None:
    assert found(share(0.5), share(0.5)) == []
    assert found(share(0.6), share(0.4)) == []


def test_sharers_cannot_claim_more_than_there_is() -> None:
    assert found(share(0.6), share(0.5)) == [("gpu_overcommitted", "gpu_memory_utilization")]


def test_a_share_that_the_defaults_give_to_everybody_is_no_claim() -> None:
    defaults = {"settings": {"gpu_memory_utilization": 0.4}}
    assert found({"gpus": ["0"]}, {"gpus": ["0"]}, defaults) == [("gpu_shared", "gpus")]
    assert found(share(0.4), {"gpus": ["0"]}, defaults) == [("gpu_shared", "gpus")]


def test_bytes_of_cache_are_a_claim_too() -> None:
    claim = {"gpus": ["0"], "settings": {"kv_cache_memory_bytes": "4G"}}
    assert found(claim, claim) == []


def test_an_absent_instance_holds_nothing() -> None:
    assert found({"state": "absent", "port": 8001, "gpus": ["1"]}, {}) == []


def test_a_gpu_that_the_host_does_not_have_is_told_once_the_facts_are_known() -> None:
    assert found({"gpus": ["7"]}, {}, facts=FACTS) == [("gpu_not_there", "gpus")]
    assert found({"gpus": ["7"]}, {}) == []
