"""The host's own Quadlet generator, asked what it would make of a unit before the unit is put in place."""

from __future__ import annotations

import shutil
import tempfile
import typing as t
from pathlib import Path

from .command import HostError

if t.TYPE_CHECKING:
    from .command import Run
    from .release_files import InstanceFiles

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


def generated(run: Run, files: InstanceFiles, text: str) -> str:
    """The service that this host's own Quadlet generator makes of a unit; HostError says why it drops it.

    One unknown key makes it drop the whole unit, and up to Podman 4.x it says so in its log alone and ends with 0, so
    what counts is whether the service is in its output.
    """
    with tempfile.TemporaryDirectory(prefix="vllm-fleet-") as folder:
        (Path(folder) / files.unit.name).write_text(text, encoding="utf-8")
        for drop_ins in files.unit.parent.glob("*container.d"):  # they count at boot, so they count on trial
            if drop_ins.is_dir():
                shutil.copytree(drop_ins, Path(folder) / drop_ins.name)
        done = run(generator(), "--dryrun", env={"QUADLET_UNIT_DIRS": folder})
    _before, header, service = done.stdout.partition(f"---{files.service}---\n")
    if not header:
        raise HostError(
            f"this host's Quadlet drops the unit of {files.container}, so nothing was touched: {done.said}",
            done,
        )
    return service
