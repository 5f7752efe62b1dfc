"""Write pipelines_data.py and adapters_data.py of plugins/module_utils/_fit from the sources of vLLM's releases.

    python tools/pipelines.py FOLDER

FOLDER holds one folder per release, named after it (``0.26.0/vllm/…`` or ``vllm-0.26.0/vllm/…``). A model class runs in
a pipeline when SupportsPP is among its bases, and takes LoRA adapters when SupportsLoRA is. A class of whose bases one
cannot be found here counts as one that does.
"""

from __future__ import annotations

import ast
import sys
import typing as t
from pathlib import Path

from releases import Release, folders_with, in_use, model_tables, release_of, row, stretches

TARGETS = Path(__file__).parents[1] / "plugins" / "module_utils" / "_fit"
# What is asked of a class, the module that holds the answers, and its first words.
TRAITS = {
    "SupportsPP": ("pipelines_data.py", "cannot be split into a pipeline", "all can split"),
    "SupportsLoRA": ("adapters_data.py", "take no LoRA adapters", "all can adapt"),
}
MODELS = "vllm.model_executor.models"
OUTSIDE = ("torch", "transformers", "typing", "abc", "collections", "enum", "dataclasses")
HEAD = '''"""Model classes that {lack}, from release to release; made by tools/pipelines.py."""

from __future__ import annotations

from .._settings.version import Release

# First, last, names: the releases that were looked at. What no release registers, or {all}, is left out.
_ROWS: tuple[tuple[Release, Release, str], ...] = (
'''
FOOT = """)  # fmt: skip

SPANS: dict[str, list[tuple[Release, Release]]] = {}
for _first, _last, _names in _ROWS:
    for _name in _names.split():
        SPANS.setdefault(_name, []).append((_first, _last))
"""


class Sources:
    """The classes of one release and where their names come from."""

    def __init__(self, folder: Path, trait: str) -> None:
        """Take it."""
        self.folder = folder
        self.trait = trait
        self._read: dict[Path, tuple[dict[str, list[ast.expr]], dict[str, tuple[Path | None, str]]]] = {}

    def registered(self) -> dict[str, tuple[str, str]]:
        """Every class that the registry lists: its module, its name there."""
        rows = in_use(model_tables(self.folder)).items()
        return {
            arch: (getattr(held.elts[0], "value", ""), getattr(held.elts[1], "value", ""))
            for arch, held in rows
            if isinstance(held, ast.Tuple)
        }

    def lacks(self, module: str, name: str) -> bool:
        """Whether the trait is surely not among its bases."""
        places = self._places(module if module.startswith("vllm.") else f"{MODELS}.{module}")
        told = [self._has(path, name, frozenset()) for path in places]
        known = [each for each in told if each is not None]
        return bool(known) and not any(known)

    def _places(self, module: str) -> list[Path]:
        base = self.folder / module.replace(".", "/")
        return sorted(base.rglob("*.py")) if base.is_dir() else [base.with_suffix(".py")]

    def _has(self, path: Path, name: str, seen: frozenset[tuple[Path, str]]) -> bool | None:
        """Whether the class there has the trait, True when its bases are not all known; None when it is not there."""
        classes, imports = self._parse(path)
        if name not in classes or (path, name) in seen:
            return None
        return any(self._base(path, imports, each, seen | {(path, name)}) for each in classes[name])

    def _base(
        self, path: Path, imports: t.Mapping[str, t.Any], base: ast.expr, seen: frozenset[tuple[Path, str]]
    ) -> bool:
        named = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(named, ast.Attribute):
            return ast.unparse(named) != "nn.Module"
        if not isinstance(named, ast.Name) or named.id == self.trait:
            return True
        if named.id in self._parse(path)[0]:
            return self._has(path, named.id, seen) is not False
        source, there = imports.get(named.id, (path, ""))
        return source is not None and (not there or self._has(source, there, seen) is not False)

    def _parse(self, path: Path) -> tuple[dict[str, list[ast.expr]], dict[str, tuple[Path | None, str]]]:
        if path not in self._read:
            tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
            classes = {node.name: node.bases for node in tree.body if isinstance(node, ast.ClassDef)}
            imports = {}
            for node in (each for each in tree.body if isinstance(each, ast.ImportFrom)):
                for alias in node.names:
                    imports[alias.asname or alias.name] = (self._source(path, node), alias.name)
            self._read[path] = classes, imports
        return self._read[path]

    def _source(self, path: Path, node: ast.ImportFrom) -> Path | None:
        """The file that a name is imported from, None when it is not vLLM's."""
        if not node.level and (node.module or "").split(".")[0] in OUTSIDE:
            return None
        base = path.parents[node.level - 1] if node.level else self.folder
        found = base / (node.module or "").replace(".", "/")
        return found / "__init__.py" if found.is_dir() else found.with_suffix(".py")


def spans(folders: t.Sequence[Path], trait: str) -> dict[tuple[Release, Release], list[str]]:
    """Runs of releases by what lacks the trait in them."""
    releases = [release_of(folder) for folder in folders]
    lacking: list[set[str]] = []
    for folder in folders:
        sources = Sources(folder, trait)
        rows = sources.registered().items()
        lacking.append({arch for arch, (module, name) in rows if sources.lacks(module, name)})
    found: dict[tuple[Release, Release], list[str]] = {}
    for name in sorted(set().union(*lacking)):
        for first, last, _lacks in stretches([True if name in each else None for each in lacking]):
            found.setdefault((releases[first], releases[last]), []).append(name)
    return found


def main(folder: str) -> None:
    """Read every release under the folder, write the modules."""
    folders = folders_with(Path(folder), "vllm/model_executor/models")
    for trait, (module, lack, every) in TRAITS.items():
        lines = [row(names, first, last) for (first, last), names in sorted(spans(folders, trait).items())]
        head = HEAD.format(lack=lack, all=every)
        (TARGETS / module).write_text(head + "".join(lines) + FOOT, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
