"""What is secret is told by its name and by what it looks like."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found, Option, Secret
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.secrets import (
    covered,
    is_secret,
    keyed,
    secrets_as_files,
    secrets_of_podman,
    veiled_settings,
)


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("HF_TOKEN", "x", True),
        ("HUGGING_FACE_HUB_TOKEN", None, True),
        ("VLLM_API_KEY", "x", True),
        ("AWS_SECRET_ACCESS_KEY", "x", True),
        ("AWS_ACCESS_KEY_ID", "x", True),
        ("WHATEVER", "hf_0123456789abcdefghij", True),
        ("HTTPS_PROXY", "http://me:pw@proxy:3128", True),
        ("HTTPS_PROXY", "http://proxy:3128", False),
        ("REDIS_URL", "redis://:pw@redis", True),
        ("BASIC_AUTH", "a", True),
        ("NCCL_DEBUG", "INFO", False),
        ("VLLM_USE_TOKEN", "1", False),
        ("MAX_TOKENS", "5", False),
    ],
)
def test_a_secret_is_told_from_a_setting(name: str, value: str | None, secret: bool) -> None:
    assert is_secret(name, value) is secret


def test_two_values_of_one_variable_get_two_keys() -> None:
    own = keyed([Secret("HF_TOKEN", "hf_token", "x", "b")], "qwen-2", {"hf_token": "a"})
    assert [each.key for each in own] == ["qwen_2_hf_token"]
    assert [
        each.key for each in keyed([Secret("HF_TOKEN", "hf_token", "x", "a")], "q", {"hf_token": "a"})
    ] == ["hf_token"]
    assert "secret_value" not in repr(Secret("A", "a", "x", "secret_value"))


def test_secrets_that_podman_holds_are_named() -> None:
    options = (Option("--secret", "tok,type=env,target=HF_TOKEN"), Option("--secret", "file"))
    assert [
        (each.variable, each.key) for each in secrets_of_podman(Found("x", "podman", options=options))
    ] == [("HF_TOKEN", "hf_token")]


def test_a_secret_that_is_a_file_is_told() -> None:
    options = (Option("--secret", "tls"), Option("--secret", "a,type=env"))
    (finding,) = secrets_as_files(Found("x", "podman", options=options))
    assert (finding.code, "tls" in finding.message) == ("adoption_loses", True)


def test_secrets_inside_json_options_become_templates() -> None:
    value = {
        "connector": "x",
        "extra": [{"redis_password": "pw"}],
        "eos_token": "</s>",
        "url": "redis://:pw@h",
    }
    kept, hidden = veiled_settings(value)
    assert kept == {
        "connector": "x", "extra": [{"redis_password": "{{ vault_redis_password }}"}], "eos_token": "</s>", "url": "{{ vault_url }}",
    }  # fmt: skip
    assert hidden == ["redis_password", "url"]


def test_a_secret_at_a_wrong_place_is_covered() -> None:
    data = {"a": ["x hf_0123456789abcdefghij y", 1, None], "my-own-value": "my-own-value"}
    assert covered(data, [Secret("A", "a", "x", "my-own-value")]) == {
        "a": ["x ******** y", 1, None],
        "********": "********",
    }
