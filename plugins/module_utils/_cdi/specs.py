"""CDI specs as a Podman sees them: which device names resolve, and why the others do not.

Podman itself says only "unresolvable CDI devices" for every cause.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import typing as t

from .._settings.version import format_release
from . import reading, yaml_subset

Version = tuple[int, int, int]

BOTH_DIRECTORIES = ("/etc/cdi", "/var/run/cdi")  # the later one wins

# The newest cdiVersion that a Podman loads: measured for 4.3.1, 4.9.3, 5.4.2, 5.8.6 and 6.1.1, else by the CDI library
# that the release was built with.
_NEWEST: tuple[tuple[Version, Version], ...] = (
    ((5, 5, 0), (1, 0, 0)),
    ((5, 2, 0), (0, 8, 0)),
    ((5, 1, 0), (0, 7, 0)),
    ((4, 7, 0), (0, 6, 0)),
    ((4, 3, 0), (0, 5, 0)),
    ((4, 1, 0), (0, 4, 0)),
)
_CHECKS_REQUIRED_VERSION: Version = (4, 8, 0)  # from here on a spec must not use more than its cdiVersion has
_TEXT = re.compile(r"\"([^\"]+)\"|'([^']+)'")  # TOML has both
_SETTING = re.compile(r"^[ \t]*cdi_spec_dirs[ \t]*=[ \t]*\[([^\]]*)\]", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Spec:
    """One spec file; ``problem`` says why Podman does not load it."""

    path: str
    kind: str | None = None
    version: str | None = None
    devices: tuple[str, ...] = ()  # full names: nvidia.com/gpu=0
    problem: str | None = None


@dataclasses.dataclass(frozen=True)
class Devices:
    """What resolves on this host."""

    directories: tuple[str, ...]
    specs: tuple[Spec, ...]
    names: tuple[str, ...]
    conflicts: t.Mapping[str, tuple[str, ...]]  # a name that two specs of one directory define: their paths

    def why_not(self, name: str) -> tuple[str, str] | None:
        """Why a device does not resolve, and what to do; None where it does."""
        if name in self.names:
            return None
        if name in self.conflicts:
            paths = " and ".join(self.conflicts[name])
            return f"two CDI specs define it: {paths}", "remove one of the two files"
        kind = name.partition("=")[0]
        broken = [spec for spec in self.specs if spec.problem and spec.kind in (None, kind)]
        if broken:
            reasons = "; ".join(f"{spec.path}: {spec.problem}" for spec in broken)
            return f"the CDI spec cannot be loaded: {reasons}", "write the spec anew (role podman_cdi)"
        where = " and ".join(self.directories)
        known = sorted(each.partition("=")[2] for each in self.names if each.startswith(kind + "="))
        if not known:
            return f"no CDI spec of {kind} in {where}", "make one: nvidia-ctk cdi generate (role podman_cdi)"
        nearest = difflib.get_close_matches(name.partition("=")[2], known, 1, 0.6)
        fix = f'write "{nearest[0]}"' if nearest else "choose one of those"
        return f"the CDI spec in {where} knows {', '.join(known)}", fix


def directories(podman: Version, configuration: str = "") -> tuple[str, ...]:
    """Where a Podman looks: 5.5 forgot /var/run/cdi, and only since then it can be told (``cdi_spec_dirs``)."""
    told = _SETTING.findall(configuration)
    given = [f"/{(one or other).strip('/')}" for one, other in _TEXT.findall(told[-1] if told else "")]
    if given and podman >= (5, 5, 0):
        return tuple(dict.fromkeys(given))
    return ("/etc/cdi",) if (5, 5, 0) <= podman < (5, 6, 0) else BOTH_DIRECTORIES


def newest_version(podman: Version) -> Version:
    """The newest cdiVersion that this Podman loads."""
    return next((cdi for since, cdi in _NEWEST if podman >= since), (0, 0, 0))


def parse_spec(path: str, text: str) -> t.Any:
    """What a spec file says; a ValueError where that cannot be read."""
    return json.loads(text) if path.endswith(".json") else yaml_subset.parse(text)


def read_spec(path: str, text: str, podman: Version) -> Spec:
    """What a spec file gives this Podman."""
    try:
        data = parse_spec(path, text)
    except ValueError as error:
        return Spec(path, problem=f"it cannot be read: {error}")
    if not isinstance(data, dict):
        return Spec(path, problem="it is empty, or no mapping")
    kind, version = (data.get(key) for key in ("kind", "cdiVersion"))
    devices = data.get("devices") or []
    if not isinstance(kind, str) or not re.match(r"[\w.-]+/[\w.-]+$", kind) or not isinstance(devices, list):
        return Spec(path, problem="it has no valid kind or no list of devices")
    names = [
        str(each.get("name")) for each in devices if isinstance(each, dict) and each.get("name") is not None
    ]
    problem = reading.malformed(data) or _version_problem(version, data, podman)
    if not problem and len(names) != len(devices):
        problem = "a device has no name"
    if not problem and not names:
        problem = "it holds no device"
    given = str(version) if version is not None else None
    return Spec(path, kind, given, () if problem else tuple(f"{kind}={name}" for name in names), problem)


def _version_problem(version: t.Any, data: dict[str, t.Any], podman: Version) -> str | None:
    found = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)", str(version))
    if not found:
        return f"cdiVersion {version!r} is no version"
    major, minor, patch = (int(part) for part in found.groups())
    given, newest, required = (major, minor, patch), newest_version(podman), _required(data)
    if given > newest:
        return f"cdiVersion {version} is too new, this Podman {format_release(podman)} reads up to {format_release(newest)}"
    if required > newest or (required > given and podman >= _CHECKS_REQUIRED_VERSION):
        return f"it uses fields of cdiVersion {format_release(required)} and says {version}"
    return None


def _required(data: dict[str, t.Any]) -> Version:
    """The oldest cdiVersion that has every field of a spec."""
    devices, edits = reading.mappings(data.get("devices")), reading.all_edits(data)
    nodes = [node for each in edits for node in reading.nodes(each)]
    mounts = [mount for each in edits for mount in reading.mappings(each.get("mounts"))]
    if any(each.get("additionalGids") or each.get("intelRdt") for each in edits):
        return (0, 7, 0)
    if (
        any("annotations" in each for each in [data, *devices])
        or "." in str(data.get("kind")).partition("/")[2]
    ):
        return (0, 6, 0)
    if any("hostPath" in node for node in nodes) or any(
        str(each.get("name"))[:1].isdigit() for each in devices
    ):
        return (0, 5, 0)
    return (0, 4, 0) if any("type" in mount for mount in mounts) else (0, 3, 0)


def resolve(directories: t.Sequence[str], specs: t.Sequence[Spec]) -> Devices:
    """Which names resolve: a later directory wins, two specs of one directory that name one device cancel each other."""
    names: dict[str, tuple[int, str]] = {}
    conflicts: dict[str, tuple[str, ...]] = {}
    for spec in specs:
        rank = list(directories).index(spec.path.rpartition("/")[0])
        for name in spec.devices:
            old = names.get(name)
            if old and old[0] == rank:
                conflicts[name] = (*conflicts.get(name, (old[1],)), spec.path)
            elif not old or old[0] < rank:
                names[name] = (rank, spec.path)
                conflicts.pop(name, None)
    good = tuple(name for name in names if name not in conflicts)
    return Devices(tuple(directories), tuple(specs), good, conflicts)
