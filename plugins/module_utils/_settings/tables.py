"""What one vLLM release knows: its options, the keys of its JSON options, its allowed values and registries."""

from __future__ import annotations

import dataclasses
import functools
import typing as t

from .classes_data import CLASSES
from .options_data import OPTIONS, RELEASES
from .values_data import QUANTIZATION_CAPABILITY, REGISTRIES, VALUES
from .version import Release, parse_release

T = t.TypeVar("T")
_INDEX = {release: index for index, release in enumerate(RELEASES)}
KNOWN: tuple[Release, ...] = tuple(t.cast(Release, parse_release(release)) for release in RELEASES)


@dataclasses.dataclass(frozen=True)
class Option:
    """One option of one release, as its parser was told of it."""

    dest: str
    names: tuple[str, ...]  # empty for the positional model
    off: tuple[str, ...] = ()
    action: str = "store"  # store, bool, true, append, lora, help
    type: str | None = None
    nargs: str | None = None
    choices: tuple[t.Any, ...] | None = None
    const: t.Any = None
    default: t.Any = None
    bounds: t.Mapping[str, float] = dataclasses.field(default_factory=dict)
    deprecated: bool = False
    field: str | None = None  # of vLLM's configuration: CacheConfig.cache_dtype

    @property
    def long(self) -> str:
        """The canonical long spelling."""
        written = "--" + self.dest.replace("_", "-")
        if written in self.names:
            return written
        return next((name for name in self.names if name.startswith("--")), written)

    @property
    def switch(self) -> bool:
        """Whether it takes no value."""
        return self.action in ("bool", "true", "help")

    @property
    def json_class(self) -> str | None:
        """The class that its JSON is read into."""
        _before, found, name = (self.type or "").rpartition("class ")
        return name if found else None


@dataclasses.dataclass(frozen=True)
class Field:
    """One key of a JSON option."""

    type: t.Any
    bounds: t.Mapping[str, float] = dataclasses.field(default_factory=dict)
    required: bool = False
    marks: str = ""  # "own": vLLM's own validator looks at it; "none": null is let through
    default: t.Any = None


@dataclasses.dataclass(frozen=True)
class JsonClass:
    """The class behind a JSON option: its keys and whether unknown ones are refused."""

    name: str
    forbids_unknown: bool
    fields: t.Mapping[str, Field]


@functools.cache
def _range(where: str) -> tuple[int, int]:
    first, _dash, last = where.partition("-")
    return _INDEX[first], _INDEX[last] if last else len(RELEASES) - 1


def _at(ranges: t.Mapping[str, T], index: int) -> T | None:
    for where, value in ranges.items():
        first, last = _range(where)
        if first <= index <= last:
            return value
    return None


def _all_at(ranges: t.Mapping[str, t.Any], index: int) -> tuple[t.Any, ...]:
    found: list[t.Any] = []
    for where, values in ranges.items():
        first, last = _range(where)
        if first <= index <= last:
            found += values.split() if isinstance(values, str) else values
    return tuple(found)


def _option(dest: str, spec: t.Mapping[str, t.Any], index: int) -> Option:
    names = tuple(spec["names"].split())
    action = spec.get("action", "store")
    usual = ["--no-" + name[2:] for name in names if name.startswith("--")] if action == "bool" else []
    off = spec["off"].split() if "off" in spec else usual
    taken = {
        key: spec[key]
        for key in ("type", "nargs", "const", "default", "bounds", "deprecated", "field")
        if key in spec
    }
    allowed = _all_at(VALUES[dest], index) if spec.get("choices") else None
    return Option(dest, names, tuple(off), action=action, choices=allowed, **taken)


class Table:
    """Everything about one release. Get one from ``table_at``: they are kept."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.version = RELEASES[index]
        self.release = KNOWN[index]
        specs = {dest: _at(ranges, index) for dest, ranges in OPTIONS.items()}
        self.options: dict[str, Option] = {
            dest: _option(dest, spec, index) for dest, spec in specs.items() if spec is not None
        }
        self.defaults = {option.dest: option.default for option in self.options.values() if option.names}
        self.by_name: dict[str, Option] = {}
        for option in self.options.values():
            self.by_name.update(dict.fromkeys((*option.names, *option.off), option))
        self._classes: dict[str, JsonClass | None] = {}

    def named(self, name: str) -> tuple[t.Any, ...]:
        """Allowed values by option or ``Class.key``; pairs of name and value by ``enum Name``."""
        return _all_at(VALUES.get(name, {}), self.index)

    def registry(self, kind: str) -> tuple[str, ...]:
        """The names that the release itself registers: tool_parsers, quantization, attention_backends, …"""
        return _all_at(REGISTRIES[kind], self.index)

    def quantization_capability(self, method: str) -> int | None:
        """Ten times the lowest compute capability that the method runs on."""
        return _at(QUANTIZATION_CAPABILITY.get(method, {}), self.index)

    def json_class(self, name: str) -> JsonClass | None:
        """The keys of a JSON option; None where the release does not have the class."""
        if name not in self._classes:
            self._classes[name] = self._json_class(name)
        return self._classes[name]

    def _json_class(self, name: str) -> JsonClass | None:
        entry = CLASSES.get(name, {})
        unknown = _at(entry.get("", {}), self.index)
        if unknown is None:
            return None
        specs = {key: _at(ranges, self.index) for key, ranges in entry.items() if key}
        fields = {key: Field(**spec) for key, spec in specs.items() if spec is not None}
        return JsonClass(name, unknown == "forbid", fields)

    def long_name(self, setting: str) -> str:
        """The canonical long spelling of a setting."""
        option = self.options.get(setting)
        return option.long if option else "--" + setting.replace("_", "-")

    def off_name(self, setting: str) -> str | None:
        """How a switch is turned off: ``--no-x`` where the release has it."""
        option = self.options.get(setting)
        if option is None:
            return "--no-" + setting.replace("_", "-")
        return next((name for name in option.off if name.startswith("--no-")), next(iter(option.off), None))


@functools.cache
def table_at(index: int) -> Table:
    """The table of the release of that number."""
    return Table(index)


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The table for a version as written, and how far it can be trusted."""

    table: Table
    release: Release | None  # what the text names; None for latest, nightly, a fork's tag
    exact: bool = True
    newer: bool = False  # than everything known: options may have been added
    older: bool = False  # than everything known


def choose(version: str) -> Chosen:
    """The table of a release, of its minor for an unlisted patch, of the newest for what nobody knows yet."""
    release = parse_release(version)
    newest = table_at(len(RELEASES) - 1)
    if release is None or release[:2] > newest.release[:2]:
        return Chosen(newest, release, exact=False, newer=True)
    if release in KNOWN:
        return Chosen(table_at(KNOWN.index(release)), release)
    near = [index for index, known in enumerate(KNOWN) if known[:2] == release[:2]]
    if not near:
        return Chosen(table_at(0), release, exact=False, older=True)
    below = [index for index in near if KNOWN[index] < release]
    return Chosen(table_at(below[-1] if below else near[0]), release, exact=False)
