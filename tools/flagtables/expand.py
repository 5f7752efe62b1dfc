"""One release's table as plain data, straight from its dump: what the shipped tables must expand to again."""

from __future__ import annotations

import hashlib
import json
import typing as t

from .archive import Dump
from .compact import WITH_A_GPU, Classes, option_spec, parts


def from_dump(dump: Dump, classes: t.Collection[str]) -> Dump:
    """Options, classes of JSON options and registries of one release."""
    return {
        "options": {action["dest"]: _option(action, dump) for action in dump["actions"]},
        "classes": {name: _class(dump["classes"][name]) for name in classes if name in dump["classes"]},
        "registries": {
            kind: sorted(names) for kind, names in dump["registries"].items() if isinstance(names, list)
        },
    }


def checksums(dumps: t.Mapping[str, Dump]) -> dict[str, str]:
    """A digest for every release."""
    names = Classes(dumps).names
    return {version: digest(from_dump(dump, names)) for version, dump in dumps.items()}


def digest(expanded: Dump) -> str:
    """SHA-256 over canonical JSON."""
    text = json.dumps(expanded, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _option(action: Dump, dump: Dump) -> Dump:
    spec = option_spec(action, dump)
    names = spec["names"].split()
    usual = ["--no-" + name[2:] for name in names if name.startswith("--")]
    off = spec.get("off", " ".join(usual) if spec.get("action") == "bool" else "").split()
    allowed = action.get("choices")
    return {
        "names": names,
        "off": sorted(off),
        "action": spec.get("action", "store"),
        "choices": None if allowed is None else _sorted(allowed + WITH_A_GPU.get(action["dest"], [])),
        **{key: spec.get(key) for key in ("type", "nargs", "const", "default", "field")},
        "bounds": spec.get("bounds", {}),
        "deprecated": spec.get("deprecated", False),
    }


def _sorted(values: t.Iterable[t.Any]) -> list[t.Any]:
    return sorted(values, key=repr)


def _class(entry: Dump) -> Dump:
    fields = {
        name: _type(field["ty"])
        for name, field in entry["fields"].items()
        if field.get("init") is not False and not name.startswith("__")
    }
    return {"forbids_unknown": entry.get("extra") == "forbid", "fields": fields}


def _type(kind: t.Any) -> t.Any:
    if not isinstance(kind, list):
        return kind
    if kind[0] == "lit":
        return ["lit", _sorted(kind[1])]
    if kind[0] == "enum":
        return ["enum", kind[1], _sorted(list(map(list, zip(kind[2], kind[3]))))]
    if kind[0] == "cls":
        return kind
    return [kind[0], *(_type(part) for part in parts(kind))]
