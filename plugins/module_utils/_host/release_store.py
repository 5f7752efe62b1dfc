"""The releases of the instances of a host, as files below the state directory."""

from __future__ import annotations

import json
import os
import re
import shutil
import typing as t
from pathlib import Path

from .._release.names import NAME
from .._release.records import Outcome, Record, RecordError, parse_outcome, parse_record
from .command import HostError
from .release_files import PROOF, keep, read, write

if t.TYPE_CHECKING:
    from .release_files import InstanceFiles

RECORD, UNIT, OUTCOME = "record.json", "unit.container", "outcome.json"
# Below the folder of an instance.
_PARTS = re.compile(
    r"current|releases|cache|parser_proof\.json|\.(current|parser_proof\.json)\.\d+\.new|cache/[0-9a-f]{12}|releases/\d+"
    r"|releases/\d+/(record\.json|unit\.container|outcome\.json|\..+\.\d+\.new)"
)


def instances(state: str) -> list[str]:
    """The instances that this host keeps releases of."""
    root = Path(state)
    found = root.iterdir() if root.is_dir() else iter(())
    return sorted(path.name for path in found if NAME.fullmatch(path.name) and (path / "releases").is_dir())


def is_ours(files: InstanceFiles) -> bool:
    """Whether a folder of this name is an instance's of ours: it holds the record of a release, or what its image said.

    The state directory may be a place where others have folders too, and theirs may be called ``releases`` as well.
    """
    said = files.home / PROOF
    return said.is_file() or any(_is_record(files.release(number) / RECORD) for number in numbers(files))


def holds_only_ours(files: InstanceFiles) -> bool:
    """Whether nothing is in the folder but what this collection makes there, as a removal that was interrupted leaves it."""
    return all(
        _PARTS.fullmatch(str(path.relative_to(files.home)))
        for folder in (
            files.home,
            files.releases,
            *(files.release(number) for number in numbers(files)),
            files.caches,
        )
        if folder.is_dir()
        for path in folder.iterdir()
    )


def _is_record(path: Path) -> bool:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and {"schema", "instance", "intent_hash"} <= set(data)


def numbers(files: InstanceFiles) -> list[int]:
    """The numbers of the releases that are kept, oldest first."""
    folder = files.releases
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return sorted(int(name) for name in names if name.isdigit())


def current(files: InstanceFiles) -> Record | None:
    """The accepted release; None before the first."""
    try:
        number = files.current.readlink().name
    except OSError:
        return None
    return record(files, int(number)) if number.isdigit() else None


def record(files: InstanceFiles, number: int) -> Record | None:
    """A release by its number; None where it is not kept. HostError where it cannot be read."""
    return t.cast("Record | None", _parsed(files.release(number) / RECORD, parse_record))


def outcome(files: InstanceFiles, number: int) -> Outcome | None:
    """How a release ended; None where it has not, or is not kept."""
    return t.cast("Outcome | None", _parsed(files.release(number) / OUTCOME, parse_outcome))


def records(files: InstanceFiles) -> dict[int, tuple[Record, Outcome | None]]:
    """Every release that is kept, by its number."""
    found = {number: (record(files, number), outcome(files, number)) for number in numbers(files)}
    return {number: (each, ended) for number, (each, ended) in found.items() if each is not None}


def unit_text(files: InstanceFiles, number: int) -> str | None:
    """The Quadlet text of a release; None where it is not kept."""
    return read(files.release(number) / UNIT)


def previous(files: InstanceFiles) -> int | None:
    """The release that was accepted before the current one."""
    now = current(files)
    before = [
        number
        for number, (_record, ended) in records(files).items()
        if now is not None and number < now.release and ended is not None and ended.state == "accepted"
    ]
    return max(before, default=None)


def put(files: InstanceFiles, release: Record, text: str) -> None:
    """Keep a new release."""
    write(files.release(release.release) / UNIT, text)
    write(files.release(release.release) / RECORD, release.text())


def conclude(files: InstanceFiles, number: int, ended: Outcome) -> None:
    """Note how a release ended."""
    write(files.release(number) / OUTCOME, ended.text())


def make_current(files: InstanceFiles, number: int) -> None:
    """Point to the accepted release, in one step."""
    beside = files.current.with_name(f".current.{os.getpid()}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(f"releases/{number}")
    beside.replace(files.current)
    keep(files.home)


def forget(files: InstanceFiles, number: int) -> None:
    """Keep a release no longer."""
    shutil.rmtree(files.release(number), ignore_errors=True)


def _parsed(path: Path, parse: t.Callable[[str], t.Any]) -> t.Any:
    text = read(path)
    if text is None:
        return None
    try:
        return parse(text)
    except RecordError as error:
        raise HostError(f"{path} cannot be used: {error}") from error
