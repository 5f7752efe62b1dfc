"""From dumps to tables with version ranges: options, classes of JSON options, named values, registries."""

from __future__ import annotations

import re
import typing as t

from .archive import Dump
from .ranges import histories, runs, same

ACTIONS = {
    "BooleanOptionalAction": "bool",
    "EnableDisableAction": "bool",
    "_StoreTrueAction": "true",
    "_AppendAction": "append",
    "LoRAParserAction": "lora",
    "_HelpAction": "help",
}
TYPES = {
    "parse_type[json.loads]": "parsed_json",
    "json.loads": "json",
    "human_readable_int_or_auto": "human_int_or_auto",
    "human_readable_int": "human_int",
    "union_dict_and_str": "dict_or_str",
    "parse_reasoning_parser": "parser_or_none",
    "device_id_list": "device_ids",
}
# Classes that no option names as its type, but whose fields people write in JSON options.
MORE_CLASSES = ("SpeculativeConfig", "WatermarkConfig", "DiffusionConfig")
NO_USER_CLASSES = ("ModelConfig", "ParallelConfig")  # objects that vLLM itself puts into SpeculativeConfig
MARK_DEFAULT, MARK_NONE = "own", "none"


def type_code(text: str | None) -> str | None:
    """The type of an option in the words of the tables: ``optional human_int``, ``class KVTransferConfig``."""
    if text is None:
        return None
    inner = re.fullmatch(r"optional_type\[(.*)\]", text)
    if inner:
        return f"optional {type_code(inner.group(1))}"
    named = re.fullmatch(r"parse_dataclass\[(?:\w+\.)*(\w+)\]", text)
    return f"class {named.group(1)}" if named else TYPES.get(text, text)


def default_of(action: Dump) -> t.Any:
    """The default as data: objects of vLLM are what a user could have written for them."""
    default = action.get("default")
    if not isinstance(default, dict):
        return None if default == "==SUPPRESS==" else default
    if "dataclass" in default:
        return {}
    if "enum" in default:
        return default.get("value", default["enum"].rpartition(".")[2])
    return None if "repr" in default else default


def option_spec(action: Dump, dump: Dump) -> Dump:
    """What one release's parser knows of one option."""
    names = [name for name in action["all_options"] if name not in action.get("negative_options", ())]
    spec: Dump = {"names": " ".join(names)}
    usual = ["--no-" + name[2:] for name in names if name.startswith("--")]
    off = action.get("negative_options") or []
    if sorted(off) != sorted(usual) and ACTIONS.get(action["action"]) == "bool":
        spec["off"] = " ".join(sorted(off))
    spec["action"] = ACTIONS.get(action["action"])
    spec["type"] = type_code(action.get("type"))
    spec["nargs"] = action.get("nargs") or None
    spec["choices"] = True if action.get("choices") is not None else None
    spec["const"] = action.get("const") if action.get("nargs") == "?" else None
    spec["deprecated"] = True if action.get("deprecated") else None
    spec.update(source_of(action, dump), default=default_of(action))
    return {key: value for key, value in spec.items() if value is not None}


def source_of(action: Dump, dump: Dump) -> Dump:
    """The field of vLLM's configuration that the option fills, and that field's bounds."""
    owner, _, field = (action.get("src") or "").partition(".")
    if not owner or owner.endswith("FrontendArgs"):
        return {}
    entry = dump["classes"].get(owner, {}).get("fields", {}).get(field, {})
    return {"field": f"{owner}.{field}", "bounds": entry.get("bounds")}


def options(dumps: t.Mapping[str, Dump]) -> dict[str, dict[str, Dump]]:
    """Every option by its dest, with one spec per range of releases."""
    releases = list(dumps)
    by_release = [{action["dest"]: action for action in dump["actions"]} for dump in dumps.values()]
    dests = sorted({dest for actions in by_release for dest in actions})
    found = {}
    for dest in dests:
        pairs = zip(by_release, dumps.values())
        specs = [option_spec(actions[dest], dump) if dest in actions else None for actions, dump in pairs]
        found[dest] = runs(specs, releases)
    return found


# The parsers are dumped on a machine without a GPU; this one option offers more with one.
WITH_A_GPU = {"mm_processor_device": ["cuda"]}


def choices(dumps: t.Mapping[str, Dump]) -> dict[str, dict[str, list[t.Any]]]:
    """The allowed values of every option that has such."""
    releases = list(dumps)
    by_release = [
        {a["dest"]: a["choices"] + WITH_A_GPU.get(a["dest"], []) for a in dump["actions"] if a.get("choices")}
        for dump in dumps.values()
    ]
    dests = sorted({dest for found in by_release for dest in found})
    return {dest: histories([found.get(dest) for found in by_release], releases) for dest in dests}


def registries(dumps: t.Mapping[str, Dump]) -> dict[str, dict[str, list[t.Any]]]:
    """Names that vLLM looks up at start: parsers, backends, connectors, quantization methods."""
    releases = list(dumps)
    kinds = sorted(
        {kind for dump in dumps.values() for kind in dump["registries"]} - {"quantization_min_capability"}
    )
    return {kind: histories([_names(dump, kind) for dump in dumps.values()], releases) for kind in kinds}


