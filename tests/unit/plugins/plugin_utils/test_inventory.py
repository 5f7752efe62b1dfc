"""Reading a host's variables: templated by Ansible itself, except for the secrets."""

from __future__ import annotations

import typing as t

import pytest
from ansible import template
from ansible.parsing.dataloader import DataLoader

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.inventory import Inventory, read_inventory


def trusted(value: t.Any) -> t.Any:
    """As a value out of an inventory file: its texts may be templates."""
    if isinstance(value, dict):
        return {key: trusted(each) for key, each in value.items()}
    if isinstance(value, list):
        return [trusted(each) for each in value]
    # Before ansible-core 2.19 every text may be.
    trust = getattr(template, "trust_as_template", str)
    return trust(value) if isinstance(value, str) else value


def read(taken: dict[str, t.Any] | None = None, **variables: t.Any) -> Inventory:
    raw = trusted(variables)
    return read_inventory(raw, template.Templar(loader=DataLoader(), variables=raw), taken)


def test_what_planning_reads_is_templated_into_plain_builtins() -> None:
    found = read(name="qwen", vllm_instances={"a": {"model": "m/{{ name }}", "port": "{{ 8000 + 1 }}"}})
    # Before ansible-core 2.19 what a template makes is text.
    number = 8001 if hasattr(template, "trust_as_template") else "8001"
    assert found.variables == {"vllm_instances": {"a": {"model": "m/qwen", "port": number}}}
    assert type(found.variables["vllm_instances"]["a"]["model"]) is str


def test_variables_of_other_people_are_not_looked_at() -> None:
    found = read(vllm_hosts="{{ undefined }}", other="{{ undefined }}", vllm_overrides__x={})
    assert found.variables == {"vllm_overrides__x": {}}
    assert not found.findings


def test_of_secrets_only_the_keys_are_read() -> None:
    found = read(vllm_secrets={"hf": "{{ lookup('file', '/nonexistent') }}", "b": "{{ undefined }}"})
    assert found.secret_keys == ("hf", "b")
    assert "vllm_secrets" not in found.variables
    assert not found.findings


def test_secrets_that_one_template_makes_are_not_expanded_for_their_keys() -> None:
    found = read(vllm_secrets="{{ lookup('file', '/nonexistent') }}")
    assert found.secret_keys is None
    assert [finding.code for finding in found.findings] == ["secret_keys_unknown"]


@pytest.mark.parametrize(("secrets", "keys"), [(None, ()), ({}, ())])
def test_no_secrets_are_no_keys(secrets: t.Any, keys: tuple[str, ...]) -> None:
    assert read(vllm_secrets=secrets).secret_keys == keys
    assert read().secret_keys == ()


def test_secrets_of_the_wrong_shape_are_told() -> None:
    (finding,) = read(vllm_secrets=["hf"]).findings
    assert (finding.severity, finding.code, finding.origin) == (
        "error",
        "layer_not_a_mapping",
        "vllm_secrets",
    )


def test_every_template_that_fails_is_told_at_its_place_and_the_rest_is_read() -> None:
    found = read(
        vllm_instances={
            "a": {"model": "{{ no_model }}", "port": 8000, "gpus": ["0", "{{ no_gpu }}"]},
            "b": {"settings": {"max_num_seqs": "{{ no_number }}"}},
        }
    )
    assert [(finding.origin, finding.instance, finding.setting) for finding in found.findings] == [
        ("vllm_instances.a.model", "a", "model"),
        ("vllm_instances.a.gpus[1]", "a", "gpus[1]"),
        ("vllm_instances.b.settings.max_num_seqs", "b", "max_num_seqs"),
    ]
    assert all("undefined" in finding.message for finding in found.findings)
    assert found.variables["vllm_instances"] == {"a": {"port": 8000, "gpus": ["0"]}, "b": {"settings": {}}}


def test_an_option_takes_the_place_of_its_variable() -> None:
    found = read({"vllm_instances": {"b": {}}}, vllm_instances={"a": {}}, vllm_defaults={"image": "i"})
    assert found.variables == {"vllm_instances": {"b": {}}, "vllm_defaults": {"image": "i"}}


def test_secrets_given_as_an_option_are_keys_as_well() -> None:
    assert read({"vllm_secrets": {"a": "x"}}, vllm_secrets={"b": "y"}).secret_keys == ("a",)
