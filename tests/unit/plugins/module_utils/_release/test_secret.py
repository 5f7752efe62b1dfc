"""A secret's version tells values apart and gives nothing of them away."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.secret import (
    secret_name,
    version_of,
    why_unusable,
)

SALT = b"s" * 32


def test_another_value_is_another_version() -> None:
    assert version_of("hf_one", SALT) != version_of("hf_two", SALT)


def test_the_same_value_is_the_same_version_on_one_host_and_another_elsewhere() -> None:
    assert version_of("hf_one", SALT) == version_of("hf_one", SALT)
    assert version_of("hf_one", SALT) != version_of("hf_one", b"t" * 32)


def test_the_name_holds_instance_key_and_version() -> None:
    version = version_of("hf_one", SALT)
    assert len(version) == 8
    assert secret_name("qwen", "hf", version) == f"vllm-qwen-hf-{version}"


@pytest.mark.parametrize("value", ["", "zz\n", "zz\r\n", " zz", "zz\x00"])
def test_a_value_that_was_not_meant_so_is_refused_and_not_shown(value: str) -> None:
    why = why_unusable(value)
    assert why
    assert "zz" not in why


@pytest.mark.parametrize("value", ["k", "a b", '{\n  "type": "service_account"\n}', "schlüssel"])
def test_a_value_that_can_be_meant_is_taken(value: str) -> None:
    assert why_unusable(value) is None
