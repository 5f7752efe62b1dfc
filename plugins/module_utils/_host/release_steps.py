"""The single steps of a release on its host. What they are put together to stands in ``release_run``."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

from .._quadlet.unit import parse_unit
from .._release.gpu_memory import GpuMemory, Holder, lacking
from .._release.ownership import why_not_of, why_not_ours
from . import podman, secrets, systemd
from .cdi import read_devices
from .command import HostError
from .nvidia_smi import gpus
from .ports import listening
from .quadlet_generator import generated
from .release_files import read

if t.TYPE_CHECKING:
    from .._release.transaction import Member
    from .command import Run
    from .release_files import InstanceFiles


def image_of(unit_text: str) -> str:
    """The image that a unit names."""
    return parse_unit(unit_text).section("Container").last("Image") or ""


def refusal(
    run: Run, members: t.Sequence[Member], files_of: t.Callable[[str], InstanceFiles], fleet: str
) -> str | None:
    """Why nothing of this may be touched; None where all that is needed is there. Nothing was stopped yet."""
    leaving = [f"vllm-{member.name}.service" for member in members if member.was_active]
    for member in members:
        files = files_of(member.name)
        try:
            why = (
                _foreign(member, files, fleet)
                or _missing(run, member, files)
                or _occupied(run, member, members, leaving)
            )
        except HostError as error:
            why = str(error)
        if why:
            return f"{member.name}: {why}"
    return None


def _foreign(member: Member, files: InstanceFiles, fleet: str) -> str | None:
    """What is there and not ours to touch, by the unit, or by the record where there is no unit."""
    why = why_not_ours(read(files.unit), fleet)
    if why:
        return f"{files.unit} is left alone: {why}. Name the instance otherwise, or take that unit away first"
    why = why_not_of((member.before or {}).get("fleet"), fleet)
    if why:
        return (
            f"{files.home} is left alone: {why}. Name the instance otherwise, or remove it from there first"
        )
    return None


def _missing(run: Run, member: Member, files: InstanceFiles) -> str | None:
    """What the unit needs and this host does not have."""
    if member.record is None or member.unit_text is None:
        return None
    if podman.is_foreign_container(run, files.container):
        return (
            f"there is a container {files.container} that this collection did not make, and starting the server would"
            " remove it. Name the instance otherwise, or take that container away first"
        )
    generated(run, files, member.unit_text)
    image = image_of(member.unit_text)
    if podman.image(run, image) is None:
        return f"the image {image} is not on this host any more: fetch it again"
    intent = member.record["intent"]
    gone = [name for name in intent["secrets"].values() if not secrets.exists(run, name)]
    if gone:
        return f"Podman does not hold the secret {gone[0]} any more: release it from the inventory again"
    gone = [source for source in _directories(intent["mounts"], files) if not Path(source).exists()]
    if gone:
        return (
            f"{gone[0]} is to be mounted, and is not on this host: fetch it, or correct the model or volumes"
        )
    return _unresolved(run, [name for name in intent["devices"] if "=" in name])


def _directories(mounts: t.Iterable[str], files: InstanceFiles) -> list[str]:
    """What must be there before the start; caches are made by the release, and Podman makes named volumes."""
    sources = [source_of(mount) for mount in mounts]
    return [each for each in sources if each.startswith("/") and not each.startswith(f"{files.home}/")]


def source_of(mount: str) -> str:
    """What a mount of a record brings in, in one spelling."""
    return os.path.normpath(mount.split(":")[0])


def _unresolved(run: Run, devices: t.Sequence[str]) -> str | None:
    version = podman.version(run)
    if version is None or not devices:
        return None
    known = read_devices(version)
    for name in devices:
        reason = known.why_not(name)
        if reason is not None:
            return f"the device {name} does not resolve: {reason[0]}; {reason[1]}"
    return None


def _occupied(run: Run, member: Member, members: t.Sequence[Member], leaving: t.Sequence[str]) -> str | None:
    """Who has the port, or the GPU's memory, and is not about to be stopped."""
    if member.record is None:
        return None
    port = int(member.record["port"])
    freed = {int(each.before["port"]) for each in members if each.was_active and each.before}
    stranger = None if port in freed else listening(port)
    if stranger:
        return f"port {port} is taken by {stranger}: stop that, or give the instance another port"
    return memory_problem(run, member, leaving)


def memory_problem(run: Run, member: Member, leaving: t.Sequence[str] = ()) -> str | None:
    """Why the GPUs of a member have not the memory free that its server will ask for."""
    share = member.record.get("memory_share") if member.record else None
    if member.record is None or not member.record["devices"] or share is None:
        return None  # nvidia-smi would be asked for nothing, and while nothing serves
    names = {name.rpartition("=")[2] for name in member.record["devices"]}
    found = [
        GpuMemory(
            gpu.index,
            gpu.uuid,
            gpu.memory_total_mib,
            gpu.memory_free_mib,
            tuple(Holder(each.pid, each.name, each.used_memory_mib, each.unit) for each in gpu.processes),
        )
        for gpu in gpus(run).gpus
    ]
    return lacking(found, names, share, leaving)


def make_caches(member: Member, files: InstanceFiles) -> None:
    """The folders of a release's own that its container mounts."""
    mounts = member.record["intent"]["mounts"] if member.record else []
    for source in (source_of(mount) for mount in mounts):
        if source.startswith(f"{files.caches}/"):
            Path(source).mkdir(mode=0o755, parents=True, exist_ok=True)


def stop(run: Run, services: t.Sequence[str]) -> None:
    """Stop them together, and wait until they have stopped."""
    if services:
        systemd.stop(run, *services)


def is_active(run: Run, service: str) -> bool:
    """Whether the service runs or is about to."""
    return systemd.unit_state(run, service).active_state in ("active", "activating", "reloading")
