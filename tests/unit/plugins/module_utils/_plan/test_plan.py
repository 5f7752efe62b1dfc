"""A host's plan as a whole: what the inventory alone decides, and every finding with its host and instance."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding

QWEN = {"model": "Qwen/Qwen3-0.6B", "image": "a/vllm:v0.26.0", "gpus": ["0"]}


def plan(secret_keys: t.Collection[str] | None = (), **keys: t.Any) -> HostPlan:
    instance = {key: value for key, value in {**QWEN, **keys}.items() if value is not None}
    return plan_host({"vllm_instances": {"qwen": instance}}, secret_keys, HostFacts(), "gpu-01")


def argv(**keys: t.Any) -> list[str]:
    return list(plan(**keys).instances["qwen"].argv or ())


def told(made: HostPlan) -> list[Finding]:
    return [finding for finding in made.findings if finding.severity != "info"]


def codes(made: HostPlan) -> list[str]:
    return [finding.code for finding in made.findings if finding.severity != "info"]


def test_the_command_line_names_the_model_and_then_the_options_by_the_alphabet() -> None:
    assert argv(port=8001, settings={"max_num_seqs": 4, "enforce_eager": True, "dtype": "auto"}) == [
        "Qwen/Qwen3-0.6B", "--dtype", "auto", "--enforce-eager", "--host", "0.0.0.0", "--max-num-seqs", "4", "--port", "8001",
    ]  # fmt: skip


def test_with_the_network_of_its_host_a_server_listens_where_listen_says() -> None:
    assert argv(container={"Network": "host"}, listen="10.0.0.7")[1:3] == ["--host", "10.0.0.7"]


def test_behind_an_address_of_ipv6_the_server_listens_on_both() -> None:
    assert argv(listen="::1")[1:3] == ["--host", "::"]


def test_an_address_of_ipv6_wants_a_network_that_carries_it() -> None:
    (finding,) = told(plan(listen="::1"))
    assert (finding.severity, finding.code, finding.origin) == (
        "warning",
        "listen_without_ipv6",
        "vllm_instances.qwen.listen",
    )
    assert not told(plan(listen="::1", container={"Network": "six.network"}))


@pytest.mark.parametrize("name", ["host", "port", "uds"])
def test_where_a_server_listens_is_no_setting(name: str) -> None:
    made = plan(settings={name: "x"})
    (finding,) = told(made)
    assert (finding.severity, finding.code, finding.setting) == ("error", "owned_setting", name)
    assert finding.origin == f"vllm_instances.qwen.settings.{name}"


def test_the_revision_of_a_model_becomes_a_setting() -> None:
    assert "--revision" in argv(model={"repo": "a/b", "revision": "v1"})
    made = plan(model={"repo": "a/b", "revision": "v1"}, settings={"revision": "v2"})
    assert codes(made) == ["revision_twice"]


def test_a_directory_is_mounted_read_only_at_the_same_path() -> None:
    made = plan(model="/srv/qwen", settings={"served_model_name": "qwen"}, volumes=["/a:/b"])
    assert [mount.text() for mount in made.instances["qwen"].mounts] == ["/srv/qwen:/srv/qwen:ro,z", "/a:/b"]
    assert not told(made)


def test_a_directory_without_a_served_name_is_a_warning() -> None:
    made = plan(model="/srv/qwen")
    (finding,) = told(made)
    assert (finding.severity, finding.code) == ("warning", "directory_without_name")
    assert finding.fix == "settings: {served_model_name: qwen}"
    assert made.valid


def test_devices_are_named_the_way_cdi_names_them() -> None:
    made = plan(gpus=["0", "1:0"])
    assert made.instances["qwen"].devices == ("nvidia.com/gpu=0", "nvidia.com/gpu=1:0")
    assert plan(gpus=None).instances["qwen"].devices == ("nvidia.com/gpu=all",)


@pytest.mark.parametrize("opt_out", ["raw_devices", "gpus_flag"])
def test_who_opts_out_of_cdi_gets_no_cdi_device(opt_out: str) -> None:
    assert plan(security={opt_out: True}).instances["qwen"].devices == ()


def test_raw_devices_are_numbered() -> None:
    assert "raw_devices_need_indices" in codes(plan(security={"raw_devices": True}, gpus="all"))


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param({"hf"}, [], id="known"),
        pytest.param({"hff"}, ["unknown_secret"], id="unknown"),
        pytest.param((), ["unknown_secret"], id="none at all"),
        pytest.param(None, [], id="keys that planning may not look at"),
    ],
)
def test_a_secret_names_a_key_that_is_there(known: t.Any, expected: list[str]) -> None:
    made = plan(known, secrets={"HF_TOKEN": "hf"})
    assert codes(made) == expected


@pytest.mark.parametrize("name", ["Qwen", "qwen_3", "-a", "a" * 41, "qwen.3", "q/w"])
def test_the_name_of_an_instance_fits_a_unit_a_container_and_a_secret(name: str) -> None:
    made = plan_host({"vllm_instances": {name: QWEN}}, (), HostFacts())
    assert "bad_name" in codes(made)


def test_names_of_one_to_forty_characters_are_fine() -> None:
    for name in ("a", "7b", "qwen-3-5", "a" * 40):
        assert plan_host({"vllm_instances": {name: QWEN}}, (), HostFacts()).valid


def test_an_absent_instance_is_planned_with_nothing_but_its_unit() -> None:
    made = plan_host({"vllm_instances": {"old": {"state": "absent"}}}, (), HostFacts())
    described = made.described()["old"]
    assert made.valid
    assert (described["state"], described["unit_name"], described["argv"]) == (
        "absent",
        "vllm-old.service",
        None,
    )


def test_a_typo_in_an_absent_instance_is_told_as_well() -> None:
    made = plan_host({"vllm_instances": {"old": {"state": "absent", "prot": 1}}}, (), HostFacts())
    assert codes(made) == ["unknown_key"]


def test_ports_that_cannot_be_read_do_not_clash() -> None:
    twice = {"a": {**QWEN, "port": "x"}, "b": {**QWEN, "port": "x", "gpus": ["1"], "model": "m/m"}}
    assert codes(plan_host({"vllm_instances": twice}, (), HostFacts())) == ["bad_type", "bad_type"]


def test_every_finding_says_host_and_instance() -> None:
    made = plan(version=0.26, secrets={"A": "b"}, settings={"port": 1}, modle="x")
    assert len(told(made)) == 4
    assert {(finding.host, finding.instance) for finding in made.findings} == {("gpu-01", "qwen")}
    assert all(finding.origin and finding.fix for finding in told(made))


def test_an_instance_with_errors_is_still_described_with_every_key() -> None:
    good = plan().described()["qwen"]
    bad = plan(model=None, image=7).described()["qwen"]
    assert good.keys() == bad.keys()
    assert (bad["model"], bad["image"], bad["argv"]) == (None, None, None)


def test_what_only_follows_from_an_unreadable_value_is_not_told_again() -> None:
    unread = Finding("error", "plan", "template_failed", "…", origin="vllm_instances.qwen.model")
    made = plan(model=None).with_findings([unread], "gpu-01")
    assert codes(made) == ["template_failed"]


def test_a_host_without_any_instance_has_an_empty_plan() -> None:
    made = plan_host({}, (), HostFacts())
    assert (made.valid, made.instances, made.findings) == (True, {}, [])
