"""SELinux: which hosts need the boolean, and what is said where it cannot or may not be switched on."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.selinux import (
    Mode,
    Selinux,
    judge,
    keeps_out,
)


@pytest.mark.parametrize(
    ("mode", "active", "lasting", "expected"),
    [
        pytest.param("enforcing", False, False, True, id="off"),
        pytest.param("enforcing", False, None, True, id="off, and nobody knows what follows"),
        pytest.param("enforcing", False, True, True, id="switched off by hand until the next reboot"),
        pytest.param("enforcing", True, False, True, id="on until the next reboot"),
        pytest.param("enforcing", True, True, False, id="on for good"),
        pytest.param("enforcing", True, None, False, id="on, and nobody knows what follows"),
        pytest.param("enforcing", None, False, False, id="a policy without the boolean"),
        pytest.param("permissive", False, False, False, id="permissive"),
        pytest.param("disabled", None, None, False, id="no SELinux"),
    ],
)
def test_the_boolean_is_switched_on_only_where_it_keeps_containers_out(
    mode: Mode, active: bool | None, lasting: bool | None, expected: bool
) -> None:
    assert keeps_out(Selinux(mode, active, lasting)) is expected


def test_without_servers_that_need_gpus_nothing_is_said() -> None:
    assert judge(Selinux("enforcing", None), [], may_set=True) == []


def test_a_policy_without_the_boolean_is_told_with_the_update_before_the_opt_out() -> None:
    found = judge(Selinux("enforcing", None), ["qwen", "embed"], may_set=True)
    assert [(each.code, each.severity) for each in found] == [("selinux_boolean_missing", "warning")]
    assert "qwen, embed may not open /dev/nvidia*" in found[0].message
    assert (found[0].fix or "").index("container-selinux") < (found[0].fix or "").index("label_disable")


def test_a_boolean_that_may_not_be_set_is_told_with_the_command() -> None:
    state = Selinux("enforcing", active=True, lasting=False)
    found = judge(state, ["qwen"], may_set=False)
    assert [each.code for each in found] == ["selinux_boolean_off"]
    assert "on only until the next reboot" in found[0].message
    assert "setsebool -P container_use_devices on" in (found[0].fix or "")
    assert judge(state, ["qwen"], may_set=True) == []
