"""Where the files of an instance stand on a host, and writing them so that a half-written one is never seen."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

UNIT_DIRECTORY = "/etc/containers/systemd"
# Gone after a reboot: a server that has not shown tokens yet is then not started.
TRIAL_DIRECTORY = "/run/vllm-fleet"


class InstanceFiles:
    """The paths of one instance; ``state`` is ``vllm_state_dir``."""

    def __init__(
        self, name: str, state: str, units: str = UNIT_DIRECTORY, trial: str = TRIAL_DIRECTORY
    ) -> None:
        """Nothing is read or made yet."""
        self.unit = Path(units) / f"vllm-{name}.container"
        self.service = f"vllm-{name}.service"
        self.accepted = Path(state) / name / "accepted"
        self.trial = Path(trial) / f"{name}.trial"


def read(path: Path) -> str | None:
    """The text of the file, None where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Put the text there in one step, folders included."""
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        beside.touch(mode=mode)
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def remove(paths: t.Iterable[Path]) -> bool:
    """Remove the files; whether any was there."""
    found = [path for path in paths if path.exists()]
    for path in found:
        path.unlink()
    return bool(found)
