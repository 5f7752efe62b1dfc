"""What the makers of tables share: folders of releases, their registry, runs of what stays the same, rows of names."""

from __future__ import annotations

import ast
import re
import textwrap
import typing as t

if t.TYPE_CHECKING:
    from pathlib import Path

REGISTRY = "vllm/model_executor/models/registry.py"

Release = tuple[int, ...]
T = t.TypeVar("T")


def release_of(folder: Path) -> Release:
    """(0, 26, 0) for ``0.26.0`` or ``vllm-0.26.0``."""
    return tuple(map(int, re.findall(r"\d+", folder.name)[:3]))


def folders_with(folder: Path, path: str) -> list[Path]:
    """The releases below a folder that have that path, from the oldest on."""
    return sorted((each for each in folder.iterdir() if (each / path).exists()), key=release_of)


def model_tables(folder: Path) -> dict[str, dict[str, ast.expr]]:
    """The registry's dictionaries: their names, the model classes that they list, and where those are."""
    found = {}
    for node in ast.parse((folder / REGISTRY).read_text(encoding="utf-8")).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and target.id.endswith("_MODELS") and isinstance(value, ast.Dict):
            held = zip(value.keys, value.values)
            found[target.id] = {str(key.value): each for key, each in held if isinstance(key, ast.Constant)}
    return found


def in_use(tables: t.Mapping[str, dict[str, ast.expr]]) -> dict[str, ast.expr]:
    """The classes of those that a release registers; it names dropped ones, too."""
    used = [held for table, held in tables.items() if not table.startswith(("_PREVIOUSLY", "_OOT"))]
    return {name: where for held in used for name, where in held.items()}


def stretches(
    held: t.Sequence[T | None], same: t.Callable[[T | None, T | None], bool] = lambda one, other: one == other
) -> list[tuple[int, int, T]]:
    """First, last and value of each run of one value, by their places; None is absence."""
    found: list[tuple[int, int, T]] = []
    start = 0
    for at in range(1, len(held) + 1):
        if at < len(held) and same(held[at], held[start]):
            continue
        value = held[start]
        if value is not None:
            found.append((start, at - 1, value))
        start = at
    return found


def block(names: t.Iterable[str]) -> str:
    """Names in lines of the width that a table has."""
    return textwrap.fill(" ".join(names), 112, initial_indent="    ", subsequent_indent="    ")


def row(names: t.Iterable[str], *about: object) -> str:
    """What is said about some names, and the names, as a row of a table."""
    return f'    ({", ".join(map(str, about))}, """\n{block(names)}\n    """),\n'
