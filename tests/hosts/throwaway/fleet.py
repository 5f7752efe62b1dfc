"""Names and ports: which hosts a group has, and where they are reached."""

from __future__ import annotations

import json
import re
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

from .run import SandboxError

CHECKOUT = Path(__file__).resolve().parents[3]
# Groups live side by side. A host has ten ports: the first for SSH, the others for 8000 to 8008 of the host.
FIRST_PORT = {"demo": 22100, "test": 22200, "dev": 22300}
DEFAULT_HOSTS = ("gpu-01=rtx4090x2", "gpu-02=l4x1")
SERVER_PORTS = range(8000, 8009)
MOST_HOSTS = 9
SUITES = ("trixie", "bookworm")


@dataclass(frozen=True)
class Host:
    """One throw-away host: its name, which GPUs it pretends to have, its first port on this machine, its Debian."""

    group: str
    name: str
    profile: str
    port: int
    suite: str = field(default=SUITES[0], repr=False)  # what it is made from stands in the image's reference

    @property
    def container(self) -> str:
        """Its name in Podman."""
        return f"vllm-fleet-sandbox-{self.group}-{self.name}"

    @property
    def network(self) -> str:
        """The network of its group; firewall rules go by this name, so each group has another."""
        return f"vllm-fleet-sandbox-{self.group}"

    @property
    def published(self) -> dict[int, int]:
        """Port on 127.0.0.1 here -> port on the host."""
        servers = {self.port + 1 + index: port for index, port in enumerate(SERVER_PORTS)}
        return {self.port: 22, **servers}


def hosts(group: str, wanted: t.Sequence[str], first_port: int | None) -> list[Host]:
    """The hosts asked for as NAME=PROFILE or NAME=PROFILE@SUITE, each with its ports."""
    first = first_port or FIRST_PORT.get(group)
    if first is None:
        raise SandboxError(
            f"group {group!r} has no ports of its own; give --first-port, or take one of {', '.join(FIRST_PORT)}"
        )
    asked = [_read(text) for text in wanted or DEFAULT_HOSTS]
    if len(asked) > MOST_HOSTS or len({name for name, *_more in asked}) < len(asked):
        raise SandboxError(f"a group has at most {MOST_HOSTS} hosts, each with another name")
    return [
        Host(group, name, profile, first + 10 * place, suite)
        for place, (name, profile, suite) in enumerate(asked, start=1)
    ]


def _read(text: str) -> tuple[str, str, str]:
    """Name, GPUs and Debian of a host."""
    found = re.fullmatch(r"([a-z0-9][a-z0-9-]{0,39})=([a-z0-9-]+)(?:@([a-z]+))?", text)
    if not found or (found[3] or SUITES[0]) not in SUITES:
        raise SandboxError(
            f"{text!r} is no host: write NAME=PROFILE, as gpu-01=rtx4090x2, or with @bookworm for Debian 12"
        )
    return found[1], found[2], found[3] or SUITES[0]


def access(group: str) -> Path:
    """Where the key, the known hosts and the inventory of a group lie, in this checkout."""
    return CHECKOUT / ".sandbox" / group


def ssh_commands(group: str) -> dict[str, str]:
    """Container -> how to log in from this checkout; nothing where `up` has not run in it."""
    file = access(group) / "hosts.yml"
    if not file.exists():
        return {}
    found = json.loads(file.read_text())["gpu_hosts"]
    variables = found["vars"]
    command = (
        f"ssh {variables['ansible_ssh_common_args']} -i {variables['ansible_ssh_private_key_file']}"
        f" {variables['ansible_user']}@{variables['ansible_host']}"
    )
    ports = {name: member["ansible_port"] for name, member in found["hosts"].items()}
    return {Host(group, name, "", port).container: f"{command} -p {port}" for name, port in ports.items()}


def inventory(found: t.Sequence[Host]) -> str:
    """An Ansible inventory of these hosts (JSON is YAML)."""
    members = {host.name: {"ansible_port": host.port, "sandbox_server_port": host.port + 1} for host in found}
    place = access(found[0].group)
    options = (
        "-F none",
        "-o IdentitiesOnly=yes",
        "-o StrictHostKeyChecking=yes",
        f"-o UserKnownHostsFile={place / 'known_hosts'}",
    )
    variables = {
        "ansible_host": "127.0.0.1",
        "ansible_user": "fleet",
        "ansible_become": True,
        "ansible_python_interpreter": "/usr/bin/python3",
        "ansible_ssh_private_key_file": str(place / "id_ed25519"),
        "ansible_ssh_common_args": " ".join(options),
    }
    return json.dumps({"gpu_hosts": {"hosts": members, "vars": variables}}, indent=2) + "\n"
