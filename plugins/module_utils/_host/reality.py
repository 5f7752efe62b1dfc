"""What a host really runs, as plain data: containers and their processes, units, records, GPUs, CDI, real tokens.

It only looks. Nothing is started, written or reloaded, and no secret is in what it returns.
"""

from __future__ import annotations

import dataclasses
import datetime
import typing as t
from pathlib import Path

from .._cdi import reading
from .._cdi.judge import spec_of
from .._release.masked import masked
from .._settings.version import format_release
from . import cdi_host, lock, owned, podman, secrets, weights
from .command import HostError
from .image_memory import read_memory
from .nvidia_smi import Gpus, gpus
from .reality_instance import Instance, describe
from .release_files import UNIT_DIRECTORY, InstanceFiles
from .release_store import current
from .release_store import instances as recorded

if t.TYPE_CHECKING:
    from .command import Run

Data = dict[str, t.Any]


@dataclasses.dataclass(frozen=True)
class Wish:
    """What is asked: ``gates`` of the planned instances by name, images they name, secrets by key (never returned)."""

    gates: t.Mapping[str, t.Mapping[str, t.Any]]
    images: t.Sequence[str]
    values: t.Mapping[str, str]
    state: str
    fleet: str
    weights: t.Sequence[t.Mapping[str, t.Any]] = ()
    timeout: float = 10
    units: str = UNIT_DIRECTORY
    root: str = "/"


def reality(run: Run, wish: Wish) -> Data:
    """Everything at one look."""
    things = owned.look(run, wish.units)
    version = podman.version(run)
    found = gpus(run)
    images = _images(run, wish) if version else {}
    held = {each.name for each in owned.secrets(run)} if version else set()
    cdi = cdi_host.look(found, version, wish.root) if version else None
    spec = spec_of(cdi) if cdi else None
    here = Instance(
        run,
        things,
        images,
        held,
        spec.data if spec else None,
        wish.timeout,
        tuple(wish.values.values()),
        wish.fleet,
    )
    return {
        "podman": _podman(version),
        "driver": _driver(found, wish.root),
        "cdi": _spec(spec.path, spec.data, wish.root) if spec else None,
        "transaction": lock.holder(),
        **_planned_images(wish, images),
        "model_revisions": _revisions(wish),
        "secret_versions": _versions(wish),
        "instances": {
            name: describe(here, InstanceFiles(name, wish.state, wish.units), wish.gates.get(name))
            for name in sorted({*wish.gates, *_ours(things, wish)})
        },
        "foreign": [_masked(each, wish) for each in owned.foreign(things, wish.fleet)],
    }


def _ours(things: owned.Owned, wish: Wish) -> set[str]:
    """Instances of this fleet that are here, planned or not."""
    names = {each.instance for each in things.things() if each.of(wish.fleet)}
    others = {each.instance for each in things.things() if each.instance and not each.of(wish.fleet)}
    kept = {name for name in recorded(wish.state) if _fleet(wish, name) in (None, wish.fleet)}
    return {name for name in names if name} | (kept - others)


def _fleet(wish: Wish, name: str) -> str | None:
    """The fleet that an instance was released for; None where its record does not say it."""
    try:
        record = current(InstanceFiles(name, wish.state, wish.units))
    except HostError:
        return None
    return record.fleet if record else None


def _masked(told: Data, wish: Wish) -> Data:
    return {**told, "what": masked([str(told["what"])], tuple(wish.values.values()))[0]}


def _images(run: Run, wish: Wish) -> dict[str, podman.Image]:
    """Every image by each of its names, the planned references among them where they resolve."""
    found = podman.images(run)
    for reference in wish.images:
        image = None if reference in found else podman.image(run, reference)
        if image is not None:
            found[reference] = image
    return found


def _planned_images(wish: Wish, images: t.Mapping[str, podman.Image]) -> Data:
    """What a release would take for each planned reference, and what Podman has under that name at this moment."""
    here = {image.id for image in images.values()}
    known = {name: each for name, each in read_memory(wish.state).items() if each.image_id in here}
    found = {name: images[name] for name in wish.images if name in images}
    digests = {name: image.identity for name, image in found.items()}
    remembered = {name: known[name].identity for name in wish.images if name in known}
    return {
        "image_digests": {**digests, **remembered},
        "tagged": {name: image.id for name, image in found.items()},
    }


def _revisions(wish: Wish) -> dict[str, str]:
    """The commits of the planned repositories that are here in full."""
    models = Path(wish.state) / "models"
    revisions: dict[str, str] = weights.told(weights.look_at_all(models, wish.weights, [], {}))[
        "model_revisions"
    ]
    return revisions


def _versions(wish: Wish) -> dict[str, str]:
    """The version that each value of the inventory has on this host; {} where the host has no salt yet."""
    salt = secrets.salt_of(wish.state, make=False)
    return secrets.versions(wish.values, salt) if salt else {}


def _podman(version: podman.Version | None) -> Data:
    return {
        "version": format_release(version) if version else None,
        "installed_at": _changed_at("/usr/bin/podman"),
    }


def _changed_at(path: str) -> str | None:
    """When a package manager put this file there: unlike its date inside the package, that is its change time."""
    try:
        seconds = Path(path).stat().st_ctime
    except OSError:
        return None
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat(timespec="seconds")


def _driver(found: Gpus, root: str) -> Data:
    return {
        "version": found.driver_version,
        "loaded": cdi_host.kernel_version(root),
        "problem": dataclasses.asdict(found.problem) if found.problem else None,
        "gpus": len(found.gpus),
    }


def _spec(path: str, data: t.Any, root: str) -> Data:
    written = datetime.datetime.fromtimestamp(
        Path(root, path.lstrip("/")).stat().st_mtime, datetime.timezone.utc
    )
    age = datetime.datetime.now(datetime.timezone.utc) - written
    return {
        "path": path,
        "written_at": written.isoformat(timespec="seconds"),
        "age_seconds": round(age.total_seconds()),
        "made_for": reading.driver_version(data),
    }
