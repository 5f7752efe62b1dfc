"""The steps by which an image comes to this host, each for a controller that may be lost after any of them."""

from __future__ import annotations

import dataclasses
import types
import typing as t
from pathlib import Path

from .._plan.image import parse_reference
from .._plan.registries import CONF, MARK, Source
from . import image_archive, podman
from .command import HostError, Run
from .image_auth import AuthFile, auth_of
from .image_job import Job, Look
from .image_look import architecture, look
from .image_memory import Known, asked, remember
from .image_prune import prune
from .image_resolve import resolve
from .image_space import free_bytes, graph_root, lacks_room, missing_layers
from .image_words import Trouble, explain
from .place import Place
from .registry import Registry

STEPS = ("look", "resolve", "pull", "load", "watch", "stop", "keep", "receive", "prune")
Result = dict[str, t.Any]
_PAUSE_SECONDS = 0.5
_NO_RETRY_SINCE = (5, 0, 0)


@dataclasses.dataclass(frozen=True)
class Asked:
    """The options of ``vllm_image_host``, where they are documented."""

    state_dir: str
    images: t.Sequence[str] = ()
    image: str = ""
    digest: str | None = None
    image_id: str | None = None
    archive: str | None = None
    piece: str | None = None
    offset: int = 0
    size: int = 0
    sources: t.Sequence[t.Mapping[str, t.Any]] = ()
    logins: t.Sequence[t.Mapping[str, t.Any]] = ()
    registries_conf: str | None = None
    unpack_factor: float = 2.5
    seconds: float = 5
    planned: t.Sequence[str] = ()
    kept: t.Mapping[str, t.Sequence[int]] = dataclasses.field(default_factory=dict)