def _names(dump: Dump, kind: str) -> list[str] | None:
    """The names of one registry; what the release does not have was dumped as an error."""
    names = dump["registries"].get(kind)
    return names if isinstance(names, list) else None


def quantization_capability(dumps: t.Mapping[str, Dump]) -> dict[str, dict[str, int]]:
    """The lowest compute capability of each quantization method, times ten."""
    releases = list(dumps)
    tables = [dump["registries"].get("quantization_min_capability") or {} for dump in dumps.values()]
    names = sorted({name for table in tables for name in table})
    numbers = {
        name: [table.get(name) if isinstance(table.get(name), int) else None for table in tables]
        for name in names
    }
    return {
        name: runs(column, releases) for name, column in numbers.items() if any(x is not None for x in column)
    }


class Classes:
    """The configuration classes that can be reached from JSON options, and the named values in their types."""

    def __init__(self, dumps: t.Mapping[str, Dump]) -> None:
        """Find the classes; nothing is collected before ``table`` is asked for."""
        self.dumps = dumps
        self.releases = list(dumps)
        self.values: dict[str, list[list[t.Any] | None]] = {}  # name -> one list per release
        self.names = sorted(self._reachable())

    def table(self) -> dict[str, dict[str, dict[str, t.Any]]]:
        """``{class: {"": what happens to unknown keys, field: {range: spec}}}``."""
        return {name: self._class(name) for name in self.names}

    def named_values(self) -> dict[str, dict[str, list[t.Any]]]:
        """Literals by ``Class.field``, members of enumerations by ``enum Name`` as pairs of name and value."""
        return {name: histories(lists, self.releases) for name, lists in sorted(self.values.items())}

    def _reachable(self) -> set[str]:
        todo = {a["json_class"] for d in self.dumps.values() for a in d["actions"] if a.get("json_class")}
        todo |= set(MORE_CLASSES)
        known: set[str] = set()
        while todo:
            name = todo.pop()
            known.add(name)
            for dump in self.dumps.values():
                for field in dump["classes"].get(name, {}).get("fields", {}).values():
                    todo |= mentioned(field.get("ty")) - known - set(NO_USER_CLASSES)
        return {name for name in known if any(name in dump["classes"] for dump in self.dumps.values())}

    def _class(self, name: str) -> dict[str, dict[str, t.Any]]:
        rows = [dump["classes"].get(name) for dump in self.dumps.values()]
        unknown = [
            None if row is None else "forbid" if row["extra"] == "forbid" else "ignore" for row in rows
        ]
        table: dict[str, dict[str, t.Any]] = {"": runs(unknown, self.releases)}
        fields: list[str] = []
        for row in rows:
            fields += [field for field in (row or {}).get("fields", {}) if field not in fields]
        for field in fields:
            specs = [self._field(name, field, row, index) for index, row in enumerate(rows)]
            if any(specs):
                table[field] = runs(specs, self.releases)
        return table

    def _field(self, owner: str, field: str, row: Dump | None, release: int) -> Dump | None:
        entry = (row or {}).get("fields", {}).get(field)
        if row is None or entry is None or entry.get("init") is False or field.startswith("__"):
            return None
        marks = {
            MARK_NONE if validator == "_skip_none_validation" else MARK_DEFAULT
            for validator, (fields, _mode) in row["field_validators"].items()
            if field in fields or "*" in fields
        }
        spec = {"type": self._type(f"{owner}.{field}", entry["ty"], release), "bounds": entry.get("bounds")}
        spec.update(required=entry.get("required") or None, marks=" ".join(sorted(marks)) or None)
        if entry.get("default") is not None and not str(entry["default"]).startswith("<"):
            spec["default"] = entry["default"]
        return {key: value for key, value in spec.items() if value is not None}

    def _type(self, place: str, kind: t.Any, release: int) -> t.Any:
        """The type with its literals and enumerations moved to the named values."""
        if not isinstance(kind, list):
            return kind
        if kind[0] == "lit":
            return ["lit", self._name(place, kind[1], release)]
        if kind[0] == "enum":
            return ["enum", self._name(f"enum {kind[1]}", list(map(list, zip(kind[2], kind[3]))), release)]
        if kind[0] == "cls":
            return kind
        return [kind[0], *(self._type(place, part, release) for part in parts(kind))]

    def _name(self, name: str, values: list[t.Any], release: int) -> str:
        column = self.values.setdefault(name, [None] * len(self.releases))
        if column[release] is None or same(column[release], values):
            column[release] = values
            return name
        return self._name(name + "/2", values, release)


def parts(kind: list[t.Any]) -> list[t.Any]:
    """The members of a composed type."""
    return list(kind[1]) if kind[0] in ("union", "tuple", "dict") else kind[1:]


def mentioned(kind: t.Any) -> set[str]:
    """The classes that a type mentions."""
    if not isinstance(kind, list) or not kind:
        return set()
    if kind[0] == "cls":
        return {kind[1]}
    return set().union(*(mentioned(part) for part in kind))
