"""The name of an instance, beside what runs already."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.name import instance_name


@pytest.mark.parametrize(
    ("name", "model", "served", "taken", "used", "expected"),
    [
        ("chat", "m/x", None, [], [], "chat"),
        ("My_Chat.1", "m/x", None, [], [], "my-chat-1"),
        ("vllm", "Qwen/Qwen3-8B", None, [], [], "qwen3-8b"),
        (None, "Qwen/Qwen3-8B", ["coder"], [], [], "coder"),
        (None, "/models/x/", "/models/x", [], [], "x"),
        ("vllm-chat", "m/x", None, [], [], "chat"),
        ("vllm-chat", "m/x", None, ["vllm-chat"], [], "x"),
        ("vllm-chat", "m/chat", None, ["vllm-chat"], [], "vllm-chat"),
        ("chat", "m/x", None, [], ["chat"], "x"),
        ("models", "m/x", None, [], [], "x"),
        (None, None, None, [], [], "vllm-server"),
        (None, None, None, [], ["vllm-server"], "vllm-server-2"),
        ("chat", "hf_0123456789abcdefghij0123", None, [], ["chat"], "chat-2"),
        ("hf_0123456789abcdefghij0123", None, None, [], [], "vllm-server"),
        ("x" * 99, None, None, [], [], "x" * 40),
    ],
)
def test_a_name_is_what_it_was_called_unless_that_would_meet_the_old_container(
    name: str | None, model: str | None, served: object, taken: list[str], used: list[str], expected: str
) -> None:
    assert instance_name(name, model, served, taken, used) == expected
