"""Every name that a page may use: of playbooks, roles, plugins, variables, codes, make targets."""

from __future__ import annotations

import functools
import re
import typing as t
from pathlib import Path

import yaml
from pages import ROOT

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.codes import CODES as OF_ADOPT
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.codes import CODES as OF_CDI
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.signatures import SIGNATURES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.codes import CODES as OF_FIT
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.rules import RULES as FIT_RULES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_words import CODES as OF_IMAGES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.needs import CODES as OF_NEEDS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.weight_needs import CODES as OF_WEIGHTS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.codes import CODES as OF_PLAN
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.schema import KEYS, VARIABLES
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.drift_kinds import KINDS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.codes import CODES as OF_SETTINGS
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.problem import Kind
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules import RULES

MODULES = {path.stem: path for path in sorted((ROOT / "plugins" / "modules").glob("*.py"))}
FILTERS = {path.stem: path for path in sorted((ROOT / "plugins" / "filter").glob("*.py"))}
PLAYBOOKS = {path.stem: path for path in sorted((ROOT / "playbooks").glob("*.yml"))}
ROLES = {path.parents[1].name: path for path in sorted((ROOT / "roles").glob("*/meta/argument_specs.yml"))}
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
_OURS = r"\b(?:vllm|podman|nvidia_container_toolkit)_\w+"


def _documented(path: Path) -> t.Iterator[tuple[str, t.Any]]:
    text = path.read_text(encoding="utf-8")
    for kind, found in re.findall(r'^(DOCUMENTATION|RETURN) = r?"""(.*?)"""', text, re.MULTILINE | re.DOTALL):
        yield kind, yaml.safe_load(found)


def _keys(documented: t.Any) -> t.Iterator[str]:
    """Names of options and results, at any depth."""
    if isinstance(documented, dict):
        for name, value in documented.items():
            yield str(name)
            yield from _keys(value)
    elif isinstance(documented, list):
        for value in documented:
            yield from _keys(value)


@functools.cache
def options_of(module: str) -> frozenset[str]:
    """The options that a module documents."""
    return frozenset(dict(_documented(MODULES[module]))["DOCUMENTATION"].get("options", {}))


@functools.cache
def role_options(role: str) -> frozenset[str]:
    """The options of all entry points of a role."""
    specs = yaml.safe_load(ROLES[role].read_text(encoding="utf-8"))["argument_specs"]
    return frozenset(name for spec in specs.values() for name in spec.get("options", {}))


@functools.cache
def variables() -> frozenset[str]:
    """The variables that an operator may set."""
    read = {
        name for path in PLAYBOOKS.values() for name in re.findall(_OURS, path.read_text(encoding="utf-8"))
    }
    options = {name for role in ROLES for name in role_options(role)}
    read -= {"vllm_fleet", *MODULES, *FILTERS}
    return frozenset(options | read | {each.name for each in VARIABLES if "*" not in each.name})


def is_variable(name: str) -> bool:
    """Whether an operator may set it."""
    layers = [each.name[:-1] for each in VARIABLES if each.name.endswith("*")]
    return name in variables() or any(name.startswith(layer) and name != layer for layer in layers)


@functools.cache
def _handed_out() -> frozenset[str]:
    """What roles hand to later plays and to tasks of the operator."""
    tasks = "".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "roles").glob("*/tasks/*.yml"))
    )
    return frozenset(re.findall(rf"^ +(?:loop_var: |register: )?({_OURS}):?", tasks, re.MULTILINE))


@functools.cache
def codes() -> frozenset[str]:
    """The codes of findings, failures and drift."""
    tables = (OF_ADOPT, OF_CDI, OF_FIT, OF_IMAGES, OF_NEEDS, OF_WEIGHTS, OF_PLAN, OF_SETTINGS, KINDS)
    found = {code for table in tables for code in table} | {rule.code for rule in (*RULES, *FIT_RULES)}
    return frozenset(found | {each.failure_class for each in SIGNATURES} | set(t.get_args(Kind)))


@functools.cache
def names() -> frozenset[str]:
    """All of them, and what plugins document."""
    documented = {
        key
        for path in (*MODULES.values(), *FILTERS.values())
        for _, each in _documented(path)
        for key in _keys(each)
    }
    keys = {part for key in KEYS for part in (key.path, key.path.rpartition(".")[2])}
    return frozenset(
        codes()
        | variables()
        | _handed_out()
        | documented
        | keys
        | set(MODULES)
        | set(FILTERS)
        | set(PLAYBOOKS)
        | set(ROLES)
    )
