"""Repositories on this host, in the layout of the hub: which commit a name means here, and whether all of it is there."""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t
from pathlib import Path

from .model_files import look_into
from .release_files import read, write

_COMMIT = re.compile(r"[0-9a-f]{40}")
NOTES = ".vllm-fleet"  # beside blobs, refs and snapshots: which files a commit has, as the hub told it
MAIN = "main"

Asked = t.Mapping[str, t.Any]  # a repository or a path as vllm_plan returns it


@dataclasses.dataclass(frozen=True)
class Weights:
    """What is here of a repository. ``commit`` is None where its name was never resolved on this host."""

    commit: str | None
    complete: bool
    path: str | None = None
    files: int = 0
    total_bytes: int = 0
    problem: str | None = None


def home_of(models: Path, repo: str) -> Path:
    """The folder of a repository."""
    return models / ("models--" + repo.replace("/", "--"))


def commit_of(home: Path, revision: str | None) -> str | None:
    """The commit that the name stands for on this host; a commit stands for itself."""
    name = revision or MAIN
    return name if _COMMIT.fullmatch(name) else (read(home / "refs" / name) or "").strip() or None


def look(
    models: Path, repo: str, revision: str | None, kinds: t.Sequence[str], commit: str | None = None
) -> Weights:
    """What is here of a repository, at ``commit`` where that is given."""
    home = home_of(models, repo)
    commit = commit or commit_of(home, revision)
    if commit is None:
        return Weights(None, False, problem="it was never fetched to this host")
    snapshot = home / "snapshots" / commit
    if not snapshot.is_dir():
        return Weights(commit, False, problem=f"its commit {commit[:12]} is not on this host")
    problem = _lacks(home, snapshot, commit) or _unreadable(snapshot, kinds)
    sizes = [path.stat().st_size for path in snapshot.rglob("*") if path.is_file()]
    return Weights(commit, problem is None, str(snapshot), len(sizes), sum(sizes), problem)


def _lacks(home: Path, snapshot: Path, commit: str) -> str | None:
    """Files that the hub told of and that are not whole; of what was put here by hand nothing is known."""
    try:
        files = json.loads(read(home / NOTES / f"{commit}.json") or "{}").get("files", {})
    except ValueError:
        return f"the note of its files, {home / NOTES / commit}.json, is no JSON"
    for name, size in sorted(files.items()):
        path = snapshot / name
        if not path.is_file():
            return f"{name} is not there"
        if size is not None and path.stat().st_size != size:
            return f"{name} has {path.stat().st_size} of {size} bytes"
    return None


def _unreadable(snapshot: Path, kinds: t.Sequence[str]) -> str | None:
    """What its own index and headers say; a tokenizer and a config have no weights, an adapter has those of an adapter."""
    if not {"model", "draft"} & set(kinds):
        return None if any(snapshot.iterdir()) else "it is empty"
    problem = look_into(snapshot).problem
    # A model without a config.json may be of another format, of which only the files can be told.
    return problem.message if problem and problem.code not in ("config_missing", "adapter_only") else None


def look_at_path(path: str, kinds: t.Sequence[str]) -> str | None:
    """What is missing of a directory or a file that a command line names; None where nothing is."""
    place = Path(path)
    if not place.exists():
        return "it is not on this host"
    return _unreadable(place, kinds) if place.is_dir() else None


def look_at_all(
    models: Path, wanted: t.Sequence[Asked], paths: t.Sequence[Asked], commits: t.Mapping[str, str]
) -> dict[str, t.Any]:
    """All that a plan names: ``weights`` by key, and by path what is missing of it, None where nothing is."""
    found = {
        each["key"]: dataclasses.asdict(
            look(models, each["repo"], each["revision"] or None, each["kinds"], commits.get(each["key"]))
        )
        for each in wanted
    }
    return {
        "weights": found,
        "paths": {each["path"]: look_at_path(each["path"], each["kinds"]) for each in paths},
    }


def told(looked: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """What ``vllm_weights_info`` returns of such a look."""
    weights = looked["weights"]
    return {
        "weights": weights,
        "model_revisions": {key: each["commit"] for key, each in weights.items() if each["complete"]},
        "missing_weights": [key for key, each in weights.items() if not each["complete"]],
        "missing_paths": {path: problem for path, problem in looked["paths"].items() if problem},
    }


def remember(models: Path, repo: str, revision: str | None, commit: str) -> None:
    """Note what a name means from now on; also `main`, for code that forgets the revision."""
    home = home_of(models, repo)
    name = revision or MAIN
    if name != commit:
        write(home / "refs" / name, commit)
    if not (home / "refs" / MAIN).exists():
        write(home / "refs" / MAIN, commit)
