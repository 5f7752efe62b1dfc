"""A release becomes the one that boots, and what only older releases needed goes."""

from __future__ import annotations

import shutil
import typing as t

from .._release.records import Outcome, Record
from . import image_prune, owned, release_store
from .command import HostError
from .release_files import InstanceFiles, write
from .release_steps import image_of, source_of
from .removal import remove_instance
from .trial_unit import take_away

if t.TYPE_CHECKING:
    from .._release.transaction import Member
    from .command import Run


def accept(run: Run, files: InstanceFiles, member: Member, ended: Outcome, fleet: str) -> list[str]:
    """Accept one member; what was done, for people. May be done again after it was interrupted. No reload yet."""
    if member.record is None:
        return remove_instance(run, files, fleet)
    if member.action != "release":
        return []
    number = int(member.record["release"])
    text = member.unit_text or ""
    full = _concluded(files, number, ended)
    write(files.unit, text)
    release_store.make_current(files, number)
    take_away(files)
    run("podman", "tag", image_of(text), image_prune.release_tag(files.name, number))
    done = [f"accept release {number}: {files.unit}", *prune(run, files)]
    full = full and _concluded(files, number, ended)  # what was pruned may have made room
    return [*done, f"how release {number} ended cannot be written down: {full}"] if full else done


def _concluded(files: InstanceFiles, number: int, ended: Outcome) -> OSError | None:
    """Why it cannot be written down how a release ended. What serves is made what boots all the same."""
    try:
        release_store.conclude(files, number, ended)
    except OSError as error:
        return error
    return None


def prune(run: Run, files: InstanceFiles) -> list[str]:
    """Keep the accepted release and the one accepted before it, whole; the others go with all that is theirs alone."""
    now = release_store.current(files)
    if now is None:
        return []
    keep = {now.release, release_store.previous(files)}
    kept = [each for number in keep if number and (each := release_store.record(files, number))]
    gone = [number for number in release_store.numbers(files) if number not in keep and number < now.release]
    for number in gone:
        release_store.forget(files, number)
    _forget_caches(files, kept)
    _forget_secrets(run, files, kept)
    return [*(f"forget release {number}" for number in gone), *_forget_images(run, files, kept)]


def _forget_images(run: Run, files: InstanceFiles, kept: t.Sequence[Record]) -> list[str]:
    """An image that stays costs room, and no release is to fail for it."""
    try:
        return image_prune.prune(
            run, str(files.home.parent), {files.name: {record.release for record in kept}}
        )
    except HostError as error:
        return [f"old images stay: {error}"]


def _forget_caches(files: InstanceFiles, kept: t.Sequence[Record]) -> None:
    sources = {source_of(mount) for record in kept for mount in record.intent["mounts"]}
    folders = files.caches.iterdir() if files.caches.is_dir() else ()
    for folder in list(folders):
        if not any(source == str(folder) or source.startswith(f"{folder}/") for source in sources):
            shutil.rmtree(folder, ignore_errors=True)


def _forget_secrets(run: Run, files: InstanceFiles, kept: t.Sequence[Record]) -> None:
    needed = {name for record in kept for name in record.intent["secrets"].values()}
    for secret in owned.secrets(run):
        if secret.instance == files.name and secret.name not in needed:
            run("podman", "secret", "rm", secret.name)
