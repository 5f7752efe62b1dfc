"""The host's own Quadlet generator, asked what it would make of a unit before the unit is put in place."""

from __future__ import annotations

import tempfile
import typing as t
from pathlib import Path

from .command import HostError

if t.TYPE_CHECKING:
    from .command import Run

# By distribution; the first that exists.
GENERATORS = (
    "/usr/lib/systemd/system-generators/podman-system-generator",
    "/lib/systemd/system-generators/podman-system-generator",
    "/usr/libexec/podman/quadlet",
)


def generator() -> str:
    """The path of the generator."""
    for path in GENERATORS:
        if Path(path).exists():
            return path
    raise HostError("Podman's Quadlet generator is not on this host: Podman 4.4 or newer brings it")


def refusal(run: Run, name: str, text: str) -> str | None:
    """Why the generator drops the unit; None where it makes a service of it.

    One unknown key makes it drop the whole unit, and up to Podman 4.x it says so in its log alone and ends with 0, so
    what counts is whether the service is in its output.
    """
    with tempfile.TemporaryDirectory(prefix="vllm-fleet-") as folder:
        (Path(folder) / f"{name}.container").write_text(text, encoding="utf-8")
        done = run(generator(), "--dryrun", env={"QUADLET_UNIT_DIRS": folder})
    return None if f"---{name}.service---" in done.stdout else done.said
