"""The GPUs of this host as nvidia-smi tells them: three calls, however many GPUs there are."""

from __future__ import annotations

import dataclasses
import re
import typing as t
from pathlib import Path
from xml.etree import ElementTree

from .gpu_processes import GpuProcess, parse_processes
from .nvidia_problems import FABRIC, GPU_LOST, NO_DEVICES, UNREADABLE, Problem, problem_of

if t.TYPE_CHECKING:
    from .command import Run

DESCRIBE = ("nvidia-smi", "-q", "-x")
CAPABILITIES = (
    "nvidia-smi",
    "--query-gpu=index,name,compute_cap,memory.total",
    "--format=csv,noheader,nounits",
)  # not in the XML
PROC = Path("/proc")
LIST = ("nvidia-smi", "-L")  # the only place that has the UUIDs of MIG devices

# Compute capability by product name, for drivers that cannot be asked (470). From NVIDIA's list of CUDA GPUs.
_BY_NAME: tuple[tuple[str, str], ...] = (
    (r"GB10\b", "12.1"),
    (r"RTX PRO \d+ Blackwell|RTX PRO \d+|RTX 50[5-9]0", "12.0"),
    (r"[GB]B300|\bB300", "10.3"),
    (r"GB200|\bB200", "10.0"),
    (r"GH200|\bH(20|100|200|800)\b", "9.0"),
    (r"\bL4\b|\bL20\b|\bL40S?\b|RTX \d+ Ada|RTX 40[5-9]0", "8.9"),
    (r"\bA(100|30|800)\b", "8.0"),
    (r"\bA(40|10G?|16|2)\b|RTX A\d+|RTX 30[5-9]0", "8.6"),
    (r"\bT4\b|RTX 20[6-8]0|Quadro RTX|GTX 16[0-9]0|TITAN RTX", "7.5"),
    (r"V100|TITAN V", "7.0"),
    (r"\bP(40|4)\b|GTX 10[0-9]0", "6.1"),
    (r"\bP100\b", "6.0"),
)


@dataclasses.dataclass(frozen=True)
class MigDevice:
    """A slice of a GPU."""

    name: str  # as CDI names it: 0:1
    uuid: str | None = None
    profile: str | None = None
    memory_total_mib: int | None = None


@dataclasses.dataclass(frozen=True)
class GpuState:
    """One GPU; what the driver does not tell is None."""

    index: int
    uuid: str | None = None
    name: str | None = None
    memory_total_mib: int | None = None
    memory_free_mib: int | None = None
    compute_capability: str | None = None
    mig_mode: str | None = None  # enabled or disabled
    mig_devices: tuple[MigDevice, ...] = ()
    pci_bus_id: str | None = None
    persistence_mode: bool | None = None
    fabric_state: str | None = None
    fabric_status: str | None = None
    processes: tuple[GpuProcess, ...] = ()


@dataclasses.dataclass(frozen=True)
class Gpus:
    """All that nvidia-smi tells of a host, and what is wrong with it."""

    gpus: tuple[GpuState, ...] = ()
    driver_version: str | None = None
    cuda_version: str | None = None
    problem: Problem | None = None


def gpus(run: Run) -> Gpus:
    """The GPUs of this host. A host without any is an answer, not an error."""
    described = run(*DESCRIBE)
    if not described.ok:
        return Gpus(problem=problem_of(described.rc, described.said))
    try:
        found = parse_description(described.stdout)
    except (ValueError, ElementTree.ParseError):
        problem = NO_DEVICES if "No devices" in described.stdout else UNREADABLE
        return Gpus(problem=problem)
    capabilities = run(*CAPABILITIES)
    found = with_capabilities(found, capabilities.stdout if capabilities.ok else "")
    if any(gpu.mig_devices for gpu in found.gpus):
        listed = run(*LIST)
        found = with_mig_names(found, listed.stdout if listed.ok else "")
    return dataclasses.replace(found, problem=_problem(found))


def parse_description(text: str) -> Gpus:
    """What ``nvidia-smi -q -x`` prints."""
    root = ElementTree.fromstring(text)
    if root.tag != "nvidia_smi_log":
        raise ValueError(f"not a log of nvidia-smi: {root.tag}")
    states = tuple(_gpu(index, node) for index, node in enumerate(root.findall("gpu")))
    return Gpus(states, _text(root, "driver_version"), _text(root, "cuda_version"))


