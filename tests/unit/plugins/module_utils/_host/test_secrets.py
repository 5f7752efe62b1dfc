"""The salt of a host is made once, whole, and for root alone."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.secrets import salt_of

if t.TYPE_CHECKING:
    from pathlib import Path


def test_a_salt_is_made_when_it_is_asked_for_and_then_stays(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert salt_of(str(state), make=False) is None
    made = salt_of(str(state), make=True)
    assert made is not None
    assert len(made) == 32
    assert salt_of(str(state), make=True) == salt_of(str(state), make=False) == made
    assert (state / "salt").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in state.iterdir()] == ["salt"]


@pytest.mark.parametrize("left", [b"", b"half"])
def test_what_a_power_cut_left_of_a_salt_is_none(tmp_path: Path, left: bytes) -> None:
    """Versions without a salt could be guessed from, and names of secrets are readable for everybody."""
    (tmp_path / "salt").write_bytes(left)
    assert salt_of(str(tmp_path), make=False) is None
    assert len(salt_of(str(tmp_path), make=True) or b"") == 32
