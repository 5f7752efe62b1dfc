"""What an operator asks of the CDI spec of a host, and what comes of it."""

from __future__ import annotations

import dataclasses
import typing as t

from .._cdi.refresh import Wish, flags_for

if t.TYPE_CHECKING:
    from .._cdi.refresh import Version
    from .._settings.finding import Finding
    from .running import OutdatedServer


@dataclasses.dataclass(frozen=True)
class Options:
    """What the operator asks for."""

    devices: tuple[str, ...] = ()
    feature_flags: tuple[str, ...] = ()
    disabled_hooks: tuple[str, ...] = ()
    name_strategies: tuple[str, ...] = ()
    set_aside: bool = True
    repair: bool = True
    coming_toolkit: tuple[int, int, int] | None = (
        None  # in check mode: the version that is going to be installed
    )


@dataclasses.dataclass
class Outcome:
    """What was found and what is left; what was done stands in the Place."""

    ready: bool = False
    known_after: str | None = None  # in check mode: what has to happen first
    podman_version: str | None = None
    toolkit_version: str | None = None
    spec_path: str | None = None
    defects: list[Finding] = dataclasses.field(default_factory=list)  # as found
    findings: list[Finding] = dataclasses.field(default_factory=list)  # as left
    outdated_servers: list[OutdatedServer] = dataclasses.field(default_factory=list)


def wish(target: str, podman: Version, options: Options) -> Wish:
    """How the spec is to be generated for this Podman."""
    flags = flags_for(podman, options.feature_flags)
    return Wish(target, flags, options.disabled_hooks, options.name_strategies)