def _gpu(index: int, node: ElementTree.Element) -> GpuState:
    mig = _text(node, "mig_mode/current_mig")
    persistence = _text(node, "persistence_mode")
    devices = [_mig_device(index, each) for each in node.findall("mig_devices/mig_device")]
    return GpuState(
        index=index,
        uuid=_text(node, "uuid"),
        name=_text(node, "product_name"),
        memory_total_mib=_mib(node, "fb_memory_usage/total"),
        memory_free_mib=_mib(node, "fb_memory_usage/free"),
        mig_mode=mig.lower() if mig else None,
        mig_devices=tuple(devices),
        pci_bus_id=_text(node, "pci/pci_bus_id") or node.get("id"),
        persistence_mode=persistence == "Enabled" if persistence else None,
        fabric_state=_text(node, "fabric/state"),
        fabric_status=_text(node, "fabric/status"),
        processes=parse_processes(node, PROC),
    )


def _mig_device(index: int, node: ElementTree.Element) -> MigDevice:
    return MigDevice(f"{index}:{_text(node, 'index')}", memory_total_mib=_mib(node, "fb_memory_usage/total"))


def with_capabilities(found: Gpus, text: str) -> Gpus:
    """The same with compute capabilities: as the driver says them, else by the name of the product."""
    said: dict[int, str] = {}
    for line in text.splitlines():
        # The name may hold a comma, so count from both ends.
        match = re.match(r"(\d+), .*, (\d+\.\d+), [^,]*$", line)
        if match:
            said[int(match.group(1))] = match.group(2)
    states = (
        dataclasses.replace(gpu, compute_capability=said.get(gpu.index) or capability_of(gpu.name))
        for gpu in found.gpus
    )
    return dataclasses.replace(found, gpus=tuple(states))


def capability_of(name: str | None) -> str | None:
    """The compute capability of a product."""
    return next((each for pattern, each in _BY_NAME if re.search(pattern, name or "", re.IGNORECASE)), None)


def with_mig_names(found: Gpus, text: str) -> Gpus:
    """The same with the UUIDs and profiles of MIG devices, which only ``nvidia-smi -L`` prints."""
    listed: dict[str, tuple[str, str]] = {}
    index = ""
    for line in text.splitlines():
        gpu = re.match(r"GPU (\d+): ", line)
        index = gpu.group(1) if gpu else index
        device = re.match(r"\s+MIG (\S+)\s+Device\s+(\d+): \(UUID: (\S+)\)", line)
        if device:
            listed[f"{index}:{device.group(2)}"] = (device.group(3), device.group(1))
    states = (
        dataclasses.replace(gpu, mig_devices=tuple(_named(each, listed) for each in gpu.mig_devices))
        for gpu in found.gpus
    )
    return dataclasses.replace(found, gpus=tuple(states))


def _named(device: MigDevice, listed: t.Mapping[str, tuple[str, str]]) -> MigDevice:
    uuid, profile = listed.get(device.name, (None, None))
    return dataclasses.replace(device, uuid=uuid, profile=profile)


def _problem(found: Gpus) -> Problem | None:
    if not found.gpus:
        return NO_DEVICES
    if any(gpu.uuid is None and gpu.memory_total_mib is None for gpu in found.gpus):
        return GPU_LOST  # a lost GPU keeps its line, but no field of it can be read
    if any(gpu.fabric_state not in (None, "Completed") for gpu in found.gpus):
        return FABRIC
    if any(gpu.fabric_state and gpu.fabric_status not in (None, "Success") for gpu in found.gpus):
        return FABRIC
    return None


def _text(node: ElementTree.Element, path: str) -> str | None:
    """A field; nvidia-smi has many words for one that it cannot tell."""
    text = (node.findtext(path) or "").strip().strip("[]")
    unknown = (
        "",
        "N/A",
        "Not Supported",
        "Insufficient Permissions",
        "Unknown Error",
        "GPU is lost",
        "Not Available",
    )
    return None if text in unknown else text


def _mib(node: ElementTree.Element, path: str) -> int | None:
    match = re.fullmatch(r"(\d+) MiB", _text(node, path) or "")
    return int(match.group(1)) if match else None
