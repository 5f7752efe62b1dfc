"""A host as the judgement of its CDI spec needs it: GPUs, specs, device nodes, files."""

from __future__ import annotations

import dataclasses
import os
import re
import stat
import typing as t
from pathlib import Path

from .._cdi import reading
from .._cdi.evidence import KIND, GpuNames, Host, Node, Presence, SpecFile, Trouble
from .._cdi.specs import Spec, Version, parse_spec, read_spec
from .cdi import read_devices
from .nvidia_smi import Gpus, GpuState

FILE_NAME = "nvidia.yaml"
PREFERRED = "/var/run/cdi"  # gone with a reboot, and with it what was stale
ENV_FILE = "etc/nvidia-container-toolkit/nvidia-cdi-refresh.env"
ALWAYS = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")


def target_of(directories: t.Sequence[str]) -> str:
    """Where the spec is to stand for a Podman that looks in these directories."""
    place = PREFERRED if PREFERRED in directories else directories[-1]
    return f"{place}/{FILE_NAME}"


def look(found: Gpus, podman: Version, root: str = "/") -> Host:
    """Everything that the judgement needs, from this host's files."""
    devices = read_devices(podman, root)
    host = Host(
        target=target_of(devices.directories),
        directories=devices.directories,
        specs=tuple(_spec_file(each, root) for each in devices.specs if each.kind in (None, KIND)),
        gpus=tuple(_names(gpu) for gpu in found.gpus),
        trouble=Trouble(**dataclasses.asdict(found.problem)) if found.problem else None,
        driver_version=found.driver_version,
        kernel_version=kernel_version(root),
    )
    return with_files(host, root)


def with_files(host: Host, root: str = "/") -> Host:
    """The same host, with the state of every node and file that its specs refer to."""
    nodes = {path for spec in host.specs for path in reading.node_paths(spec.data)} | set(ALWAYS)
    files = {
        path
        for spec in host.specs
        for path in (*reading.mount_paths(spec.data), *reading.hook_paths(spec.data))
    }
    return dataclasses.replace(
        host,
        nodes={path: node(path, root) for path in sorted(nodes)},
        files={path: presence(path, root) for path in sorted(files)},
    )


def candidate(path: str, text: str, data: t.Any, podman: Version) -> SpecFile:
    """A spec that is not written yet, as this Podman would read it."""
    read = read_spec(path, text, podman)
    return SpecFile(path, read.kind or KIND, read.problem, data)


def node(path: str, root: str = "/") -> Node | None:
    """A device node; None where there is nothing."""
    try:
        found = Path(root, path.lstrip("/")).stat()
    except OSError:
        return None
    kind = "c" if stat.S_ISCHR(found.st_mode) else "b" if stat.S_ISBLK(found.st_mode) else "-"
    return Node(
        kind, os.major(found.st_rdev), os.minor(found.st_rdev), stat.S_IMODE(found.st_mode), found.st_gid
    )


def presence(path: str, root: str = "/") -> Presence:
    """Whether a path is there, and can be run."""
    full = Path(root, path.lstrip("/"))
    if not full.exists():
        return "missing"
    return "program" if full.is_file() and os.access(full, os.X_OK) else "present"


def kernel_version(root: str = "/") -> str | None:
    """The version of the NVIDIA kernel module that is loaded."""
    try:
        text = Path(root, "proc/driver/nvidia/version").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = re.search(r"Kernel Module[^\d\n]*\s(\d+(?:\.\d+)+)", text)
    return found.group(1) if found else None


def env_file(root: str = "/") -> str:
    """What the host's own settings of the refresh unit say."""
    try:
        return Path(root, ENV_FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _spec_file(spec: Spec, root: str) -> SpecFile:
    full = Path(root, spec.path.lstrip("/"))
    try:
        mode = stat.S_IMODE(full.stat().st_mode)
        text = full.read_text(encoding="utf-8") if spec.kind else "null"
        data = parse_spec(full.name, text)
    except (OSError, ValueError):
        return SpecFile(spec.path, spec.kind, spec.problem)
    return SpecFile(spec.path, spec.kind, spec.problem, data, mode)


def _names(gpu: GpuState) -> GpuNames:
    slices = tuple((each.name, each.uuid) for each in gpu.mig_devices)
    return GpuNames(gpu.index, gpu.uuid, gpu.mig_mode == "enabled", slices)
