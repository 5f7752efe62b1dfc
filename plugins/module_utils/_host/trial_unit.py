"""A release on trial: a service above the one that Quadlet made of the accepted unit, gone with the next reboot."""

from __future__ import annotations

import re
import typing as t

from .quadlet_generator import generated
from .release_files import remove, write

if t.TYPE_CHECKING:
    from pathlib import Path

    from .command import Run
    from .release_files import InstanceFiles

_SOURCE = re.compile(r"^SourcePath=.*$", re.MULTILINE)


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
