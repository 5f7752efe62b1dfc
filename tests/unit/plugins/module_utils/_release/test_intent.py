"""An intent decides what another release is."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.intent import hash_of, make_intent

PARTS: dict[str, t.Any] = {
    "argv": ["m", "--port", "8000"],
    "image": "sha256:a",
    "devices": ["nvidia.com/gpu=0"],
    "mounts": ["/m:/m:ro"],
    "env": {"A": "1"},
    "secrets": {"KEY": "vllm-q-k-0a0b0c0d"},
    "limits": {"shm": "1g"},
    "network": {"listen": "127.0.0.1", "port": 8000},
    "security": {"sys_admin": True},
    "container": {"HostName": "q"},
}
OTHER: dict[str, t.Any] = {
    "argv": ["m", "--port", "8001"],
    "image": "sha256:b",
    "devices": [],
    "mounts": [],
    "env": {"A": "2"},
    "secrets": {"KEY": "vllm-q-k-ffffffff"},
    "limits": {"shm": "2g"},
    "network": {"listen": "127.0.0.1", "port": 8001},
    "security": {},
    "container": {},
}


@pytest.mark.parametrize("part", sorted(PARTS))
def test_another_value_of_any_part_is_another_intent(part: str) -> None:
    other = make_intent(**{**PARTS, part: OTHER[part]})
    assert hash_of(other) != hash_of(make_intent(**PARTS))


def test_the_order_of_keys_is_no_intent() -> None:
    turned = {
        key: dict(reversed(list(each.items()))) if isinstance(each, dict) else each
        for key, each in PARTS.items()
    }
    assert hash_of(make_intent(**turned)) == hash_of(make_intent(**PARTS))


@pytest.mark.parametrize("part", ["limits", "network", "security", "container"])
@pytest.mark.parametrize("value", [None, False])
def test_a_key_that_is_not_asked_for_is_no_intent(part: str, value: object) -> None:
    """A newer collection brings new keys with defaults, and must restart nobody."""
    more = make_intent(**{**PARTS, part: {**PARTS[part], "brand_new": value}})
    assert hash_of(more) == hash_of(make_intent(**PARTS))


def test_a_zero_is_asked_for() -> None:
    assert hash_of(make_intent(**{**PARTS, "limits": {"pids": 0}})) != hash_of(
        make_intent(**{**PARTS, "limits": {}})
    )
