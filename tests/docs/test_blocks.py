"""YAML that pages show is what it seems to be: inventories can be planned, plays and tasks can be run."""

from __future__ import annotations

import subprocess
import typing as t
from pathlib import Path

import pytest
import yaml
from pages import Block, blocks
from reference import MODULES, ROLES, is_variable, options_of, role_options

from ansible_collections.gpuops.vllm_fleet.tests.unit.planned import plans
from inventories import files_of, inventory_of, write

OURS = "gpuops.vllm_fleet."


def content(block: Block) -> t.Any:
    return yaml.safe_load(block.text)


COMPOSE = [
    block for block in blocks("yaml") if "services" in content(block)
]  # of other programs: only parsed
INVENTORIES = [block for block in blocks("yaml") if isinstance(content(block), dict) and block not in COMPOSE]
PLAYS = [block for block in blocks("yaml") if isinstance(content(block), list)]


def tasks(block: Block) -> list[dict[str, t.Any]]:
    """The tasks of a block, whether it shows plays or only tasks."""
    each = content(block)
    plays = [play for play in each if "hosts" in play]
    return [task for play in plays for task in play.get("tasks", [])] if plays else each


def test_there_is_yaml_to_look_at_and_all_of_it_is_of_one_kind() -> None:
    assert len(INVENTORIES) > 5
    assert len(PLAYS) > 5
    assert len(COMPOSE) + len(INVENTORIES) + len(PLAYS) == len(blocks("yaml"))


@pytest.mark.parametrize("block", INVENTORIES, ids=str)
def test_an_inventory_can_be_planned(block: Block, tmp_path: Path) -> None:
    write(inventory_of(block), tmp_path)
    made = plans(tmp_path)
    assert [
        finding.message for plan in made.values() for finding in plan.findings if finding.severity == "error"
    ] == []
    assert all(plan.instances for plan in made.values())


@pytest.mark.parametrize("block", INVENTORIES, ids=str)
def test_an_inventory_sets_no_variable_that_nobody_reads(block: Block) -> None:
    given = [name for text in files_of(block.text).values() for name in yaml.safe_load(text)]
    assert [name for name in given if name != "gpu_hosts" and not is_variable(name)] == []


def test_plays_and_tasks_have_a_syntax_that_ansible_takes(tmp_path: Path) -> None:
    playbooks = []
    for number, block in enumerate(PLAYS):
        shown = content(block)
        whole = any("hosts" in each for each in shown)
        playbooks.append(tmp_path / f"{number}-{str(block).replace('/', '-')}.yml")
        playbooks[-1].write_text(
            yaml.safe_dump(shown if whole else [{"hosts": "gpu_hosts", "tasks": shown}]), encoding="utf-8"
        )
    command = ["ansible-playbook", "--syntax-check", "-i", "gpu_hosts,", *map(str, playbooks)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", PLAYS, ids=str)
def test_tasks_give_our_plugins_and_roles_only_options_that_they_have(block: Block) -> None:
    unknown = []
    for task in tasks(block):
        for name, given in task.items():
            if name.startswith(OURS):
                assert name.removeprefix(OURS) in MODULES
                unknown += [(name, key) for key in set(given or ()) - options_of(name.removeprefix(OURS))]
        role = (task.get("ansible.builtin.include_role") or {}).get("name", "")
        if role.startswith(OURS):
            assert role.removeprefix(OURS) in ROLES
            allowed = role_options(role.removeprefix(OURS))
            unknown += [
                (role, key) for key in task.get("vars", {}) if key not in allowed and not is_variable(key)
            ]
    assert unknown == []
