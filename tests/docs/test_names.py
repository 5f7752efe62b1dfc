"""What pages call by name is there: playbooks, roles, plugins, variables, codes, make targets, files of the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import FOR_NEWCOMERS, PAGES, ROOT, page
from reference import FILTERS, MODULES, PLAYBOOKS, ROLES, TARGETS, is_variable, names

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.options_data import OPTIONS

PREFIXED = re.compile(r"^(?:vllm|podman|podman_cdi|nvidia_container_toolkit)_[a-z0-9_]+$")
OF_OTHERS = {"podman_secret", "huggingface_hub"}  # a key of vllm_registries, a package of Python
WRONG_ON_PURPOSE = {"vllm_overrides_h200"}  # looks like a layer and is none: docs/inventory.md
PLACES = [
    "bench/",
    "docs/",
    "inventories/",
    "molecule/",
    "playbooks/",
    "plugins/",
    "roles/",
    "tests/",
    "tools/",
]
BY_PAGE = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))


@BY_PAGE
def test_every_full_name_is_one_of_the_collection(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = set(re.findall(r"\bgpuops\.vllm_fleet\.(\w+)", text))
    assert found - {*MODULES, *FILTERS, *PLAYBOOKS, *ROLES} == set()


@BY_PAGE
def test_every_name_with_a_prefix_of_ours_is_known(path: Path) -> None:
    words = {word.partition("=")[0].partition(":")[0].removeprefix("-e ") for word in page(path).words}
    found = {word for word in words if PREFIXED.match(word)}
    assert {
        name for name in found if name not in names() and not is_variable(name)
    } - OF_OTHERS - WRONG_ON_PURPOSE == set()


@BY_PAGE
def test_every_make_target_is_there(path: Path) -> None:
    found = [word.split()[1] for word in page(path).words if re.match(r"^make [a-z]+$", word)]
    assert [target for target in found if target not in TARGETS] == []


@BY_PAGE
def test_every_file_of_the_project_is_there(path: Path) -> None:
    files = [
        word
        for word in page(path).words
        if re.match(r"^[\w.-]+/[\w./-]+$", word) and word.startswith(tuple(PLACES))
    ]
    books = [f"playbooks/{word}" for word in page(path).words if re.match(r"^\w+\.yml$", word)]
    lost = [word for word in files if not any((base / word).exists() for base in (ROOT, path.parent))]
    known = {f"playbooks/{name}.yml" for name in PLAYBOOKS}
    assert lost + [book for book in books if book not in known and "hooks" not in book] == []


@pytest.mark.parametrize("path", FOR_NEWCOMERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_newcomers_meet_no_name_that_nothing_has(path: Path) -> None:
    """Settings of vLLM, keys of an instance, codes, and names of ours: a typo in any of them would cost them an hour."""
    found = {word for word in page(path).words if re.match(r"^[a-z]+(?:_[a-z0-9]+)+$", word)}
    assert found - names() - set(OPTIONS) - OF_OTHERS == set()
