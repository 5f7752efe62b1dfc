"""The classes of one release's attention backends, cut down to what they say of themselves, and asked."""

from __future__ import annotations

import ast
import contextlib
import sys
import types
import typing as t
from pathlib import Path

from . import stand_ins

_FOLDERS = (
    "vllm/v1/attention",
    "vllm/attention",
    "vllm/model_executor/layers/attention",
    "vllm/utils",
)
_HELPERS = ("fa_utils.py", "flashinfer.py", "kv_cache_interface.py")
_ENUMS = ("vllm/v1/attention/backends/registry.py", "vllm/attention/backends/registry.py")


def _is_asked(name: str) -> bool:
    return name.startswith(("supports_", "supported_", "get_supported_", "_get_")) or name in (
        "is_mla",
        "is_sparse",
    )


class Release:
    """The sources of one release."""

    def __init__(self, folder: Path) -> None:
        """Take it."""
        self.folder = folder
        self.nodes: dict[str, ast.ClassDef] = {}
        self.helpers: list[ast.stmt] = []
        self.code: dict[int, types.CodeType] = {}
        for path in (path for part in _FOLDERS for path in sorted((folder / part).rglob("*.py"))):
            self._take(path)

    def _take(self, path: Path) -> None:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                self.nodes.setdefault(node.name, node)
            elif isinstance(node, ast.FunctionDef) and path.name in _HELPERS:
                node.decorator_list = []
                self.helpers.append(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_plain(node.value):
                self.helpers.append(node)

    def registered(self) -> dict[str, str]:
        """Backends by the name that users write: the name of the class."""
        path = next(self.folder / each for each in _ENUMS if (self.folder / each).exists())
        found = {}
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name == "AttentionBackendEnum":
                for each in node.body:
                    value = each.value if isinstance(each, ast.Assign) else None
                    if isinstance(value, ast.Constant) and value.value:
                        found[each.targets[0].id] = value.value.rsplit(".", 1)[-1]  # type: ignore[attr-defined]
        return {name: klass for name, klass in found.items() if klass in self.nodes}

    def candidates(self, mla: bool, capability: stand_ins.Capability) -> tuple[str, ...]:
        """The backends that the platform tries, in its order."""
        path = self.folder / "vllm/platforms/cuda.py"
        world: dict[str, t.Any] = stand_ins.answers(capability)
        _import_from(world)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name == "_get_backend_priorities":
                node.decorator_list = []
                exec(self._compiled(node), world)
        ask, gpu = world["_get_backend_priorities"], stand_ins.DeviceCapability(*capability)
        known = ask.__code__.co_varnames
        ways = ({}, {"num_heads": 8}, {"kv_cache_dtype": "fp8"}, {"use_mm_prefix": True})
        found = [ask(mla, gpu, **each) for each in ways if all(name in known for name in each)]
        return tuple(dict.fromkeys(name for each in found for name in each))

    def build(self, name: str, capability: stand_ins.Capability) -> type:
        """The class on a platform of that capability."""
        world: dict[str, t.Any] = stand_ins.answers(capability)
        _import_from(world)
        own = frozenset(world)
        for node in self.helpers:
            if isinstance(node, ast.FunctionDef) and node.name in own:
                continue  # our answer counts
            with contextlib.suppress(AttributeError, NameError, TypeError):  # defaults of no concern here
                exec(self._compiled(node), world)
        for each in self._lineage(name):
            exec(self._compiled(self.nodes[each]), world)
        return t.cast("type", world[name])

    def _compiled(self, node: ast.stmt) -> types.CodeType:
        if id(node) not in self.code:
            body = _cut(node) if isinstance(node, ast.ClassDef) else node
            self.code[id(node)] = compile(_module([body]), "vllm", "exec")
        return self.code[id(node)]

    def _lineage(self, name: str) -> list[str]:
        """The class behind its bases."""
        found: list[str] = []
        for base in self.nodes[name].bases:
            text = ast.unparse(base).split("[")[0]
            if text in self.nodes:
                found += [each for each in self._lineage(text) if each not in found]
        return [*found, name]


def _is_plain(value: ast.expr | None) -> bool:
    """Numbers, texts and lists of them, or what is put together from such."""
    kinds = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Name, ast.Load, ast.Starred)
    return value is not None and all(isinstance(each, kinds) for each in ast.walk(value))


def _module(body: list[ast.stmt]) -> ast.Module:
    future = ast.parse("from __future__ import annotations").body
    return ast.fix_missing_locations(ast.Module([*future, *body], []))


def _cut(node: ast.ClassDef) -> ast.ClassDef:
    """The class with nothing but what is asked of it, and bases that are classes of this kind."""
    body = [each for each in node.body if _keeps(each)]
    bases = [base for base in node.bases if "Backend" in ast.unparse(base)]
    return ast.ClassDef(node.name, bases, [], body or [ast.Pass()], [])


def _keeps(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        return _is_asked(node.name) and not any(
            "abstract" in ast.unparse(each) for each in node.decorator_list
        )
    target = node.target if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [None])[0]
    return isinstance(target, ast.Name) and _is_asked(target.id) and getattr(node, "value", None) is not None


def _import_from(world: t.Mapping[str, t.Any]) -> None:
    """``from vllm.… import x`` inside a method finds x here."""

    class Finder:
        """Every module of vLLM is one and the same."""

        def find_spec(self, name: str, _path: object = None, _target: object = None) -> t.Any:
            if name.split(".")[0] != "vllm":
                return None
            from importlib.machinery import ModuleSpec

            return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

        def create_module(self, spec: t.Any) -> types.ModuleType:
            module = types.ModuleType(spec.name)
            module.__getattr__ = lambda name: _named(world, name)  # type: ignore[method-assign]
            return module

        def exec_module(self, _module: object) -> None:
            """Nothing to run."""

    sys.meta_path[:] = [each for each in sys.meta_path if type(each).__name__ != "Finder"]
    for name in [name for name in sys.modules if name.split(".")[0] == "vllm"]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder())  # type: ignore[arg-type]


def _named(world: t.Mapping[str, t.Any], name: str) -> t.Any:
    if name.startswith("__") or name not in world:
        raise AttributeError(name)
    return world[name]
