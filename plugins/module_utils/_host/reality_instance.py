"""One instance as it really is on its host: the process, its unit, its records, and whether it gives tokens."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import re
import typing as t
from pathlib import Path

from .._quadlet.unit import differences, parse_unit
from .._release.masked import masked, masked_intent
from . import release_store, systemd
from .command import HostError
from .gate import probe_of
from .running import outdated

if t.TYPE_CHECKING:
    from .._release.records import Record
    from . import owned, podman
    from .command import Run
    from .release_files import InstanceFiles

Data = dict[str, t.Any]
_SERVE = "serve"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)")
_SECRET = re.compile(r"^(?:Secret=|PodmanArgs=--secret )([^,\s]+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Instance:
    """What was found on the host once, for all its instances."""

    run: Run
    things: owned.Owned
    images: t.Mapping[str, podman.Image]
    secrets: t.Collection[str]
    spec: t.Any  # the CDI spec of today
    timeout: float
    values: tuple[str, ...] = ()  # secrets, to hide wherever they stand
    fleet: str | None = None
    proc: Path = Path("/proc")
    root: Path = Path("/")


def describe(here: Instance, files: InstanceFiles, gate: t.Mapping[str, t.Any] | None) -> Data:
    """The instance as plain data; ``gate`` is what the plan wants of it, None where no plan names it."""
    record, newest, problem = _records(files)
    unit = here.things.units.get(files.container)
    state = systemd.show(here.run, files.service)
    recorded = release_store.unit_text(files, record.release) if record else None
    asked = gate or (record.gate if record else None)
    return {
        "record": _shown(record, here.values),
        "recorded_unit": None if recorded is None else _hash(recorded),
        "newest": newest,
        "problem": problem,
        "unit": _unit(unit, recorded, here.fleet),
        "trial": files.trial.exists(),
        "service": {
            "load_state": state.get("LoadState", "not-found"),
            "active_state": state.get("ActiveState", "inactive"),
            "result": state.get("Result", "success"),
            "restarts": int(state.get("NRestarts") or 0),
            "needs_reload": state.get("NeedDaemonReload") == "yes",
        },
        "container": _container(here, here.things.containers.get(files.container), files.name),
        "image_here": _image_is_here(here, record),
        "missing_secrets": sorted(set(_SECRET.findall(recorded or "")) - set(here.secrets)),
        "server": _server(here, files, asked, int(state.get("NRestarts") or 0)),
    }


def _records(files: InstanceFiles) -> tuple[Record | None, Data | None, str | None]:
    """The accepted release, how the newest one ended, and why they cannot be read."""
    try:
        kept = release_store.records(files)
        number = max(kept, default=None)
        if number is None:
            return None, None, None
        _record, ended = kept[number]
        newest = {"release": number, "state": ended.state if ended else None}
        return release_store.current(files), newest, None
    except HostError as error:
        return None, None, str(error)


def _shown(record: Record | None, values: tuple[str, ...]) -> Data | None:
    """A record without what nobody may see."""
    if record is None:
        return None
    return {**record.as_dict(), "intent": masked_intent(record.intent, values)}


def _unit(unit: owned.UnitFile | None, recorded: str | None, fleet: str | None) -> Data | None:
    if unit is None:
        return None
    return {
        "path": unit.path,
        "sha256": _hash(unit.text),
        "ours": unit.of(fleet),
        "fleet": unit.fleet,
        "as_recorded": None if recorded is None else unit.text == recorded,
        "edited_keys": _edited(recorded, unit.text) if recorded is not None else [],
    }


def _edited(recorded: str, text: str) -> list[str]:
    """The keys that differ. Their values may be nobody's business, and the file is there to be read."""
    try:
        found = differences(parse_unit(recorded), parse_unit(text))
    except ValueError:
        return ["a line that is no unit's"]
    return [f"[{each.section}] {each.key}" for each in found]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _container(here: Instance, container: owned.Container | None, name: str) -> Data | None:
    if container is None:
        return None
    argv, source = _argv(container, here.proc)
    return {
        "id": container.id,
        "ours": container.instance == name and container.of(here.fleet),
        "fleet": container.fleet,
        "running": container.running,
        "image": container.image,
        "image_id": container.image_id,
        "argv": masked(argv, here.values),
        "argv_from": source,
        "started_at": _utc(container.started_at),
        "unit": container.unit,
        "outdated": None if here.spec is None else outdated(container, here.spec, here.root),
    }


def _argv(container: owned.Container, proc: Path) -> tuple[list[str], str]:
    """What follows ``vllm serve``: as the process has it, else as the container was made."""
    try:
        words = (proc / str(container.pid) / "cmdline").read_bytes().decode(errors="surrogateescape")
        running = words.rstrip("\0").split("\0") if container.running and container.pid else []
    except OSError:
        running = []
    source = "process" if _SERVE in running else "container"
    words_of = running if _SERVE in running else list(container.command)
    return (words_of[words_of.index(_SERVE) + 1 :] if _SERVE in words_of else words_of), source


def _utc(moment: str) -> str | None:
    """Podman's date in the host's own zone and with nanoseconds, as seconds in UTC, so that dates compare as text."""
    found = _MOMENT.fullmatch(moment)
    if not found:
        return None
    zone = "+00:00" if found.group(2) == "Z" else found.group(2)
    read = datetime.datetime.fromisoformat(found.group(1) + zone)
    return read.astimezone(datetime.timezone.utc).isoformat(timespec="seconds")


def _image_is_here(here: Instance, record: Record | None) -> bool | None:
    """Whether the host could start the accepted release again; None where the record does not tell its image's ID."""
    if record is None or record.image_id is None:
        return None
    return record.image_id in {image.id for image in here.images.values()}


def _server(
    here: Instance, files: InstanceFiles, gate: t.Mapping[str, t.Any] | None, restarts: int
) -> Data | None:
    """What the server answers; restarts of the past do not make it one that loops now."""
    if not gate:
        return None
    probe = dataclasses.replace(probe_of(here.run, files.name, gate, here.timeout), restarts=restarts)
    look, verdict = probe.look()
    answers = look.health is not None and look.health.good
    return {
        "state": verdict.state,
        "message": verdict.message,
        "served": None if look.served is None else list(look.served),
        "vllm_version": probe.server.version() if answers else None,
        "answer": dataclasses.asdict(look.completion) if look.completion else None,
    }
