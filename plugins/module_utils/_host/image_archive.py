"""An archive of an image: which image is in it. ``podman save`` and ``docker save`` write two kinds."""

from __future__ import annotations

import dataclasses
import json
import tarfile
import typing as t

_ID_DIGITS = 64


@dataclasses.dataclass(frozen=True)
class Content:
    """One image of an archive: its ID, and the names it has in there."""

    image_id: str
    names: tuple[str, ...]


def contents(path: str) -> list[Content]:
    """The images of an archive; ValueError where it is none."""
    try:
        with tarfile.open(path, "r:*") as archive:
            return _docker(archive) if "manifest.json" in archive.getnames() else _oci(archive)
    except (tarfile.TarError, OSError, EOFError) as problem:
        raise ValueError(f"{path} cannot be read: {problem}") from problem
    except (KeyError, TypeError, IndexError, json.JSONDecodeError) as problem:
        raise ValueError(f"{path} is not an archive as podman save or docker save writes it") from problem


def image_of(path: str, reference: str) -> Content:
    """The image that is meant: the one of that name, or the only one."""
    found = contents(path)
    named = [each for each in found if reference in each.names]
    if named or len(found) == 1:
        return (named or found)[0]
    names = ", ".join(name for each in found for name in each.names) or "images without names"
    raise ValueError(f"{path} holds {names}, and none of them is {reference}")


def _docker(archive: tarfile.TarFile) -> list[Content]:
    found = []
    for each in _json(archive, "manifest.json"):
        config = each["Config"].rpartition("/")[2]
        found.append(
            Content(config[:-5] if config.endswith(".json") else config, tuple(each.get("RepoTags") or ()))
        )
    return _checked(found)


def _oci(archive: tarfile.TarFile) -> list[Content]:
    found = []
    for each in _json(archive, "index.json")["manifests"]:
        manifest = _json(archive, "blobs/" + each["digest"].replace(":", "/"))
        name = (each.get("annotations") or {}).get("org.opencontainers.image.ref.name")
        config = manifest["config"]["digest"].rpartition(":")[2]
        found.append(Content(config, (name,) if name else ()))
    return _checked(found)


def _checked(found: list[Content]) -> list[Content]:
    if not found or any(len(each.image_id) != _ID_DIGITS for each in found):
        raise KeyError("no image")
    return found


def _json(archive: tarfile.TarFile, name: str) -> t.Any:
    file = archive.extractfile(name)
    if file is None:
        raise KeyError(name)
    with file:
        return json.load(file)
