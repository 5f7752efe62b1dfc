"""Taking instances, or all of ours, off a host: what is removed, what stays, and why."""

from __future__ import annotations

import dataclasses
import os
import re
import typing as t
from functools import partial
from pathlib import Path

from .._cdi.refresh import DROP_IN, OWN_UNIT
from .._release.names import NAME, RESERVED
from .._release.records import Record
from . import owned, release_store
from .command import HostError
from .image_memory import Known, read_memory, write_memory
from .release_files import ARCHIVES, JOBS, TRANSACTIONS, UNIT_DIRECTORY, InstanceFiles
from .removal import Host, Step, folder_steps, instance_steps, must

RUN_DIRECTORY = "/run/vllm-fleet"
_SHARED = ("salt", "images.json", TRANSACTIONS, JOBS, ARCHIVES)
_HALF_WRITTEN = re.compile(r"\.(images\.json|salt)\.\d+\.new")


@dataclasses.dataclass(frozen=True)
class Wish:
    """What is to go. ``names`` None stands for every instance of this fleet, and for what they share."""

    names: tuple[str, ...] | None
    state: str
    fleet: str
    weights: bool = False
    images: bool = True
    units: str = UNIT_DIRECTORY
    trial: str = "/run/systemd/system"
    runtime: str = RUN_DIRECTORY

    def files(self, name: str) -> InstanceFiles:
        """The paths of an instance."""
        return InstanceFiles(name, self.state, self.units, self.trial)


@dataclasses.dataclass(frozen=True)
class Removal:
    """What there is to do, and what is left for a reason."""

    instances: list[str]
    steps: list[Step]
    stays: list[str]


def plan(host: Host, wish: Wish) -> Removal:
    """Find out what there is; HostError where something of the wanted names is not ours."""
    wrong = [name for name in wish.names or () if not NAME.fullmatch(name) or name in RESERVED]
    if wrong:
        raise HostError(f"{wrong[0]!r} is no name of an instance")
    mine, others = _instances(host, wish)
    gone = sorted(mine) if wish.names is None else sorted(set(wish.names))
    staying = sorted((mine | others) - set(gone))
    for name in set(gone) & others:
        raise HostError(f"{name} is left alone: it belongs to another fleet (vllm_fleet_name)")
    records = {name: _records(wish, name) for name in (*gone, *staying)}
    kept = [record for name in staying for record in records[name]]
    lost = [record for name in gone for record in records[name]]
    found = {name: instance_steps(host, wish.files(name), wish.fleet) for name in gone}
    steps = [step for each in found.values() for step in each]
    images, pictures_stay = _images(host, wish, gone, lost, kept)
    weights, weights_stay = _weights(wish, lost, kept, not staying)
    shared = [] if wish.names is not None or staying else _shared(wish, weights, gone)
    stays = [f"{name}: nothing of it is on this host" for name, each in found.items() if not each]
    stays += [*_foreign(host, wish, gone), *pictures_stay, *weights_stay]
    stays += [*_still_shared(wish, staying), *_strange(wish, (*gone, *staying))] if wish.names is None else []
    stays += _preparation() if wish.names is None else []
    return Removal(gone, [*steps, *images, *weights, *shared], stays)


def _instances(host: Host, wish: Wish) -> tuple[set[str], set[str]]:
    """The names of this fleet's instances on this host, and of other fleets'."""
    names = host.labelled() | _folders(wish)
    others = {name for name in names if _fleet(host, wish, name) not in (None, wish.fleet)}
    return names - others, others


def _fleet(host: Host, wish: Wish, name: str) -> str | None:
    found = host.things.fleet_of(name)
    return found or next((record.fleet for record in _records(wish, name)), None)


def _folders(wish: Wish) -> set[str]:
    root = Path(wish.state)
    names = {path.name for path in root.iterdir() if path.is_dir()} if root.is_dir() else set()
    return {
        name
        for name in names
        if name not in RESERVED and NAME.fullmatch(name) and release_store.is_ours(wish.files(name))
    }


def _records(wish: Wish, name: str) -> list[Record]:
    return [record for record, _outcome in release_store.records(wish.files(name)).values()]


def _images(
    host: Host, wish: Wish, gone: t.Sequence[str], lost: t.Sequence[Record], kept: t.Sequence[Record]
) -> tuple[list[Step], list[str]]:
    """An image that this collection brought for these servers goes when nobody else names or uses it."""
    memory = read_memory(wish.state)
    wanted = {record.image for record in lost} | (set() if wish.names is not None or kept else set(memory))
    here = {image.id for image in host.images.values()}
    steps, stays = [], []
    for name in sorted(wanted):
        known = memory.get(name)
        if known is None or known.image_id not in here:
            stays += [f"image {name}: {_NOT_BROUGHT}"] if name in host.images else []
            continue
        reason = _why_image_stays(host, wish, known, memory, gone, {record.image for record in kept}, name)
        if reason:
            stays.append(f"image {name}: {reason}")
        else:
            steps.append(
                Step(f"remove image {name}", partial(_remove_image, host, wish.state, known.image_id))
            )
    return steps, stays


_NOT_BROUGHT = "this collection did not bring it"


