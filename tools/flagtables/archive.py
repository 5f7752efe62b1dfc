"""The dumps of the real parsers, one JSON per release, in one small archive."""

from __future__ import annotations

import io
import json
import re
import tarfile
import typing as t
from pathlib import Path

ARCHIVE = Path(__file__).resolve().parent.parent / "vllm_parser_dumps.tar.xz"
FIRST = (0, 10, 0)

Dump = dict[str, t.Any]


def order(version: str) -> tuple[int, ...]:
    """A version as numbers, for sorting."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def release(version: str) -> str:
    """The release as the tables name it: ``0.10.1`` for 0.10.1.1."""
    return ".".join(map(str, order(version)[:3]))


def read(path: Path = ARCHIVE) -> dict[str, Dump]:
    """Every dump by its release as the tables name it (``0.10.1`` for 0.10.1.1), oldest first."""
    with tarfile.open(path) as archive:
        files = {
            member.name: archive.extractfile(member) for member in archive if member.name.endswith(".json")
        }
        dumps = {release(name): json.load(file) for name, file in files.items() if file is not None}
    return {version: dumps[version] for version in sorted(dumps, key=order) if order(version) >= FIRST}


def write(dumps: t.Mapping[str, Dump], path: Path = ARCHIVE) -> None:
    """Write the archive so that the same dumps give the same bytes."""
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for version in sorted(dumps, key=order):
            text = json.dumps(trim(dumps[version]), separators=(",", ":"), sort_keys=True).encode()
            member = tarfile.TarInfo(f"{version}.json")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))


def trim(dump: Dump) -> Dump:
    """Only what the tables are made from: no help texts, no paths."""
    keep = (
        "dest",
        "action",
        "type",
        "nargs",
        "const",
        "default",
        "choices",
        "deprecated",
        "src",
        "all_options",
    )
    actions = [
        {
            key: action.get(key)
            for key in (*keep, "negative_options", "json_class")
            if action.get(key) is not None
        }
        for action in dump["actions"]
    ]
    classes = {name: _trim_class(entry) for name, entry in dump["classes"].items()}
    return {
        "version": dump["version"],
        "actions": actions,
        "classes": classes,
        "registries": dump["registries"],
    }


def _trim_class(entry: Dump) -> Dump:
    keep = ("ty", "default", "bounds", "init", "required")
    fields = {
        name: {key: field[key] for key in keep if field.get(key) is not None}
        for name, field in entry["fields"].items()
    }
    return {
        "extra": entry.get("extra"),
        "field_validators": entry.get("field_validators") or {},
        "fields": fields,
    }
