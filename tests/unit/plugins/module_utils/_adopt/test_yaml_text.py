"""YAML that says exactly what it was given, for every reader of YAML 1.1."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.yaml_text import block, scalar

TEXTS = [
    "", " ", "a", "a b", "a: b", "a #b", "#a", "- a", "yes", "No", "null", "~", "1", "1.0", "1e5", "0x1f", "1:0", "0:8000:8000", "2024-01-01", "a,b",
    "{a}", "[a]", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">", "'", '"', "\\", "\n",
    "\t", "\x00", "\x7f", "\x80", "\u2028", "\ufeff", "ü", "😀", "{{ a }}", "{% a %}",
    "/a:/b:ro", "a:", "v0.26.0", "GPU-1", ".inf", "=", "<<", "0.0.0.0",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_stays_what_it_is(text: str, load: t.Callable[[str], t.Any]) -> None:
    data = {"a": {"b": text, "c": [text, {"d": text}], text: 1}}
    assert load(block(data)) == data


@pytest.mark.parametrize(
    "value", [0, -1, 1.5, 1e-05, 1e22, float("inf"), True, False, None, [], {}, [[]], {"a": {"b": {"c": {}}}}]
)
def test_a_value_keeps_its_kind(value: t.Any, load: t.Callable[[str], t.Any]) -> None:
    data = {"a": {"b": value, "c": [value]}}
    assert load(block(data)) == data
    assert repr(load(scalar(value))) == repr(value) or isinstance(value, (list, dict))


def test_only_what_ansible_would_template_is_marked() -> None:
    assert scalar("{{ messages }}") == '!unsafe "{{ messages }}"'
    assert scalar("{{ vault_token }}") == '"{{ vault_token }}"'
    assert scalar("qwen") == "qwen"
