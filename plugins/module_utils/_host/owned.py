"""What of a host's containers, units, secrets and tags is this collection's, told by the labels they carry."""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t
from pathlib import Path

from .._release.ownership import LABEL
from .command import HostError
from .release_files import UNIT_DIRECTORY

if t.TYPE_CHECKING:
    from .command import Run

TAG = "localhost/vllm-fleet/"  # <instance>:<release>
_UNIT_LABEL = re.compile(rf"^Label=\"?{re.escape(LABEL)}\.(\w+)=([^\"\n]*)", re.MULTILINE)
_UNIT_IMAGE = re.compile(r"^Image=(.+)$", re.MULTILINE)
_VLLM = re.compile(r"vllm", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Thing:
    """Something with labels; ``instance`` is None for what is not ours."""

    name: str
    instance: str | None = None
    fleet: str | None = None

    def of(self, fleet: str | None) -> bool:
        """Whether it belongs to this fleet; what names no fleet belongs to whoever asks."""
        return self.instance is not None and (None in (self.fleet, fleet) or self.fleet == fleet)


@dataclasses.dataclass(frozen=True)
class Container(Thing):
    """A container, running or not."""

    id: str = ""
    running: bool = False
    pid: int = 0
    image: str = ""
    image_id: str = ""
    command: tuple[str, ...] = ()  # entrypoint and arguments
    started_at: str = ""
    unit: str | None = None  # the systemd unit that runs it
    oci_config: str = ""
    create_command: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class UnitFile(Thing):
    """A ``.container`` file."""

    path: str = ""
    text: str = ""


@dataclasses.dataclass(frozen=True)
class Owned:
    """The things of a host by their names, ours and those of others."""

    containers: dict[str, Container] = dataclasses.field(default_factory=dict)
    units: dict[str, UnitFile] = dataclasses.field(default_factory=dict)

    def things(self) -> t.Iterator[Thing]:
        """Containers and units alike."""
        yield from self.containers.values()
        yield from self.units.values()

    def fleet_of(self, instance: str) -> str | None:
        """The fleet that an instance belongs to, as its unit or its container says it."""
        return next((each.fleet for each in self.things() if each.instance == instance and each.fleet), None)


def look(run: Run, units: str = UNIT_DIRECTORY) -> Owned:
    """Every container and every Quadlet container unit of this host."""
    return Owned(containers(run), unit_files(units))


def containers(run: Run) -> dict[str, Container]:
    """Every container of this host; {} where there is no Podman."""
    listed = run("podman", "ps", "--all", "--format", "{{.ID}}")
    if listed.rc == 127:
        return {}
    if not listed.ok:
        raise HostError(f"podman does not list its containers: {listed.said}", listed)
    ids = listed.stdout.split()
    # One that went away in between is missing in the answer, and makes the command fail.
    described = run("podman", "inspect", "--type", "container", *ids).stdout if ids else "[]"
    try:
        found = [_container(each) for each in json.loads(described or "[]")]
    except (ValueError, TypeError, AttributeError) as error:
        raise HostError(f"podman does not describe its containers: {described[:200]}") from error
    return {each.name: each for each in found}


def _container(described: t.Mapping[str, t.Any]) -> Container:
    state, config = described.get("State") or {}, described.get("Config") or {}
    labels = config.get("Labels") or {}
    return Container(
        name=str(described.get("Name")),
        **_owner(labels),
        id=str(described.get("Id")),
        running=bool(state.get("Running")),
        pid=int(state.get("Pid") or 0),
        image=str(described.get("ImageName") or ""),
        image_id=str(described.get("Image") or "").rpartition(":")[2],
        command=(str(described.get("Path") or ""), *(str(word) for word in described.get("Args") or ())),
        started_at=str(state.get("StartedAt") or ""),
        unit=labels.get("PODMAN_SYSTEMD_UNIT"),
        oci_config=str(described.get("OCIConfigPath") or ""),
        create_command=tuple(str(word) for word in config.get("CreateCommand") or ()),
    )


def _owner(labels: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Instance and fleet out of labels; neither where they do not say that the thing is ours."""
    if labels.get(f"{LABEL}.managed") != "true":
        return {}
    return {"instance": labels.get(f"{LABEL}.instance"), "fleet": labels.get(f"{LABEL}.fleet")}


def unit_files(directory: str) -> dict[str, UnitFile]:
    """The Quadlet container units of the host, by the name of the file without its ending."""
    found = {}
    for path in sorted(Path(directory).glob("*.container")):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # a link to nothing
        found[path.stem] = unit_file(path, text)
    return found


def unit_file(path: Path, text: str) -> UnitFile:
    """A unit by its text."""
    labels = {f"{LABEL}.{name}": value for name, value in _UNIT_LABEL.findall(text)}
    return UnitFile(path.stem, **_owner(labels), path=str(path), text=text)


def secrets(run: Run) -> list[Thing]:
    """The Podman secrets that carry our label; their values are not asked for."""
    listed = run("podman", "secret", "ls", "--quiet")
    ids = listed.stdout.split() if listed.ok else []
    described = run("podman", "secret", "inspect", *ids).stdout if ids else "[]"
    try:
        specs = [each.get("Spec") or {} for each in json.loads(described or "[]")]
    except (ValueError, AttributeError) as error:
        raise HostError(f"podman does not describe its secrets: {described[:200]}") from error
    found = [Thing(str(spec.get("Name")), **_owner(spec.get("Labels") or {})) for spec in specs]
    return sorted((each for each in found if each.instance), key=lambda each: each.name)


def tags(names: t.Iterable[str]) -> list[Thing]:
    """Our own tags among the names of images."""
    ours = (name for name in names if name.startswith(TAG) and "@" not in name)
    return [Thing(name, name[len(TAG) :].partition(":")[0]) for name in sorted(ours)]


def foreign(found: Owned, fleet: str | None) -> list[dict[str, t.Any]]:
    """What looks like vLLM and is not of this fleet. It is named, and never touched."""
    told = [
        {
            "kind": "container",
            "name": each.name,
            "fleet": each.fleet,
            "what": f"{each.image} ({_state(each)})",
        }
        for each in found.containers.values()
        if not each.of(fleet) and _VLLM.search(" ".join((each.name, each.image, *each.command)))
    ]
    running = {each["name"] for each in told}
    for unit in found.units.values():
        image = next(iter(_UNIT_IMAGE.findall(unit.text)), "")
        if not unit.of(fleet) and unit.name not in running and _VLLM.search(f"{unit.name} {image}"):
            told.append(
                {"kind": "unit", "name": unit.name, "fleet": unit.fleet, "what": f"{unit.path} ({image})"}
            )
    return told


def _state(container: Container) -> str:
    return "running" if container.running else "not running"
