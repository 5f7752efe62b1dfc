"""Inventories as pages show them, written to a folder to be planned."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import yaml
from pages import Block, page

_FILE = re.compile(
    r"^# (?:inventory/)?((?:group_vars|host_vars)/[\w.-]+\.yml|hosts\.yml)\b.*\n", re.MULTILINE
)
_LOOKUP = re.compile(r'"\{\{ lookup\([^}]*\}\}"')  # files of the reader's that are not here
_INSTANCES = re.compile(r"^vllm_(instances|overrides)(__.+)?$")


def files_of(text: str) -> dict[str, str]:
    """The files of a block, by the comments that name them; one without a name is the group's."""
    parts = _FILE.split(text)
    files = {"group_vars/gpu_hosts.yml": parts[0]} if parts[0].strip() else {}
    for name, content in zip(parts[1::2], parts[2::2]):
        files[name] = files.get(name, "") + content
    return files


def inventory_of(block: Block) -> dict[str, str]:
    """The files of a block, over those of the whole inventory that its page shows; what lacks is supplied where it shows none."""
    shown = [each for each in page(block.page).blocks if each.language == "yaml"]
    whole = next((each for each in shown if "# inventory/hosts.yml" in each.text), None)
    files = files_of(_LOOKUP.sub("{}", block.text))
    return {**files_of(whole.text), **files} if whole else _supplied(files)


def write(files: t.Mapping[str, str], folder: Path) -> None:
    """The files, and a list of hosts where they have none: each group has the hosts that have variables of their own."""
    hosts = sorted({Path(name).stem for name in files if name.startswith("host_vars/")} | {"gpu-01"})
    groups = {Path(name).stem for name in files if name.startswith("group_vars/")} - {"all", "gpu_hosts"}
    listed = {
        "hosts": {host: {} for host in hosts},
        "children": {group: {"hosts": {"gpu-01": {}}} for group in groups},
    }
    for name, text in {"hosts.yml": yaml.safe_dump({"gpu_hosts": listed}), **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _supplied(files: dict[str, str]) -> dict[str, str]:
    """A fragment with what it leaves out: an image, and a model for every instance that it names."""
    mappings = [yaml.safe_load(text) or {} for text in files.values()]
    layers = [value for each in mappings for name, value in each.items() if _INSTANCES.match(name)]
    names = {name for layer in layers for name, instance in (layer or {}).items() if instance is not None}
    below = {
        "vllm_defaults__0": {"image": "docker.io/vllm/vllm-openai:v0.26.0", "model": "Qwen/Qwen3-8B"},
        "vllm_instances__0": {
            name: {"port": 8000 + number} for number, name in enumerate(sorted(names) or ["qwen"])
        },
    }
    return {**files, "group_vars/all.yml": yaml.safe_dump(below) + files.get("group_vars/all.yml", "")}