def _why_image_stays(
    host: Host,
    wish: Wish,
    known: Known,
    memory: t.Mapping[str, Known],
    gone: t.Collection[str],
    needed: t.Collection[str],
    name: str,
) -> str | None:
    users = [
        each.name
        for each in host.things.containers.values()
        if each.image_id == known.image_id and each.instance not in gone
    ]
    others = [
        each for each in _names(host, known.image_id) if each not in memory and not _is_tag_of(each, gone)
    ]
    if known.way == "host":
        return _NOT_BROUGHT
    if not wish.images:
        return "vllm_remove_images=true removes it"
    if name in needed:
        return "another server needs it"
    if users:
        return f"the container {users[0]} uses it"
    return f"it has another name, {others[0]}" if others else None


def _names(host: Host, image_id: str) -> list[str]:
    """What Podman calls an image, digests apart."""
    return sorted(name for name, image in host.images.items() if image.id == image_id and "@" not in name)


def _is_tag_of(name: str, instances: t.Collection[str]) -> bool:
    return any(name.startswith(f"{owned.TAG}{each}:") for each in instances)


def _remove_image(host: Host, state: str, image_id: str) -> None:
    """By its names, which our tags are no longer among; and it is remembered no longer."""
    names = [name for name in _names(host, image_id) if not name.startswith(owned.TAG)]
    if host.run("podman", "image", "exists", image_id).ok:
        must(host.run, "podman", "rmi", *(names or [image_id]))
    memory = read_memory(state)
    write_memory(state, {name: known for name, known in memory.items() if known.image_id != image_id})


def _weights(
    wish: Wish, lost: t.Sequence[Record], kept: t.Sequence[Record], all_of_it: bool
) -> tuple[list[Step], list[str]]:
    """The repositories in our cache that the removed instances name, and nobody who stays."""
    cache = Path(wish.state) / "models"
    found = sorted(cache.glob("models--*--*")) if cache.is_dir() else []
    unneeded = [path for path in found if not _names_model(path, kept)]
    if wish.names is not None:
        unneeded = [path for path in unneeded if _names_model(path, lost)]
    if not unneeded and not (cache.is_dir() and wish.names is None and all_of_it):
        return [], []
    if not wish.weights:
        return [], [f"weights {path}: vllm_remove_weights=true removes them" for path in unneeded]
    if cache.is_symlink() or os.path.ismount(cache):
        return [], [f"weights {cache}: it is a mount or a link, other hosts may use it"]
    whole = wish.names is None and all_of_it
    return [step for path in ([cache] if whole else unneeded) for step in folder_steps(path)], []


def _names_model(path: Path, records: t.Iterable[Record]) -> bool:
    """Whether a release names this repository, as its model, draft, tokenizer or adapter."""
    repository = path.name[len("models--") :].replace("--", "/", 1)
    pattern = re.compile(rf"(?<![\w./-]){re.escape(repository)}(?![\w./-])")
    return any(
        record.model == repository
        or any(pattern.search(str(word)) for word in record.intent.get("argv") or ())
        for record in records
    )


def _shared(wish: Wish, weights: t.Sequence[Step], gone: t.Collection[str]) -> list[Step]:
    """What all instances of the host share; the folder itself when nothing is left in it, and the lock at the end."""
    state, entries = Path(wish.state), _entries(wish)
    going = [name for name in entries if _is_shared(name)]
    steps: list[Step] = []
    for path in (state / name for name in going):
        steps += [Step(f"remove {path}", path.unlink)] if path.is_file() else folder_steps(path)
    left = set(entries) - {*going, *gone} - ({"models"} if weights else set())
    if state.is_dir() and not left:
        steps.append(Step(f"remove {state}", state.rmdir))
    return [*steps, *folder_steps(Path(wish.runtime))]


def _still_shared(wish: Wish, staying: t.Sequence[str]) -> list[str]:
    return (
        [f"{wish.state}/{_SHARED[0]} and transactions: {staying[0]} of another fleet shares them"]
        if staying
        else []
    )


def _strange(wish: Wish, known: t.Collection[str]) -> list[str]:
    """What others keep in our state directory."""
    return [
        f"{Path(wish.state, name)}: nothing tells that it is ours"
        for name in _entries(wish)
        if name not in (*known, "models") and not _is_shared(name)
    ]


def _entries(wish: Wish) -> list[str]:
    state = Path(wish.state)
    return sorted(path.name for path in state.iterdir()) if state.is_dir() else []


def _is_shared(name: str) -> bool:
    return name in _SHARED or _HALF_WRITTEN.fullmatch(name) is not None


def _foreign(host: Host, wish: Wish, gone: t.Sequence[str]) -> list[str]:
    told = []
    for each in owned.foreign(host.things, wish.fleet):
        fleet = f" of the fleet {each['fleet']}" if each["fleet"] else ", not ours"
        told.append(f"{each['kind']} {each['name']}{fleet}: {each['what']}")
    for name in gone:
        drop_ins = wish.files(name).unit.with_name(f"vllm-{name}.container.d")
        told += [f"{drop_ins}: not ours"] if drop_ins.is_dir() else []
    return told


def _preparation() -> list[str]:
    """What made the host ready is of use to others too."""
    written = [path for path in (DROP_IN, OWN_UNIT) if Path(path).exists()]
    also = f", {', '.join(written)}" if written else ""
    return [f"Podman, the NVIDIA container toolkit and the CDI spec{also}: other containers may need them"]
