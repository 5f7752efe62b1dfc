"""Where the files of an instance stand on a host, and writing them so that a half-written one is never seen."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

UNIT_DIRECTORY = "/etc/containers/systemd"  # what boots: accepted releases, and nothing else
# Above what Quadlet generates, and gone after a reboot: a release on trial is never what boots.
TRIAL_DIRECTORY = "/run/systemd/system"
PROOF = "parser_proof.json"  # in the folder of an instance: what its image said of its settings
# Below the state directory, beside the instances; no names that an instance may have.
TRANSACTIONS, JOBS, ARCHIVES = ".transactions", ".jobs", ".archives"


class InstanceFiles:
    """The paths of one instance; ``state`` is ``vllm_state_dir``."""

    def __init__(
        self, name: str, state: str, units: str = UNIT_DIRECTORY, trial: str = TRIAL_DIRECTORY
    ) -> None:
        """Nothing is read or made yet."""
        self.name = name
        self.container = f"vllm-{name}"
        self.service = f"vllm-{name}.service"
        self.unit = Path(units) / f"vllm-{name}.container"
        self.trial = Path(trial) / self.service
        self.home = Path(state) / name
        self.releases = self.home / "releases"
        self.current = self.home / "current"
        self.caches = self.home / "cache"

    def release(self, number: int) -> Path:
        """The folder of one release."""
        return self.releases / str(number)


def read(path: Path) -> str | None:
    """The text of the file, None where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Put the text there, as ``write_bytes`` does."""
    write_bytes(path, text.encode("utf-8"), mode)


def write_bytes(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Put it there in one step, folders included; after a power cut it is there, or what was there before."""
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        beside.touch(mode=mode)
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        keep(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def keep(folder: Path) -> None:
    """Have the names in a folder as they are now after a power cut, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(paths: t.Iterable[Path]) -> bool:
    """Remove the files; whether any was there."""
    found = [path for path in paths if path.exists()]
    for path in found:
        path.unlink()
    return bool(found)
