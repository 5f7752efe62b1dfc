"""nvidia-ctk on this host: its version, the spec it would write, and the device nodes it makes."""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t

from .._cdi import yaml_subset
from .command import HostError

if t.TYPE_CHECKING:
    from .command import Run

Version = tuple[int, int, int]

VERSION = ("nvidia-ctk", "--version")
HOOK_VERSION = ("nvidia-cdi-hook", "--version")
GENERATE = ("nvidia-ctk", "cdi", "generate", "--format=yaml")
MODPROBE = ("nvidia-modprobe", "-u", "-c", "0")
MAKE_NODES = ("nvidia-ctk", "system", "create-device-nodes", "--control-devices", "--load-kernel-modules")

_OUTPUT = "NVIDIA_CTK_CDI_OUTPUT_FILE_PATH"


@dataclasses.dataclass(frozen=True)
class Generated:
    """The spec that nvidia-ctk would write now. It ends with 0 for a partial one too: judge what is in it."""

    text: str
    data: t.Any


def version(run: Run) -> Version | None:
    """The version of the toolkit; None where there is none."""
    return _version(run, VERSION)


def hook_version(run: Run) -> Version | None:
    """The version of the program that runs inside each start of a container; None where there is none (before 1.17)."""
    return _version(run, HOOK_VERSION)


def _version(run: Run, command: tuple[str, ...]) -> Version | None:
    done = run(*command)
    if done.rc == 127:
        return None
    found = re.search(r"version v?(\d+)\.(\d+)\.(\d+)", done.stdout)
    if not done.ok or not found:
        raise HostError(f"{command[0]} does not say its version: {done.said}", done)
    major, minor, patch = found.groups()
    return int(major), int(minor), int(patch)


def generate(run: Run, environment: t.Mapping[str, str]) -> Generated:
    """What would be written, without writing it; ``environment`` is that of the refresh unit."""
    env = {name: value for name, value in environment.items() if name != _OUTPUT}
    done = run(*GENERATE, env=env)
    if not done.ok:
        raise HostError(f"nvidia-ctk makes no CDI spec: {last_error(done.stderr) or done.said}", done)
    try:
        return Generated(done.stdout, parse_spec(done.stdout))
    except ValueError as error:
        raise HostError(f"nvidia-ctk makes a CDI spec that cannot be read: {error}", done) from error


def parse_spec(text: str) -> t.Any:
    """A spec in one of the two formats that nvidia-ctk writes."""
    return json.loads(text) if text.startswith("{") else yaml_subset.parse(text)


def last_error(log: str) -> str | None:
    """The last message of nvidia-ctk's log that is an error."""
    found = re.findall(r'level=(?:error|fatal) msg="((?:[^"\\]|\\.)*)"', log)
    return found[-1].replace('\\"', '"').replace("\\n", "; ") if found else None


def make_nodes(run: Run) -> list[str]:
    """Have the control nodes made, nvidia-uvm among them, as far as this host can; what was run."""
    return [" ".join(command) for command in (MODPROBE, MAKE_NODES) if run(*command).ok]
