"""Weights that came by other ways than the hub: looked at before they count, then put where servers read them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import typing as t
from pathlib import Path

from .command import HostError
from .model_files import look_into
from .release_files import write
from .weights import NOTES, home_of, remember

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SMALL = 16 << 20  # of larger files only the size goes into the commit that we give them
_CHUNK = 1 << 20


def staging_of(state_dir: str, target: str) -> Path:
    """Where what comes is put until it counts; beside a directory, so that it need not be copied again."""
    if target.startswith("/"):
        return Path(target.rstrip("/") + ".incoming")
    return Path(state_dir, "models", ".incoming", target.replace("/", "--"))


def adopt_repository(
    state_dir: str, repo: str, revision: str | None, kinds: t.Sequence[str], source: str
) -> str:
    """Put a repository into the layout of the hub; the commit it has from now on."""
    came = _whole(staging_of(state_dir, repo), kinds, source)
    models = Path(state_dir, "models")
    commit = revision if revision and _COMMIT.fullmatch(revision) else digest(came)
    home = home_of(models, repo)
    sizes = {str(path.relative_to(came)): path.stat().st_size for path in _files(came)}
    write(home / NOTES / f"{commit}.json", json.dumps({"schema": 1, "files": sizes, "source": source}))
    _put(came, home / "snapshots" / commit)
    remember(models, repo, revision, commit)
    shutil.rmtree(staging_of(state_dir, repo), ignore_errors=True)
    return commit


def adopt_path(target: str, kinds: t.Sequence[str], source: str) -> None:
    """Put a directory, or a single file, to its place."""
    staging = staging_of("", target)
    files = _files(staging)
    if not kinds and len(files) == 1 and files[0].name == Path(target).name:
        _put(files[0], Path(target))
    else:
        _put(_whole(staging, kinds, source), Path(target))
    shutil.rmtree(staging, ignore_errors=True)


def digest(folder: Path) -> str:
    """Stands for the commit where there is none: the same on every host that was given the same."""
    parts = hashlib.sha256()
    for path in _files(folder):
        size = path.stat().st_size
        parts.update(f"{path.relative_to(folder)} {size}\n".encode("utf-8", "surrogateescape"))
        if size <= _SMALL:
            with path.open("rb") as file:
                for chunk in iter(lambda: file.read(_CHUNK), b""):
                    parts.update(chunk)
    return parts.hexdigest()[:40]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _whole(staging: Path, kinds: t.Sequence[str], source: str) -> Path:
    """The folder with the files, once nothing is missing of them."""
    inside = list(staging.iterdir()) if staging.is_dir() else []
    while len(inside) == 1 and inside[0].is_dir():  # archives often hold one folder
        staging = inside[0]
        inside = list(staging.iterdir())
    if not inside:
        raise HostError(f"nothing came from {source}")
    problem = look_into(staging).problem if {"model", "draft"} & set(kinds) else None
    if problem is not None and problem.code != "config_missing":
        raise HostError(f"what came from {source} is not whole: {problem.message}")
    return staging


def _put(came: Path, target: Path) -> None:
    """Into place in one step; what was there before goes first."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    came.replace(target)
    target.chmod(0o755 if target.is_dir() else 0o644)
