"""What is made from data is what the data says now: docs/inventory.md, its JSON Schema, and docs/findings.md."""

from __future__ import annotations

import ast
import importlib.util
import json
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.codes import CODES as OF_ADOPT
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.codes import CODES as OF_CDI
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.codes import CODES as OF_FIT
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.findings import SHORTAGES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.rules import RULES as FIT_RULES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_words import CODES as OF_IMAGES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.needs import CODES as OF_NEEDS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.codes import CODES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.schema import KEYS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.codes import CODES as OF_SETTINGS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules import RULES

ROOT = Path(__file__).parents[2]
UTILS = ROOT / "plugins" / "module_utils"
SOURCES = [
    *(UTILS / "_plan").glob("*.py"),
    ROOT / "plugins" / "plugin_utils" / "inventory.py",
]
# Calls that make a finding, and where the code stands among their arguments.
MAKERS: dict[str, int | None] = {
    "Finding": 2, "Problem": 0, "_error": 0, "_problem": 0, "_finding": 2, "bad": 2, "quote": None, "wrong": 0,
}  # fmt: skip
# Findings of the other packages, which rules and kinds of problems do not name themselves.
REGISTRIES = {
    "_settings": (OF_SETTINGS, ["report.py", "upgrade.py", "image_verdict.py", "rules/__init__.py"], {"Finding": 2, "_of_version": 1, "_advice": 0}, set()),
    "_fit": (OF_FIT, ["*.py"], {"Finding": 2, "_Habit": 0}, {*SHORTAGES}),
    "_host": (
        {**OF_NEEDS, **OF_IMAGES},
        ["needs.py", "image_*.py"],
        {"_finding": 1, "Trouble": 0},
        {"image_two_identities", "image_digest_unknown"},  # what the action sees, from all hosts
    ),
}  # fmt: skip


def generator(name: str) -> t.Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def codes_in(path: Path, makers: t.Mapping[str, int | None] = MAKERS) -> set[str]:
    """The codes that a file's calls name as text."""
    found = {"bad_value"} if path.name == "values.py" else set()  # the default of `bad`
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if name not in makers or not isinstance(node, ast.Call):
            continue
        at = makers[name]
        places = [node.args[at]] if at is not None and len(node.args) > at else []
        places += [keyword.value for keyword in node.keywords if keyword.arg == "code"]
        found |= {
            each.value for each in places if isinstance(each, ast.Constant) and isinstance(each.value, str)
        }
        if name == "bad":
            found |= {arg.value for arg in node.args[2:3] if isinstance(arg, ast.Constant)}
    return found


def used() -> set[str]:
    codes = {code for path in SOURCES for code in codes_in(path)}
    # `quote` hands its code on, and the names of what is missing are made from the table.
    return codes | {"not_text"} | {f"missing_{key.path}" for key in KEYS if key.required}


@pytest.mark.parametrize("name", ["inventory.md", "inventory.schema.json"])
def test_the_pages_on_the_inventory_are_the_ones_that_its_table_makes(name: str) -> None:
    made = generator("generate_inventory_docs").files()[name]
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == made, "run tools/generate_inventory_docs.py"


def test_every_code_of_planning_has_its_meaning_and_no_meaning_is_left_over() -> None:
    assert used() == set(CODES)


@pytest.mark.parametrize("package", REGISTRIES)
def test_every_code_of_the_other_packages_has_its_meaning_too(package: str) -> None:
    codes, patterns, makers, more = REGISTRIES[package]
    paths = [path for pattern in patterns for path in (UTILS / package).glob(pattern)]
    assert {code for path in paths for code in codes_in(path, makers)} | more == set(codes)


def test_every_code_is_listed_in_the_docs() -> None:
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    tables = (CODES, OF_SETTINGS, OF_FIT, OF_NEEDS, OF_IMAGES, OF_CDI, OF_ADOPT)
    codes = [code for table in tables for code in table]
    codes += [rule.code for rule in (*RULES, *FIT_RULES)]
    assert [code for code in codes if f"`{code}`" not in page] == [], "run tools/generate_findings_docs.py"


def test_the_page_of_findings_is_the_one_that_the_tables_make() -> None:
    made = generator("generate_findings_docs").page()
    assert (ROOT / "docs" / "findings.md").read_text(encoding="utf-8") == made, "run the tool"


def test_the_schema_for_editors_knows_every_key_and_no_other() -> None:
    schema = json.loads((ROOT / "docs" / "inventory.schema.json").read_text(encoding="utf-8"))
    instance = schema["$defs"]["instance"]
    known = set(instance["properties"])
    for section in ("limits", "security", "gate", "model"):
        inner = next(each for each in instance["properties"][section]["anyOf"] if "properties" in each)
        known = (
            known - {section}
            | {f"{section}.{name}" for name in inner["properties"]}
            | ({"model"} & {section})
        )
    assert known == {key.path for key in KEYS}
    assert instance["additionalProperties"] is False


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_the_example_of_every_key_is_yaml(key: t.Any) -> None:
    assert yaml.safe_load(key.example) is not None
