"""A release on trial: a service above the one that Quadlet made of the accepted unit, gone with the next reboot."""

from __future__ import annotations

import re
import shutil
import tempfile
import typing as t
from pathlib import Path

from .command import HostError
from .quadlet_generator import generator
from .release_files import remove, write

if t.TYPE_CHECKING:
    from .command import Run
    from .release_files import InstanceFiles

_SOURCE = re.compile(r"^SourcePath=.*$", re.MULTILINE)


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


def trial_of(run: Run, files: InstanceFiles, text: str, source: Path) -> str:
    """The service of a release on trial; ``source`` is where its unit is kept."""
    return _SOURCE.sub(lambda _found: f"SourcePath={source}", generated(run, files, text))


def put(files: InstanceFiles, service: str) -> None:
    """Put a release on trial. systemd has to reload then."""
    write(files.trial, service)


def on_trial(files: InstanceFiles) -> bool:
    """Whether a release is on trial."""
    return files.trial.exists()


def take_away(files: InstanceFiles) -> bool:
    """End the trial: what Quadlet makes of the accepted unit counts again. systemd has to reload then."""
    return remove([files.trial])
