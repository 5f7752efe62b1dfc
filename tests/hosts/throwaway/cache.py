"""The cache: images in a store of their own, the model, each keyed by a hash of what it is made from."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import typing as t
from pathlib import Path

from .run import run, say, succeeds

RECIPES = Path(__file__).resolve().parent.parent / "recipes"


def directory() -> Path:
    """Where everything is kept that takes long to make; `make clean` leaves it alone."""
    base = os.environ.get("XDG_CACHE_HOME") or Path(os.environ.get("HOME", "/root")) / ".cache"
    return Path(base) / "vllm-fleet"


def store() -> Path:
    """A store of container images; hosts mount it read-only."""
    return directory() / "images"


def key(recipe: str, *modules: str) -> str:
    """Twelve hex digits that change when a file of the recipe, the code that follows it or the architecture does."""
    files = sorted(path for path in (RECIPES / recipe).rglob("*") if path.is_file())
    return key_of([*files, *(Path(module) for module in modules)])


def key_of(files: t.Iterable[Path], more: str = "") -> str:
    """Twelve hex digits that change when one of the files, the other text or the architecture does."""
    digest = hashlib.sha256((platform.machine() + more).encode())
    for path in files:
        digest.update(f"\0{path.name}\0{is_executable(path)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def is_executable(path: Path) -> bool:
    """The one bit that git keeps; the others depend on who checked out."""
    return bool(path.stat().st_mode & 0o100)


def packages(recipe: str) -> list[str]:
    """The Debian packages that a recipe names."""
    lines = (RECIPES / recipe / "packages.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def podman(*arguments: str) -> list[str]:
    """Podman on the store of images; containers never live there."""
    place = store()
    return [
        *("podman", "--root", str(place), "--runroot", "/run/vllm-fleet-sandbox/images/run"),
        *("--tmpdir", "/run/vllm-fleet-sandbox/images/tmp", "--storage-driver", "overlay"),
        *arguments,
    ]


def has_image(reference: str) -> bool:
    """Whether the store holds it."""
    return succeeds(podman("image", "exists", reference))


def image_id(reference: str) -> str:
    """What the store holds under this name; empty when it holds nothing."""
    told = run(podman("image", "inspect", "--format", "{{.Id}}", reference), check=False)
    return told.stdout.strip() if told.returncode == 0 else ""


def tag(reference: str, name: str) -> None:
    """Give an image another name."""
    run(podman("tag", reference, name))


def add_image(root: Path, reference: str, changes: t.Sequence[str], log: Path) -> None:
    """Make an image from a tree; it gets its name only when it is whole."""
    options = [part for change in changes for part in ("--change", change)]
    script = 'tar -C "$1" --one-file-system --sort=name -cf - . | (shift; exec "$@")'
    command = podman("import", "--quiet", *options, "-", reference)
    run(["bash", "-o", "pipefail", "-c", script, "bash", str(root), *command], log=log)


@contextlib.contextmanager
def locked(place: Path) -> t.Iterator[None]:
    """One program at a time, for as long as it lives; the directory itself is the lock."""
    handle = _lock(place)
    while not _is_still(handle, place):  # whoever had it may have removed the directory
        os.close(handle)
        handle = _lock(place)
    try:
        yield
    finally:
        os.close(handle)


def _lock(place: Path) -> int:
    place.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"waiting for another run that uses {place}")
        fcntl.flock(handle, fcntl.LOCK_EX)
    return handle


def _is_still(handle: int, place: Path) -> bool:
    return place.exists() and os.path.samestat(os.fstat(handle), place.stat())
