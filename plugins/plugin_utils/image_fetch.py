"""Bringing one image to one host, from wherever the inventory says."""

from __future__ import annotations

import dataclasses
import time
import typing as t

from ..module_utils._host import image_archive
from ..module_utils._plan.image import parse_reference
from ..module_utils._plan.registries import Archive, sources_of
from .image_copy import Host, copy_archive
from .image_outcome import Options, Outcome, TroubleError, trouble_of
from .image_run import Told, identities, looks_of, resolve_once
from .progress import Progress

_WATCH_SECONDS = 5
_BUSY_SECONDS = 0.3  # of a processor, between two looks: then a pull is not stuck
_LONGEST_PAUSE = 120


class Fetch:
    """Brings one image."""

    def __init__(
        self, host: Host, reference: str, look: Told, options: Options, logins: list[Told], progress: Progress
    ) -> None:
        """Nothing is done yet; ``look`` is what was seen on the host."""
        self._host, self._reference, self._look, self._options = host, reference, look, options
        self._logins, self._progress = logins, progress
        self._archive = options.archives.get(reference)
        self._here: Told | None = look["images"].get(reference)

    def bring(self) -> Outcome:
        """The image is there afterwards, or the outcome says why not."""
        try:
            return self._bring()
        except TroubleError as problem:
            return Outcome(where=self._where(), trouble=problem.told)

    def _where(self) -> str:
        if self._archive:
            return f"{self._archive.path} on {'the host' if self._archive.on_host else 'the control node'}"
        sources = sources_of(self._reference, self._options.registries)
        return " or ".join(source.location.partition("/")[0] for source in sources)

    def _bring(self) -> Outcome:
        renew = self._options.refresh and self._is_fetchable() and not self._is_pinned()
        if not renew:
            self._refuse_two_identities()
        if self._here and not renew:
            return self._adopt()
        if not self._is_fetchable():
            if self._options.predict and self._look["podman_version"] is None:
                return Outcome()  # what this host has is known after it has Podman
            raise TroubleError(self._not_to_be_fetched())
        if self._options.predict:
            doing = "see whether there is a newer" if self._here else "bring"
            return Outcome(changed=not self._here, action=f"{doing} {self._reference} from {self._where()}")
        return self._from_archive(self._archive) if self._archive else self._from_registry()

    def _is_pinned(self) -> bool:
        return parse_reference(self._reference).digest is not None

    def _is_fetchable(self) -> bool:
        return bool(self._archive) or (self._options.pull and not self._reference.startswith("localhost/"))

    def _not_to_be_fetched(self) -> Told:
        bring = "bring it: podman load, or vllm_image_archives"
        if self._reference.startswith("localhost/"):
            return trouble_of(
                "image_missing",
                "it is not on the host, and localhost/ has no registry to pull it from",
                bring,
            )
        return trouble_of(
            "image_missing", "it is not on the host, and it is not to be pulled (vllm_image_pull)", bring
        )

    def _refuse_two_identities(self) -> None:
        found = identities(self._reference, looks_of(self._look["platform"]))
        if len(found) < 2 or self._is_pinned():
            return
        told = "; ".join(f"{identity[:19]}… on {_some(hosts)}" for identity, hosts in sorted(found.items()))
        message = f"the hosts do not have the same image under this name: {told}"
        if not self._is_fetchable():
            self._progress.tell(
                f"{message}. It was brought there by hand, so this is not held against it", at_once=True
            )
            return
        fix = "-e vllm_refresh_tags=true brings all of them to what the tag names now; or write the image with its digest"
        raise TroubleError(trouble_of("image_two_identities", message, fix))

    def _adopt(self) -> Outcome:
        """It is there. What was not remembered yet is remembered, which changes nothing that anybody sees."""
        here = self._here or {}
        known = self._look["remembered"].get(self._reference) == here["identity"]
        if here["way"] == "host" and not known and not self._options.predict:
            self._host.step("keep", image=self._reference)
        return Outcome(identity=here["identity"])

    # ---- from a registry

    def _from_registry(self) -> Outcome:
        pinned = parse_reference(self._reference).digest
        for digest in [pinned] if pinned else self._digests():
            if self._here and self._here["identity"] == digest:
                return self._adopt()
            trouble = self._try_to_pull(digest)
            if trouble is None:
                kept = self._keep(digest=digest)
                return Outcome(kept["identity"], True, f"pull {self._reference} ({digest})", self._where())
            if trouble["code"] != "image_unknown":
                break
        raise TroubleError(self._about_digest(trouble or {}))

    def _digests(self) -> t.Iterator[str]:
        """What the other hosts have, then what the tag names now: an image built on a host is in no registry by its digest."""
        looks = looks_of(self._look["platform"])
        known = [
            identity for identity in identities(self._reference, looks) if identity.startswith("sha256:")
        ]
        if known and not self._options.refresh:
            yield known[0]
        with self._progress.beating("asks the registry, or waits for a host that asks, what the tag names"):
            digest, trouble = resolve_once(
                self._host.name, self._reference, self._look["platform"], self._resolve
            )
        if digest is None:
            raise TroubleError(trouble or {})
        yield digest

    def _try_to_pull(self, digest: str) -> Told | None:
        """Pull, with another try where that may help."""
        for attempt in range(self._options.retries + 1):
            trouble = self._pull(digest)
            if trouble is None or not trouble["again"] or attempt == self._options.retries:
                break
            self._pause(attempt, trouble)
        return trouble

    def _resolve(self) -> Told:
        """With another try where that may help."""
        for attempt in range(self._options.retries + 1):
            answer = self._host.step("resolve", image=self._reference, logins=self._logins)
            trouble = answer["trouble"]
            if not trouble or not trouble["again"] or attempt == self._options.retries:
                break
            self._pause(attempt, trouble)
        return answer

    def _pause(self, attempt: int, trouble: Told) -> None:
        """Say why there is another try, and wait for it."""
        pause = min(self._options.retry_delay * 2**attempt, _LONGEST_PAUSE)
        count = f"attempt {attempt + 1} of {self._options.retries + 1}"
        self._progress.tell(f"{count} failed: {trouble['message']}; again in {pause:g} s", at_once=True)
        time.sleep(pause)

    def _pull(self, digest: str) -> Told | None:
        sources = [dataclasses.asdict(each) for each in sources_of(self._reference, self._options.registries)]
        began = self._host.step(
            "pull",
            image=self._reference,
            digest=digest,
            sources=sources,
            logins=self._logins,
            unpack_factor=self._options.unpack_factor,
        )
        return began["trouble"] if began["job"] is None else self._watch(began, "pulled")

    def _about_digest(self, trouble: Told) -> Told:
        """A digest that is not there is told as what it is."""
        if trouble["code"] == "image_unknown" and self._is_pinned():
            fix = "correct the digest (podman manifest inspect, or the page of the registry), or write a tag"
            return {**trouble, "code": "image_digest_unknown", "fix": fix}
        return trouble

    # ---- from an archive

    def _from_archive(self, archive: Archive) -> Outcome:
        path, image_id = archive.path, None
        if not archive.on_host:
            image_id = _content(path, self._reference).image_id
            if self._here and self._here["image_id"] == image_id:
                return self._adopt()
            path = self._copied(path)
        began = self._host.step("load", image=self._reference, archive=path)
        trouble = began["trouble"] if began["job"] is None else self._watch(began, "loaded")
        if trouble:
            raise TroubleError(trouble)
        if self._here and self._here["image_id"] == began["image_id"]:
            return self._adopt()
        self._keep(image_id=began["image_id"], archive=None if archive.on_host else path)
        return Outcome(began["image_id"], True, f"load {self._reference} from {archive.path}", self._where())

    def _copied(self, path: str) -> str:
        target, trouble = copy_archive(
            self._host, self._reference, path, self._look["state_dir"], self._progress
        )
        if trouble:
            raise TroubleError(trouble)
        return target

    # ---- both

    def _keep(self, **came: t.Any) -> Told:
        kept = self._host.step("keep", image=self._reference, **came)
        if kept["trouble"]:
            raise TroubleError(kept["trouble"])
        return kept

    def _watch(self, answer: Told, doing: str) -> Told | None:
        """Until the end of the job; None where it ended well. ``answer`` is that of the step which began it."""
        moved_at, before = time.monotonic(), answer["job"]
        while answer["job"]["code"] is None:
            job = answer["job"]
            self._progress.bytes(job["done_bytes"], job["total_bytes"], doing, "being unpacked")
            if _moved(before, job):
                moved_at, before = time.monotonic(), job
            elif time.monotonic() - moved_at > self._options.stalled_after:
                self._host.step("stop", image=self._reference)
                return _stalled(self._options.stalled_after)
            answer = self._host.step("watch", image=self._reference, seconds=_WATCH_SECONDS)
        if answer["trouble"]:
            self._host.step("stop", image=self._reference)
        return t.cast("Told | None", answer["trouble"])


def _content(path: str, reference: str) -> image_archive.Content:
    try:
        return image_archive.image_of(path, reference)
    except ValueError as problem:
        fix = "correct vllm_image_archives, or make the archive again: podman save"
        raise TroubleError(trouble_of("image_archive_unusable", str(problem), fix)) from problem


def _stalled(seconds: float) -> Told:
    message = f"nothing came for {seconds:g} s"
    return trouble_of(
        "image_registry_broke_off", message, "look at the registry and the way to it", again=True
    )


def _moved(before: Told, now: Told) -> bool:
    came = now["done_bytes"] != before["done_bytes"]
    return bool(came or now["busy_seconds"] - before["busy_seconds"] > _BUSY_SECONDS)


def _some(hosts: t.Sequence[str]) -> str:
    more = f" and {len(hosts) - 3} more" if len(hosts) > 3 else ""
    return ", ".join(hosts[:3]) + more
