"""Values that remember where they were written, and how one layer lies over another."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.argv import setting_name
from .words import key_text

Path = tuple[str, ...]
# Their keys are names of other people and stay as they are written.
_FOREIGN = frozenset({"env", "secrets", "container"})


@dataclasses.dataclass(frozen=True)
class Node:
    """A value and where it was written; the value of a mapping holds nodes again."""

    value: t.Any
    origin: str
    rank: int  # of its layer, lowest first

    def plain(self) -> t.Any:
        """The value without its origins."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        return self.value

    def find(self, *path: str) -> Node | None:
        """The node below this one, None where nothing was written."""
        node: Node | None = self
        for key in path:
            node = node.value.get(key) if node and isinstance(node.value, dict) else None
        return node

    def origins(self, prefix: str = "") -> dict[str, str]:
        """The origin of every value below this node, by its dotted path."""
        if not isinstance(self.value, dict):
            return {}
        found: dict[str, str] = {}
        for key, node in self.value.items():
            found[prefix + key] = node.origin
            found.update(node.origins(f"{prefix}{key}."))
        return found


@dataclasses.dataclass(frozen=True)
class Entry:
    """One key of a layer: its normalised path, its value, and its place as it was spelt."""

    path: Path
    value: t.Any
    origin: str


def entries(content: t.Mapping[t.Any, t.Any], origin: str) -> list[Entry]:
    """The keys of an instance, and of its settings, in one spelling; dotted keys become paths."""
    found = []
    for entry in _spelt(content, origin):
        if entry.path == ("settings",) and isinstance(entry.value, dict):
            found += [
                dataclasses.replace(inner, path=("settings", *inner.path))
                for inner in _spelt(entry.value, entry.origin)
            ]
            # An empty mapping is worth a place of its own: it says that there are settings.
            found += [] if entry.value else [entry]
        else:
            found.append(entry)
    return found


def twice(found: t.Sequence[Entry]) -> list[Entry]:
    """Those that say again, in another spelling, what an earlier entry of the same layer said."""
    seen: set[Path] = set()
    again = []
    for entry in found:
        again += [entry] if entry.path in seen else []
        seen.add(entry.path)
    return again


def lay(below: Node, found: t.Sequence[Entry], rank: int) -> Node:
    """One layer over what lies below: mappings merge, lists and scalars replace, null removes.

    ``argv`` replaces the ``argv`` and the ``settings`` below it, for a pasted command line says everything.
    """
    node = below
    if any(entry.path == ("argv",) and entry.value is not None for entry in found):
        kept = {key: value for key, value in node.value.items() if key not in ("argv", "settings")}
        node = dataclasses.replace(node, value=kept)
    for entry in found:
        node = _put(node, entry, entry.path, rank)
    return node


def _spelt(content: t.Mapping[t.Any, t.Any], origin: str) -> list[Entry]:
    found = []
    for key, value in content.items():
        text = key_text(key)
        parts = tuple(setting_name(text).split("."))
        # Only a whole dotted name is a path: `.x` and `x..y` are left for the check to refuse.
        # A trailing + makes a list of a word on a command line; here YAML has lists.
        path = (*parts[:-1], parts[-1].rstrip("+")) if len(parts) > 1 else parts
        path = path if all(parts) and parts[0] not in _FOREIGN else (text,)
        found.append(Entry(path, value, f"{origin}.{text}"))
    return found


def _put(node: Node, entry: Entry, path: Path, rank: int) -> Node:
    """``node`` with the value of ``entry`` at ``path`` below it."""
    key, *rest = path
    children = dict(node.value) if isinstance(node.value, dict) else {}
    child = children.get(key)
    if rest:
        above = entry.origin.rsplit(".", len(rest))[0]
        below = child if child and isinstance(child.value, dict) else Node({}, above, rank)
        merged: Node | None = _put(below, entry, tuple(rest), rank)
    else:
        merged = _merge(child, entry.value, entry.origin, rank)
    children.pop(key, None) if merged is None else children.update({key: merged})
    return Node(children, node.origin, node.rank)


def _merge(below: Node | None, value: t.Any, origin: str, rank: int) -> Node | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        return Node(_with_text_keys(value), origin, rank)
    children = dict(below.value) if below and isinstance(below.value, dict) else {}
    for key, inner in value.items():
        text = key_text(key)
        merged = _merge(children.get(text), inner, f"{origin}.{text}", rank)
        children.pop(text, None) if merged is None else children.update({text: merged})
    return Node(children, origin, rank)


def _with_text_keys(value: t.Any) -> t.Any:
    """JSON knows no other keys than texts, so mappings inside lists get them too."""
    if isinstance(value, dict):
        return {key_text(key): _with_text_keys(inner) for key, inner in value.items()}
    return [_with_text_keys(each) for each in value] if isinstance(value, list) else value
