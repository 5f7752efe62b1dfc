#!/usr/bin/env python3
"""Write docs/inventory.md and docs/inventory.schema.json from the one table in plugins/module_utils/_plan/schema.py.

PYTHONPATH=.collections python tools/generate_inventory_docs.py
"""

from __future__ import annotations

import json
import pathlib
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.schema import (
    KEYS,
    SECTIONS,
    VARIABLES,
    Key,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.names import NAME

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"

KIND_WORDS = {
    "text": "text",
    "choice": "one of",
    "integer": "whole number",
    "boolean": "true or false",
    "size": "size",
    "model": "text, or a mapping",
    "image": "text",
    "version": "text",
    "address": "IP address",
    "gpus": "list of texts, or `all`",
    "settings": "mapping",
    "argv": "text, or a list of texts",
    "environment": "mapping of texts",
    "secrets": "mapping of texts",
    "volumes": "list of texts",
    "quadlet": "mapping",
}

INTRODUCTION = """<!-- Made by tools/generate_inventory_docs.py from plugins/module_utils/_plan/schema.py. Change it there. -->
# What you write: the inventory

```yaml
# group_vars/gpu_hosts.yml
vllm_defaults:                    # merged under every instance
  image: docker.io/vllm/vllm-openai:v0.26.0
  settings: {gpu_memory_utilization: 0.9}
vllm_secrets: {hf: "{{ vault_hf_token }}"}
vllm_instances:                   # a mapping, so that one host can override one key
  qwen:
    model: Qwen/Qwen3-32B
    port: 8000
    gpus: ["0", "1"]
    secrets: {HF_TOKEN: hf}
    settings: {tensor_parallel_size: 2, max_num_seqs: 32}
# group_vars/h200.yml
vllm_overrides__h200: {qwen: {settings: {max_num_seqs: 64}}}
# host_vars/gpu-02.yml
vllm_overrides: {qwen: {settings: {max_num_seqs: 8}}}
```

`ansible-playbook gpuops.vllm_fleet.validate` checks all of it in seconds and touches no host. For completion and checks
in your editor, `docs/inventory.schema.json` describes the files of `group_vars` and `host_vars`.

## Layers
"""

RULES = """
- Mappings merge key by key; lists and single values replace what is below them; `null` removes it.
- `name: null` for a whole instance leaves it out of the plan, and a running server alone; `state: absent` removes it.
- `argv` in a layer replaces `argv` and `settings` of the layers below; `settings` above an `argv` are merged over it.
- Kebab-case and dotted spellings (`max-num-seqs`, `speculative_config.method`) mean the same as snake_case and nesting.
- An unknown key is an error anywhere, and so is a variable that looks like a layer and is none (`vllm_overrides_h200`).
- Names of instances are up to 40 of `a-z`, `0-9` and `-`, a letter or digit first.
- A GPU belongs to one instance, unless every instance that names it sets `gpu_memory_utilization` or
  `kv_cache_memory_bytes` in its own layers and the sum is at most 1.
- Two instances of a host must differ in address or port, and in the names under which they serve.
- YAML reads `0.10` as the number 0.1 and `1:0` as 60. Quote versions and the names of MIG devices.

## Keys of an instance

| key | type | default | since | |
|---|---|---|---|---|
"""


def _type(key: Key) -> str:
    words = KIND_WORDS[key.kind]
    if key.choices:
        words += " " + ", ".join(f"`{choice}`" for choice in key.choices)
    if key.bounds:
        words += f", {key.bounds[0]} to {key.bounds[1]}"
    return words + (f" ({key.unit})" if key.unit else "")


def _row(key: Key) -> str:
    default = (
        "**required**"
        if key.required
        else ""
        if key.default is None
        else f"`{json.dumps(key.default).strip(chr(34))}`"
    )
    cost = f" Costs: {key.gives_away}." if key.gives_away else ""
    return f"| `{key.path}` | {_type(key)} | {default} | {key.since} | {key.description}{cost} For example `{key.example}`. |"


def markdown() -> str:
    """The page for people."""
    layers = "| variable | |\n|---|---|\n" + "\n".join(
        f"| `{each.name}` | {each.description} |" for each in VARIABLES
    )
    return f"{INTRODUCTION}\n{layers}\n{RULES}" + "\n".join(_row(key) for key in KEYS) + "\n"


TEMPLATE = {"type": "string", "pattern": "\\{\\{|\\{%"}
TEXTS = {"type": "array", "items": {"type": "string"}}


def _typed(key: Key) -> dict[str, t.Any]:
    text = {"type": "string"}
    types: dict[str, dict[str, t.Any]] = {
        "choice": {"enum": list(key.choices)},
        "integer": {"type": "integer", **_bounds(key)},
        "boolean": {"type": "boolean"},
        "size": {"type": ["string", "integer"]},
        "gpus": {"anyOf": [{"const": "all"}, TEXTS]},
        "settings": {"type": "object"},
        "argv": {"anyOf": [text, TEXTS]},
        "environment": {"type": "object", "additionalProperties": {"type": ["string", "integer", "null"]}},
        "secrets": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        "volumes": TEXTS,
        "quadlet": {"type": "object"},
    }
    return types.get(key.kind, text)


def _bounds(key: Key) -> dict[str, int]:
    return {"minimum": key.bounds[0], "maximum": key.bounds[1]} if key.bounds else {}


def _property(key: Key) -> dict[str, t.Any]:
    """Any value may be a template, and null removes one."""
    described: dict[str, t.Any] = {"description": key.description}
    if key.default is not None:
        described["default"] = key.default
    return {**described, "anyOf": [_typed(key), TEMPLATE, {"type": "null"}]}


def _instance() -> dict[str, t.Any]:
    properties: dict[str, t.Any] = {}
    for key in KEYS:
        if "." not in key.path:
            properties[key.path] = _property(key)
    for section in SECTIONS:
        below = {
            key.path.partition(".")[2]: _property(key) for key in KEYS if key.path.startswith(section + ".")
        }
        content = {"type": "object", "properties": below, "additionalProperties": False}
        known = properties.setdefault(section, {"anyOf": [TEMPLATE, {"type": "null"}]})
        known["anyOf"] = [content, *known["anyOf"]]
    return {"type": "object", "properties": properties, "additionalProperties": False}


def json_schema() -> dict[str, t.Any]:
    """The schema for editors, of a file in group_vars or host_vars."""
    by_name = {
        "type": "object",
        "propertyNames": {"pattern": f"^{NAME.pattern}$"},
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/instance"}, {"type": "null"}]},
    }
    by_name_or_template = {"anyOf": [by_name, TEMPLATE, {"type": "null"}]}
    instance = {"anyOf": [{"$ref": "#/$defs/instance"}, TEMPLATE, {"type": "null"}]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Variables of gpuops.vllm_fleet",
        "type": "object",
        "properties": {"vllm_secrets": {"anyOf": [{"type": "object"}, TEMPLATE]}},
        "patternProperties": {
            "^vllm_defaults(__.+)?$": instance,
            "^vllm_(instances|overrides)(__.+)?$": by_name_or_template,
        },
        "$defs": {"instance": _instance()},
    }


def files() -> dict[str, str]:
    """The generated files by their names in docs/."""
    schema = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    return {"inventory.md": markdown(), "inventory.schema.json": schema}


if __name__ == "__main__":
    for name, text in files().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}")
