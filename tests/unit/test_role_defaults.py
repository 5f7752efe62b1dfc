"""What a role's argument specs promise as defaults is what it has as defaults."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

ROLES = sorted(path for path in (Path(__file__).parents[2] / "roles").iterdir() if path.is_dir())


def load(path: Path) -> dict[str, object]:
    return yaml.safe_load(path.read_text(encoding="utf-8")) or {} if path.exists() else {}


def test_there_are_roles_to_look_at() -> None:
    assert {"podman", "vllm_image", "vllm_server"} <= {role.name for role in ROLES}


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_the_specs_and_the_defaults_agree(role: Path) -> None:
    specs = load(role / "meta" / "argument_specs.yml")["argument_specs"]
    options = {name: option for spec in specs.values() for name, option in spec.get("options", {}).items()}
    documented = {name: option["default"] for name, option in options.items() if "default" in option}
    assert documented == load(role / "defaults" / "main.yml")


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_every_entry_point_is_documented(role: Path) -> None:
    specs = load(role / "meta" / "argument_specs.yml")["argument_specs"]
    assert "main" in specs
    assert all(spec.get("short_description") and spec.get("description") for spec in specs.values())


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_the_page_of_a_role_fits_on_a_screen(role: Path) -> None:
    assert len((role / "README.md").read_text(encoding="utf-8").splitlines()) <= 30
