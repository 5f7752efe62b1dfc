"""Whether SELinux keeps containers from the GPUs, and what lets them in without giving up the labels of a container."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.finding import Finding
from .finding import finding

# All device nodes; container_use_xserver_devices (container-selinux 2.232) means those of GPUs alone, but lacks `map`.
BOOLEAN = "container_use_devices"
SET = ("setsebool", "-P", BOOLEAN, "on")

Mode = t.Literal["enforcing", "permissive", "disabled"]


@dataclasses.dataclass(frozen=True)
class Selinux:
    """SELinux of a host, as far as containers with GPUs are concerned."""

    mode: Mode = "disabled"
    active: bool | None = None  # the boolean now; None where the policy has none of that name
    lasting: bool | None = None  # whether it is on after a reboot; None where that cannot be read


def keeps_out(state: Selinux) -> bool:
    """Whether the boolean is to be switched on: it is off, or on only until the next reboot."""
    if state.mode != "enforcing" or state.active is None:
        return False
    return not state.active or state.lasting is False


def judge(state: Selinux, servers: t.Sequence[str], may_set: bool) -> list[Finding]:
    """What an operator has to know. Warnings: policies differ, and the proof in a container has the last word."""
    if state.mode != "enforcing" or not servers:
        return []
    who = ", ".join(servers)
    if state.active is None:
        return [
            finding(
                "selinux_boolean_missing",
                f"SELinux is enforcing, and its policy has no boolean {BOOLEAN}: {who} may not open /dev/nvidia*",
                f"update the package container-selinux (2.175 brought {BOOLEAN}); only where that cannot be done: security: "
                "{label_disable: true}",
                "warning",
                value=BOOLEAN,
            )
        ]
    if keeps_out(state) and not may_set:
        return [
            finding(
                "selinux_boolean_off",
                f"SELinux is enforcing and {BOOLEAN} is {_words(state)}: {who} may not open /dev/nvidia*",
                f"{' '.join(SET)}, which role podman does unless podman_selinux_boolean is false; or a policy of your own",
                "warning",
                value=BOOLEAN,
            )
        ]
    return []


def _words(state: Selinux) -> str:
    return "on only until the next reboot" if state.active else "off"
