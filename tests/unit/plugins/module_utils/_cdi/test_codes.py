"""Every code of a finding that the code can give is documented, and nothing else is."""

from __future__ import annotations

import ast
from pathlib import Path

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.codes import CODES

ROOT = Path(__file__).parents[5]
MAKERS = {"finding", "_finding"}  # their first argument is the code


def codes_given() -> set[str]:
    """The first arguments of everything that makes a finding."""
    places = (
        *(ROOT / "plugins/module_utils/_cdi").glob("*.py"),
        ROOT / "plugins/module_utils/_host/cdi_repair.py",
    )
    calls = [
        node
        for path in places
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    ]
    named = [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) in MAKERS]
    return {call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)}


def test_the_table_of_codes_is_what_the_code_gives() -> None:
    assert codes_given() == set(CODES)


def test_the_page_about_hosts_shows_every_code() -> None:
    page = (ROOT / "docs/hosts.md").read_text(encoding="utf-8")
    assert [code for code, sentence in CODES.items() if f"| `{code}` | {sentence} |" not in page] == []
