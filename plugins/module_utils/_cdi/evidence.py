"""What is known of a host when its CDI spec is judged. Whoever looks at the host fills this in; nothing here looks."""

from __future__ import annotations

import dataclasses
import typing as t

KIND = "nvidia.com/gpu"
Presence = t.Literal["missing", "present", "program"]


@dataclasses.dataclass(frozen=True)
class Node:
    """A device node as it is on the host."""

    kind: str  # "c", "b", or "-" for what is no device at all
    major: int
    minor: int
    mode: int  # permission bits only
    gid: int


@dataclasses.dataclass(frozen=True)
class SpecFile:
    """A spec file; ``problem`` says why the Podman of this host does not load it."""

    path: str
    kind: str | None = None
    problem: str | None = None
    data: t.Any = None
    mode: int = 0o644


@dataclasses.dataclass(frozen=True)
class GpuNames:
    """How one GPU can be asked for. In MIG mode only its slices can be, as name (``0:1``) and UUID."""

    index: int
    uuid: str | None = None
    mig_mode: bool = False
    slices: tuple[tuple[str, str | None], ...] = ()


@dataclasses.dataclass(frozen=True)
class Trouble:
    """Why the GPUs cannot be used at all, as ``nvidia_gpu_info`` says it."""

    code: str
    message: str
    fix: str


@dataclasses.dataclass(frozen=True)
class Host:
    """A host as far as its spec is concerned."""

    target: str  # where the spec is to stand
    directories: tuple[str, ...]  # where this Podman looks; the later one wins
    specs: tuple[SpecFile, ...] = ()
    gpus: tuple[GpuNames, ...] = ()
    trouble: Trouble | None = None
    driver_version: str | None = None  # as the driver's library says it
    kernel_version: str | None = None  # as the loaded kernel module says it; None where it does not
    nodes: t.Mapping[str, Node | None] = dataclasses.field(default_factory=dict)
    files: t.Mapping[str, Presence] = dataclasses.field(default_factory=dict)

    def with_spec(self, spec: SpecFile) -> Host:
        """The same host if this were its one spec."""
        others = tuple(each for each in self.specs if each.kind not in (None, KIND))
        return dataclasses.replace(self, specs=(*others, spec))
