"""Whether a spec names exactly the GPUs that the host has, and the devices that are planned."""

from __future__ import annotations

import difflib
import typing as t

from .._settings.finding import Finding
from . import reading
from .evidence import KIND, GpuNames, Host, SpecFile
from .finding import REGENERATE, finding


def _uuids(gpu: GpuNames) -> list[str | None]:
    return [uuid for _name, uuid in gpu.slices] if gpu.mig_mode else [gpu.uuid]


def _indices(gpu: GpuNames) -> list[str]:
    return [name for name, _uuid in gpu.slices] if gpu.mig_mode else [str(gpu.index)]


def _expected(host: Host, known: t.Collection[str]) -> set[str]:
    """The names that the host's GPUs must have, in the naming that the spec uses."""
    if any(name.startswith(("GPU-", "MIG-")) for name in known):
        return {uuid for gpu in host.gpus for uuid in _uuids(gpu) if uuid}
    names = {name for gpu in host.gpus for name in _indices(gpu)}
    if any(name.startswith(("gpu", "mig")) for name in known):
        return {("mig" if ":" in name else "gpu") + name for name in names}
    return names


def every_gpu_is_named(host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    """The set of names equals the set of GPUs."""
    known = set(reading.devices(spec.data)) - {"all"}
    expected = _expected(host, known)
    kind_of_names = {
        name
        for name in known
        if name.startswith(("GPU-", "MIG-")) == any(each.startswith(("GPU-", "MIG-")) for each in expected)
    }
    missing, gone = sorted(expected - known), sorted(kind_of_names - expected)
    if any(None in _uuids(gpu) for gpu in host.gpus):
        gone = []  # the driver does not tell every name
    if missing:
        yield finding(
            "cdi_gpu_not_in_spec",
            f"{spec.path} does not know {', '.join(missing)}, which the host has",
            REGENERATE,
            value=missing,
        )
    if gone and host.gpus:
        yield finding(
            "cdi_gpu_gone",
            f"{spec.path} knows {', '.join(gone)}, which the host does not have (any more)",
            REGENERATE,
            value=gone,
        )


def indices_mean_what_the_driver_says(host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    """Index and UUID of one GPU lead to the same nodes; they drift apart when a card was added."""
    known = reading.devices(spec.data)
    for gpu in host.gpus:
        by_index, by_uuid = known.get(str(gpu.index)), known.get(gpu.uuid or "")
        if by_index is not None and by_uuid is not None and _paths(by_index) != _paths(by_uuid):
            yield finding(
                "cdi_index_differs",
                f"in {spec.path} {gpu.index} means {' '.join(_paths(by_index))}, but GPU {gpu.index} is {gpu.uuid}, "
                f"{' '.join(_paths(by_uuid))}",
                f"{REGENERATE}. UUIDs in `gpus` do not move when a card is added",
                value=str(gpu.index),
            )


def _paths(edits: reading.Mapping) -> list[str]:
    return [reading.host_path(node) for node in reading.nodes(edits)]


def slices_exist(host: Host, _spec: SpecFile) -> t.Iterator[Finding]:
    """A GPU in MIG mode without slices cannot be used at all."""
    for gpu in host.gpus:
        if gpu.mig_mode and not gpu.slices:
            yield finding(
                "mig_without_slices",
                f"GPU {gpu.index} ({gpu.uuid}) is in MIG mode and has no slices: no container can use it",
                f"make slices (`nvidia-smi mig -i {gpu.index} -cgi … -C`), or leave MIG mode "
                f"(`nvidia-smi -i {gpu.index} -mig 0`); slices do not survive a reboot on most drivers",
                "warning",
                str(gpu.index),
            )


def planned_devices_are_known(host: Host, spec: SpecFile, planned: t.Sequence[str]) -> t.Iterator[Finding]:
    """Every planned device is one that the spec knows."""
    known = [f"{KIND}={name}" for name in reading.devices(spec.data)]
    for name in planned:
        if name not in known and name.startswith(KIND + "="):
            message, fix = _why_unknown(host, name.partition("=")[2], known)
            yield finding("cdi_device_unknown", f"{name} is planned: {message}", fix, value=name)


def _why_unknown(host: Host, short: str, known: t.Sequence[str]) -> tuple[str, str]:
    gpu = next((each for each in host.gpus if short in (str(each.index), each.uuid)), None)
    if gpu is not None and gpu.mig_mode:
        slices = ", ".join(f"{name} ({uuid})" if uuid else name for name, uuid in gpu.slices)
        return (
            f"GPU {gpu.index} is in MIG mode, and a GPU in MIG mode cannot be had as a whole",
            f"write one of its slices in `gpus`: {slices}"
            if slices
            else f"make slices first, or leave MIG mode: nvidia-smi -i {gpu.index} -mig 0",
        )
    names = [each.partition("=")[2] for each in known]
    nearest = difflib.get_close_matches(short, names, 1, 0.95)
    listed = ", ".join(names) or "no device"
    return (
        f"the CDI spec knows {listed}",
        f"write {nearest[0]} in `gpus`" if nearest else "write one of those in `gpus`",
    )


NAME_RULES = (every_gpu_is_named, indices_mean_what_the_driver_says, slices_exist)
