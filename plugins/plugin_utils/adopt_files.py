"""Files of the control node that hold what somebody runs: read, told apart by what is in them, and handed to the reader."""

from __future__ import annotations

import functools
import json
import pathlib
import typing as t

import yaml

from ..module_utils._adopt import compose, quadlet_unit
from ..module_utils._adopt.found import Found, UnreadableError
from ..module_utils._adopt.inspect import read_inspect
from ..module_utils._adopt.interpolate import read_dotenv
from ..module_utils._adopt.script_file import read_script_file

_MOST_BYTES = 1 << 20
_UNITS = (".container", ".service")


class _ComposeLoader(yaml.SafeLoader):
    """YAML with compose's own tags (``!reset``, ``!override``), which say nothing here."""


def _untagged(loader: t.Any, _tag: str, node: yaml.Node) -> t.Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


_ComposeLoader.add_multi_constructor("!", _untagged)


def read_file(path: pathlib.Path, variables: t.Mapping[str, str], service: str | None = None) -> list[Found]:
    """What a file runs; ValueError says why that cannot be told."""
    text = _text(path)
    name = path.name
    files = functools.partial(_beside, path.parent)
    if path.suffix in _UNITS:
        return quadlet_unit.read_unit(text, name, files, variables)
    if text.lstrip()[:1] in "[{" and text.strip():
        return _described(text, name)
    document = _yaml(text, path)
    if isinstance(document, dict) and ("services" in document or path.suffix in (".yml", ".yaml")):
        values = {**read_dotenv(files(".env") or ""), **variables}
        return compose.read_compose(document, name, values, files, service)
    return read_script_file(text, name, variables, files)


def _text(path: pathlib.Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UnreadableError(f"{path} is larger than a script or a compose file ever is")
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise UnreadableError(f"{path} cannot be read: {problem.strerror}") from problem


def _beside(folder: pathlib.Path, name: str) -> str | None:
    """The content of a file by the name under which one beside it names it; None where it is not there."""
    try:
        file = folder / pathlib.Path(name).expanduser()
        is_there = bool(name) and file.is_file()
    except (OSError, RuntimeError, ValueError):  # a name that no file can have
        return None
    return _text(file) if is_there else None


def _yaml(text: str, path: pathlib.Path) -> t.Any:
    """The document; None for a script, which may look like YAML by accident."""
    try:
        return yaml.load(text, Loader=_ComposeLoader)  # a SafeLoader
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as problem:
        if path.suffix in (".yml", ".yaml"):
            raise UnreadableError(f"{path} is no YAML: {_why(problem)}") from problem
        return None


def _why(problem: Exception) -> str:
    """The place and the reason, without the line itself, which may hold a secret."""
    mark = getattr(problem, "problem_mark", None)
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return place + " ".join(str(getattr(problem, "problem", None) or type(problem).__name__).split())


def _described(text: str, name: str) -> list[Found]:
    """What ``podman inspect`` or ``docker inspect`` printed."""
    try:
        described = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise UnreadableError(f"{name} begins like JSON and is none: {problem}") from problem
    items = described if isinstance(described, list) else [described]
    containers = [
        each for each in items if isinstance(each, dict) and "Config" in each and "HostConfig" in each
    ]
    if not containers:
        raise UnreadableError(f"{name} is JSON, and no answer of `podman inspect` about a container")
    tool: t.Literal["podman", "docker"] = "podman" if "ImageName" in containers[0] else "docker"
    return [read_inspect(each, {}, tool) for each in containers]
