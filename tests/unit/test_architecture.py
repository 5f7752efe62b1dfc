"""Who may import what: the pure packages know neither Ansible nor the machine, and lean on one another only downwards.

And how long a function, or a file of tasks, may be.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UTILS = ROOT / "plugins" / "module_utils"

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
    "_adopt": {"_settings", "_quadlet", "_plan", "_release"},
}
STANDARD = {
    "__future__", "argparse", "ast", "base64", "binascii", "collections", "dataclasses", "difflib", "enum", "functools", "hashlib", "itertools",
    "json", "math", "re", "shlex", "textwrap", "typing",
}  # fmt: skip

PURE_FILES = sorted(path for package in BELOW for path in (UTILS / package).rglob("*.py"))
CODE = sorted(
    path
    for folder in ("plugins", "tests", "tools", "bench")
    for path in (ROOT / folder).rglob("*.py")
    if not path.is_relative_to(ROOT / "tests" / "output")  # ansible-test's own
)
TASKS = sorted(
    path
    for files in ("roles/*/tasks/*.yml", "playbooks/tasks/*.yml", "molecule/*/tasks/*.yml")
    for path in ROOT.glob(files)
)
MOST_LINES_OF_FUNCTION, MOST_LINES_OF_TASKS = 40, 60


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


def test_a_function_is_seen_at_a_glance() -> None:
    read = {path: ast.parse(path.read_text(encoding="utf-8")) for path in CODE}
    functions = [
        (f"{path.relative_to(ROOT)}: {node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for path, tree in read.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    assert len(functions) > 1000
    assert [(name, lines) for name, lines in functions if lines > MOST_LINES_OF_FUNCTION] == []


def test_a_file_of_tasks_is_seen_at_a_glance() -> None:
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in TASKS
    }
    assert {Path(name).parts[0] for name in lines} == {"roles", "playbooks", "molecule"}
    assert {name: count for name, count in lines.items() if count > MOST_LINES_OF_TASKS} == {}
