"""Mounts: `-v` and `--mount` as volumes of the inventory, and where the host has a path of the container."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._plan.instance import Mount, host_path
from .._settings.finding import Finding
from .found import Found, dropped, guessed, lost, otherwise
from .substitution import whole_path

_VOLUME = re.compile(r"(?P<source>[^:]+):(?P<target>/[^:]*)(?::(?P<options>.*))?")
_NAMED = re.compile(r"[A-Za-z0-9][\w.-]*")
# Options of docker that say nothing to Podman, or what is so anyway.
_IDLE = ("rw", "cached", "delegated", "consistent", "nocopy", "rbind", "bind", "")
_HUB = ".cache/huggingface"
_HOMES = ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")
# Below root's home, where vLLM and its compilers keep what they made; the collection has folders of its own for it.
_CACHES = ("/root/.cache/vllm", "/root/.triton", "/root/.cache/torch", "/root/.cache/flashinfer", "/root/.nv")
_SHM = "/dev/shm"


@dataclasses.dataclass
class Mounts:
    """What becomes of the mounts."""

    kept: list[Mount] = dataclasses.field(default_factory=list)
    tmpfs: list[str] = dataclasses.field(default_factory=list)
    left: list[str] = dataclasses.field(default_factory=list)  # where the server had a cache of the hub
    findings: list[Finding] = dataclasses.field(default_factory=list)

    @property
    def without_hub(self) -> bool:
        """Whether the server's own cache of the hub was left out."""
        return bool(self.left)

    def leave(self, source: str, target: str) -> None:
        """A cache of the hub that the collection has no need of."""
        self.left.append(target.rstrip("/"))
        self.findings.append(_weights(source))

    def host_path(self, path: str) -> str | None:
        """Where the host has a path of the container."""
        return host_path(self.kept, path)


def mounts_of(found: Found, places: t.Mapping[str, str], texts: t.Sequence[str]) -> Mounts:
    """Read all mounts. ``places`` are HOME and PWD where they are known; ``texts`` may name paths of the container."""
    mounts = Mounts(tmpfs=list(found.values("--tmpfs")))
    for text in found.values("--volume"):
        _take(found, text, places, mounts)
    for text in found.values("--mount"):
        _take_long(found, text, places, mounts)
    for mount in list(mounts.kept):
        _leave_cache(found, mount, mounts, texts)
    return mounts


def _take(found: Found, text: str, places: t.Mapping[str, str], mounts: Mounts) -> None:
    match = _VOLUME.fullmatch(text)
    if match is None:
        mounts.findings.append(
            lost(f"the mount {text} has no source and target, so it is left out", None, "volumes")
        )
        return
    options = [each for each in (match["options"] or "").split(",") if each not in _IDLE]
    _keep(found, match["source"], match["target"], options, places, mounts)


def _take_long(found: Found, text: str, places: t.Mapping[str, str], mounts: Mounts) -> None:
    """``type=bind,source=/a,target=/b,readonly``."""
    parts = dict(part.partition("=")[::2] for part in text.split(","))
    source = parts.get("source") or parts.get("src") or ""
    target = parts.get("target") or parts.get("destination") or parts.get("dst") or parts.get("dest") or ""
    kind = parts.get("type", "volume")
    if kind == "tmpfs" and target:
        mounts.tmpfs += [] if target == _SHM else [target]
    elif kind in ("bind", "volume") and source and target.startswith("/"):
        read_only = [
            name for name in ("readonly", "ro") if name in parts and parts[name] not in ("false", "0")
        ]
        _keep(found, source, target, ["ro"] if read_only else [], places, mounts)
    else:
        mounts.findings.append(
            lost(f"--mount {text} is left out: the inventory has no word for it", None, "volumes")
        )


def _keep(
    found: Found, source: str, target: str, options: list[str], places: t.Mapping[str, str], mounts: Mounts
) -> None:
    source = _own_volume(found, source, mounts)
    if target.rstrip("/") == _SHM:
        mounts.findings.append(otherwise(f"the mount of {_SHM} is limits.shm here", "limits.shm"))
        return
    if source in ("/var/run/docker.sock", "/run/docker.sock"):
        mounts.findings.append(dropped(f"the mount of {source}: a server has no need of Docker"))
        return
    homes = [found.env.get(name) or "" for name in _HOMES]
    is_hub = _HUB in target or target.rstrip("/") in [home.rstrip("/") for home in homes if home]
    if _NAMED.fullmatch(source) and found.tool == "docker":
        if is_hub:
            mounts.leave(source, target)
            return
        message = f"{source} is a volume of Docker, and Podman makes an empty one of that name"
        fix = "write the directory that `docker volume inspect` names, or copy what is in it"
        mounts.findings.append(lost(message, fix, "volumes"))
    elif not _NAMED.fullmatch(source) and not source.startswith(("/", "$")):
        if is_hub and source.startswith("~") and "HOME" not in places:
            mounts.leave(source, target)
            return
        written, source = source, absolute(source, places)
        mounts.findings.append(
            guessed(f"{written} is taken as {source}", "write the absolute path of the host", "volumes")
        )
    elif source.startswith("$") and is_hub:
        mounts.leave(source, target)
        return
    allowed = [each for each in options if re.fullmatch(r"[\w-]+(=[\w-]+)?", each)]
    mounts.kept.append(Mount(source, target, ",".join(allowed)))


def _own_volume(found: Found, source: str, mounts: Mounts) -> str:
    """The volume that a unit of Quadlet's makes, by the name that Podman knows."""
    if found.tool != "podman" or not source.endswith(".volume"):
        return source
    name = f"systemd-{source.rpartition('.')[0]}"
    message = f"{source} is another unit: its volume is taken as {name}, as Quadlet calls it"
    mounts.findings.append(guessed(message, "the VolumeName of that unit, if it has one", "volumes"))
    return name


def absolute(source: str, places: t.Mapping[str, str]) -> str:
    """A source as shells and compose take it, from the folder and the home of whoever starts the container."""
    home, here = places.get("HOME", "/root"), places.get("PWD", "/root")
    if source == "~" or source.startswith("~/"):
        return home.rstrip("/") + source[1:]
    if source.startswith("~"):
        return "/home/" + source[1:]
    return whole_path(f"{here}/{source}")


def _weights(source: str) -> Finding:
    return dropped(
        f"{source}, the cache of Hugging Face: the collection brings the weights to vllm_state_dir before anything stops",
        "to spare the download, copy its folders hub/models--… into models below vllm_state_dir (docs/fetch.md)",
    )


def _leave_cache(found: Found, mount: Mount, mounts: Mounts, texts: t.Sequence[str]) -> None:
    """Compile caches have a folder for each image here; one that a path in the settings lies in stays."""
    target = mount.target.rstrip("/")
    named = any(text == target or target + "/" in text for text in texts)
    if named:
        return
    if _HUB in target:
        what = f"{mount.source} stays the server's own cache of Hugging Face"
        fix = "without this volume the collection brings the weights itself, before anything stops (docs/fetch.md)"
        mounts.findings.append(Finding("info", "plan", "adopted_otherwise", what, fix, setting="volumes"))
    elif target in _CACHES:
        mounts.kept.remove(mount)
        mounts.findings.append(
            dropped(f"the mount of {target}: each image has compile caches of its own here")
        )