class Steps:
    """Each step by its name, with what it returns."""

    def __init__(self, run: Run, asked_for: Asked, check: bool, clock: types.ModuleType) -> None:
        """Nothing is done yet."""
        self._run, self._asked, self._check, self._clock = run, asked_for, check, clock

    def look(self) -> Result:
        """What is there, and what is remembered; and Podman's drop-in for registries is as it should be."""
        asked_for = (self._asked.images, self._asked.state_dir)
        return {**self._configured(), **look(self._run, podman.version(self._run), *asked_for)}

    def _configured(self) -> Result:
        text = self._asked.registries_conf
        if text is None:
            return {}
        place = Place(self._run, self._check)
        changed = place.write(CONF, text) if text else place.remove(CONF, MARK)
        return {"changed": changed, "actions": place.actions, "diff": place.diff}

    def resolve(self) -> Result:
        """The digest of a tag at this moment."""
        with AuthFile(auth_of(self._run, self._asked.logins)) as env:
            digest, trouble = resolve(self._run, self._asked.image, env)
        return {"digest": digest, "trouble": _told(trouble)}

    def pull(self) -> Result:
        """Begin to pull by digest, where there is room for it."""
        root = graph_root(self._run)
        job = Job(self._run, self._asked.image, root)
        if job.runs():
            return self._watched(job)
        auth = auth_of(self._run, self._asked.logins)
        sources = [Source(**each) for each in self._asked.sources]
        layers = Registry(auth).layers(sources, self._asked.digest or "", architecture())
        total = None
        if layers is not None:
            coming = missing_layers(layers, root)
            total = sum(layer.size for layer in coming)
            factor = self._asked.unpack_factor
            unpacked = sum(int(each.size * (factor if each.packed else 1)) for each in coming)
            trouble = lacks_room(total, unpacked, root, free_bytes(root), factor)
            if trouble:
                return {"job": None, "trouble": _told(trouble)}
        job.start([*self._pull_command(), f"{self._name()}@{self._asked.digest}"], total, auth)
        return self._watched(job)

    def _pull_command(self) -> list[str]:
        """Whether to try again is decided where it can be told."""
        version = podman.version(self._run) or (0, 0, 0)
        return ["podman", "pull", *(["--retry=0"] if version >= _NO_RETRY_SINCE else [])]

    def load(self) -> Result:
        """Begin to load an archive of this host, where there is room for it."""
        path = self._asked.archive or ""
        try:
            content = image_archive.image_of(path, self._asked.image)
            size = Path(path).stat().st_size
        except (ValueError, OSError) as problem:
            fix = "correct vllm_image_archives, or make the archive again: podman save"
            return {"job": None, "trouble": _told(Trouble("image_archive_unusable", str(problem), fix))}
        root = graph_root(self._run)
        job = Job(self._run, self._asked.image, root)
        if not job.runs():
            trouble = lacks_room(size, size, root, free_bytes(root), 1)
            if trouble:
                return {"job": None, "trouble": _told(trouble)}
            job.start(["podman", "load", "--input", path], size)
        return {**self._watched(job), "image_id": content.image_id}

    def watch(self) -> Result:
        """How far the job is, after some seconds or at its end."""
        return self._watched(Job(self._run, self._asked.image, graph_root(self._run)))

    def _watched(self, job: Job) -> Result:
        until = self._clock.monotonic() + self._asked.seconds
        while True:
            seen = job.look()
            if seen.code is not None or self._clock.monotonic() >= until:
                return {"job": dataclasses.asdict(seen), "trouble": _told(_failure(seen))}
            self._clock.sleep(_PAUSE_SECONDS)

    def stop(self) -> Result:
        """End the job, and leave nothing of it."""
        Job(self._run, self._asked.image, graph_root(self._run)).stop()
        return {}

    def keep(self) -> Result:
        """Check what came, name it as the plan does, and remember it."""
        came = self._came()
        if came is None:
            lost = f"Podman says it has it, and does not find {self._asked.image_id or self._asked.digest}"
            return {"trouble": _told(Trouble("image_missing", lost, "run again", again=True))}
        reference = self._asked.image
        if came.way != "host" and not parse_reference(reference).digest:
            done = self._run("podman", "tag", came.image_id, reference)
            if not done.ok:
                raise HostError(f"the image cannot be named {reference}: {done.said}", done)
        remember(self._asked.state_dir, reference, came)
        Job(self._run, reference, graph_root(self._run)).clear()
        if self._asked.archive:  # our own copy
            Path(self._asked.archive).unlink(missing_ok=True)
        return {"identity": came.identity, "image_id": came.image_id, "trouble": None}

    def _came(self) -> Known | None:
        if self._asked.image_id:
            image = podman.image(self._run, self._asked.image_id)
            return Known(image.id, image.id, "archive") if image else None
        if self._asked.digest:
            image = podman.image(self._run, f"{self._name()}@{self._asked.digest}")
            return Known(self._asked.digest, image.id, "registry") if image else None
        image = podman.image(self._run, asked(self._asked.image))
        identity = parse_reference(self._asked.image).digest
        return Known(identity or image.identity, image.id, "host") if image else None

    def receive(self) -> Result:
        """Put a part of an archive behind those before it; how much is there now."""
        target = Path(self._asked.archive or "")
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._asked.piece is None:
            there = target.stat().st_size if target.exists() else 0
            return {"size": there, "trouble": _told(self._room_for_archive(target, there))}
        with target.open("r+b" if target.exists() else "wb") as file:
            file.truncate(self._asked.offset)
            file.seek(self._asked.offset)
            with Path(self._asked.piece).open("rb") as piece:
                while block := piece.read(1 << 20):
                    file.write(block)
        Path(self._asked.piece).unlink()
        return {"size": target.stat().st_size}

    def _room_for_archive(self, target: Path, there: int) -> Trouble | None:
        """For the copy itself, and for what is made of it where both lie on one disk."""
        coming, root = self._asked.size - there, Path(graph_root(self._run))
        one_disk = root.is_dir() and target.parent.stat().st_dev == root.stat().st_dev
        made_of_it = 2 * self._asked.size if one_disk else 0
        return lacks_room(coming, made_of_it, str(target.parent), free_bytes(str(target.parent)), 1)

    def prune(self) -> Result:
        """Remove what was fetched and is not needed any more."""
        actions = prune(self._run, self._asked.state_dir, self._asked.kept, self._asked.planned)
        return {"changed": bool(actions), "actions": actions}

    def _name(self) -> str:
        return parse_reference(self._asked.image).name


def _failure(seen: Look) -> Trouble | None:
    if seen.code in (None, 0):
        return None
    if seen.code == -1:
        return Trouble("image_missing", "the pull was ended from outside", "run again", again=True)
    return explain(seen.said)


def _told(trouble: Trouble | None) -> dict[str, t.Any] | None:
    return None if trouble is None else dataclasses.asdict(trouble)
