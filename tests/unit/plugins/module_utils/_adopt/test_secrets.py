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
    shown_text,
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
        ("https_proxy", "http://me:pw", True),
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


@pytest.mark.parametrize(
    "text",
    [
        "export HF_TOKEN=hunter2 A=1",
        "MY_PASSWORD: hunter2",
        '{"api_key": "hunter2"}',
        "huggingface-cli login --token hunter2",
        "curl http://me:hunter2@proxy:3128/x",
        "use //me:hunter2@proxy",
        "me:hunter2@proxy.example.org",
    ],
)
def test_what_a_message_shows_of_a_text_holds_no_secret(text: str) -> None:
    assert "hunter2" not in shown_text(text)
    assert "********" in shown_text(text)


@pytest.mark.parametrize(
    "text", ["vllm serve m --port 1", "docker.io/x/y:v1@sha256:0a", "A=1 B=2", "http://host:80/x", ""]
)
def test_other_texts_are_shown_as_they_are(text: str) -> None:
    assert shown_text(text) == text


def test_a_variable_among_the_options_is_covered_and_a_reference_is_not() -> None:
    assert covered(["HF_TOKEN=hunter2", "A=1", "HF_TOKEN=$HF_TOKEN"], []) == [
        "HF_TOKEN=********",
        "A=1",
        "HF_TOKEN=$HF_TOKEN",
    ]
