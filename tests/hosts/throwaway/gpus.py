"""Simulated GPUs: what nvidia-smi said of real kinds, and a CDI spec whose devices exist."""

from __future__ import annotations

import lzma
import re
import typing as t
from dataclasses import dataclass
from pathlib import Path

from .run import SandboxError

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
NULL_MAJOR, NULL_MINOR = 1, 3  # every simulated node is /dev/null by another name
CONTROL_NODES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")


@dataclass(frozen=True)
class Profile:
    """The GPUs of one host, as recorded."""

    name: str
    transcript: str
    uuids: tuple[str, ...]


def names() -> list[str]:
    """The profiles there are."""
    return sorted(path.name.removesuffix(".txt.xz") for path in SAMPLES.glob("*.txt.xz"))


def load(name: str) -> Profile:
    """Read a profile; its UUIDs are those that nvidia-smi -L listed."""
    if name not in names():
        raise SandboxError(f"there is no GPU profile {name!r}; there are: {', '.join(names())}")
    transcript = lzma.decompress((SAMPLES / f"{name}.txt.xz").read_bytes()).decode()
    listing = transcript.split("$ nvidia-smi -L\n")[1].split("\n$ ")[0]
    return Profile(
        name, transcript, tuple(re.findall(r"^GPU \d+: .*\(UUID: (GPU-[0-9a-f-]+)\)$", listing, re.MULTILINE))
    )


def files(profile: Profile) -> dict[str, str]:
    """Path on the host -> text."""
    return {
        "etc/cdi/nvidia.yaml": cdi_spec(profile),
        "etc/tmpfiles.d/simulated-gpu.conf": device_nodes(profile),
        "usr/share/simulated-gpu/nvidia-smi.txt": profile.transcript,
    }


def cdi_spec(profile: Profile) -> str:
    """The spec as nvidia-ctk 1.20 lays it out, without the driver's libraries and hooks."""
    gpus = [[f"/dev/nvidia{index}"] for index in range(len(profile.uuids))]
    by_index = [(f'"{index}"', nodes) for index, nodes in enumerate(gpus)]
    by_uuid = list(zip(profile.uuids, gpus))
    devices = [*by_index, *by_uuid, ("all", [node for nodes in gpus for node in nodes])]
    lines = ["---", "cdiVersion: 0.5.0", "kind: nvidia.com/gpu", "devices:"]
    for name, nodes in devices:
        lines += [f"    - name: {name}", "      containerEdits:", *_nodes(nodes, 8)]
    lines += [
        "containerEdits:",
        "    env:",
        "        - NVIDIA_VISIBLE_DEVICES=void",
        *_nodes(CONTROL_NODES, 4),
    ]
    return "\n".join([*lines, ""])


def _nodes(paths: t.Sequence[str], indent: int) -> list[str]:
    lines = [" " * indent + "deviceNodes:"]
    for path in paths:
        fields = (
            f"path: {path}",
            "type: c",
            f"major: {NULL_MAJOR}",
            f"minor: {NULL_MINOR}",
            "fileMode: 438",
            "permissions: rwm",
        )
        first, *rest = fields
        lines += [" " * (indent + 4) + f"- {first}", *(" " * (indent + 6) + field for field in rest)]
    return lines


def device_nodes(profile: Profile) -> str:
    """The nodes on the host itself, for systemd-tmpfiles."""
    paths = [*(f"/dev/nvidia{index}" for index in range(len(profile.uuids))), *CONTROL_NODES]
    return "".join(f"c+ {path} 0666 root root - {NULL_MAJOR}:{NULL_MINOR}\n" for path in paths)
