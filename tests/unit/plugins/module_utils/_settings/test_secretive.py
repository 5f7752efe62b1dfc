"""What looks like a secret by its name is hidden everywhere by one rule."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.secretive import (
    HIDDEN,
    is_secretive,
    shown_value,
)


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("HF_TOKEN", True),
        ("--hf-token", True),
        ("env.OPENAI_API_KEY", True),
        ("--api-key", True),
        ("settings.api_key", True),
        ("AWS_SECRET_ACCESS_KEY", True),
        ("ssl_keyfile_password", True),
        ("max_num_batched_tokens", False),
        ("--num-speculative-tokens", False),
        ("ssl_keyfile", False),
        ("tokenizer", False),
    ],
)
def test_a_secret_is_known_by_its_name(name: str, secret: bool) -> None:
    assert is_secretive(name) is secret


@pytest.mark.parametrize(
    ("value", "shown"), [("hunter2", HIDDEN), (["a", "b"], HIDDEN), (True, True), (None, None), ("", "")]
)
def test_yes_no_and_nothing_are_no_secrets(value: t.Any, shown: t.Any) -> None:
    assert shown_value("HF_TOKEN", value) == shown
