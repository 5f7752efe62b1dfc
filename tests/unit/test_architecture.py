"""Who may import what: the pure packages know neither Ansible nor the machine, and lean on one another only downwards."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

UTILS = Path(__file__).parents[2] / "plugins" / "module_utils"

# Each pure package with the packages that it may lean on.
BELOW = {
    "_settings": set(),
    "_quadlet": set(),
    "_diagnosis": set(),
    "_fit": {"_settings"},
    "_cdi": {"_settings"},
    "_toolkit": set(),
    "_plan": {"_settings", "_fit", "_quadlet", "_release"},
    "_release": {"_settings", "_diagnosis"},
    "_adopt": {"_settings", "_quadlet", "_plan"},
}
STANDARD = {
    "__future__", "argparse", "ast", "base64", "binascii", "collections", "dataclasses", "difflib", "enum", "functools", "hashlib", "itertools",
    "json", "math", "re", "shlex", "textwrap", "typing",
}  # fmt: skip

PURE_FILES = sorted(path for package in BELOW for path in (UTILS / package).rglob("*.py"))


def package_of(path: Path) -> str:
    return path.relative_to(UTILS).parts[0]


def imports(path: Path) -> set[str]:
    """What a file imports: a standard library's top-level name, or the package of module_utils it comes from."""
    names = set()
    depth = len(path.relative_to(UTILS).parts) - 1  # folders below module_utils
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.ImportFrom) and node.level > depth:
            names |= {(node.module or alias.name).split(".")[0] for alias in node.names}
    return names


def test_every_pure_package_is_looked_at() -> None:
    found = {path.name for path in UTILS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert found - {"_host"} <= set(BELOW)
    assert len(PURE_FILES) > 20


@pytest.mark.parametrize("path", PURE_FILES, ids=lambda path: str(path.relative_to(UTILS)))
def test_a_pure_file_imports_pure_things_only(path: Path) -> None:
    allowed = STANDARD | BELOW[package_of(path)]
    assert imports(path) <= allowed


def test_what_travels_to_hosts_is_tested_without_ansible() -> None:
    """Those tests also run on the Pythons of hosts, where the control node's side of Ansible is not there."""
    tests = Path(__file__).parent / "plugins" / "module_utils"
    above = ("plugins.plugin_utils", "plugins.action", "from ansible.", "import ansible.")
    known = {path.relative_to(tests): path.read_text(encoding="utf-8") for path in tests.rglob("*.py")}
    assert known
    assert [str(path) for path, text in known.items() if any(name in text for name in above)] == []
