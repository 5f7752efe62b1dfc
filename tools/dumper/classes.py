"""The configuration classes behind JSON options: their fields, types, bounds, and whether they take unknown keys."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import importlib
import types
import typing as t

from .options import Entry, value

PLAIN = (int, float, bool, str)
UNREAD = ("SkipValidation", "GetPydanticSchema")  # pydantic does not look at what is marked so


def describe() -> dict[str, Entry]:
    """Every class that `vllm.config` offers, and every class that these mention."""
    config = importlib.import_module("vllm.config")
    found: dict[str, Entry] = {}
    todo = [each for each in vars(config).values() if _is_class(each)]
    while todo:
        each = todo.pop()
        if each.__name__ not in found:
            found[each.__name__] = _describe(each)
            todo += [inner for hint in _hints(each).values() for inner in _mentioned(hint)]
    return dict(sorted(found.items()))


def _is_class(each: t.Any) -> bool:
    return isinstance(each, type) and dataclasses.is_dataclass(each) and each.__module__.startswith("vllm")


def _hints(owner: type) -> dict[str, t.Any]:
    try:
        return t.get_type_hints(owner, include_extras=True)
    except (NameError, TypeError, AttributeError, ImportError):
        return {field.name: field.type for field in dataclasses.fields(owner)}


def _mentioned(hint: t.Any) -> t.Iterator[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        yield hint
    for part in t.get_args(hint):
        if not isinstance(part, PLAIN):
            yield from _mentioned(part)


def _describe(owner: type) -> Entry:
    hints = _hints(owner)
    decorators = getattr(owner, "__pydantic_decorators__", None)
    checks = decorators.field_validators if decorators else {}
    return {
        "extra": (getattr(owner, "__pydantic_config__", None) or {}).get("extra"),
        "fields": {
            field.name: _field(owner, field, hints.get(field.name)) for field in dataclasses.fields(owner)
        },
        "field_validators": {name: [list(each.info.fields), each.info.mode] for name, each in checks.items()},
    }


def _field(owner: type, field: dataclasses.Field[t.Any], hint: t.Any) -> Entry:
    entry: Entry = {"ty": shape(hint), **_default(field), **({} if field.init else {"init": False})}
    bounds = _bounds(owner, field, hint)
    return {**entry, "bounds": bounds} if bounds else entry


def _default(field: dataclasses.Field[t.Any]) -> Entry:
    default, factory = field.default, field.default_factory
    if type(default).__name__ == "FieldInfo":
        factory = default.default_factory or dataclasses.MISSING
        default = dataclasses.MISSING if repr(default.default) == "PydanticUndefined" else default.default
        if default is dataclasses.MISSING and factory is dataclasses.MISSING:
            return {}
    if default is not dataclasses.MISSING:
        return {"default": value(default)}
    return {"required": True} if factory is dataclasses.MISSING else {"default": "<factory>"}


def _bounds(owner: type, field: dataclasses.Field[t.Any], hint: t.Any) -> dict[str, t.Any]:
    known = getattr(owner, "__pydantic_fields__", {}).get(field.name)
    marks = [*getattr(field.default, "metadata", ()), *(known.metadata if known else ())]
    if t.get_origin(hint) is t.Annotated:
        marks += t.get_args(hint)[1:]
    names = ("ge", "gt", "le", "lt", "min_length", "max_length", "multiple_of", "pattern")
    return {
        name: getattr(mark, name) for mark in marks for name in names if getattr(mark, name, None) is not None
    }


def shape(hint: t.Any) -> t.Any:
    """A type as data: ``int``, ``["opt", "int"]``, ``["lit", ["a", "b"]]``, ``["cls", "PassConfig"]``."""
    if hint is None or hint is type(None):
        return "none"
    origin, args = t.get_origin(hint), t.get_args(hint)
    if origin is t.Annotated:
        unread = any(mark in f"{type(each).__name__} {each!r}" for each in args[1:] for mark in UNREAD)
        return "any" if unread else shape(args[0])
    if origin is not None:
        return _composed(origin, args)
    return _named(hint) if isinstance(hint, type) else "any"


def _composed(origin: t.Any, args: tuple[t.Any, ...]) -> t.Any:
    if origin in (t.Union, types.UnionType):
        return _union([shape(each) for each in args])
    if origin is t.Literal:
        return ["lit", list(args)]
    if origin is tuple:
        return ["tuple", ["..." if each is Ellipsis else shape(each) for each in args]]
    if origin in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        return ["dict", [shape(each) for each in args]]
    if origin in (set, frozenset):
        return ["set", shape(args[0])]
    if origin in (list, collections.abc.Sequence, collections.abc.Iterable):
        return ["list", shape(args[0])]
    return "any"


def _union(members: list[t.Any]) -> t.Any:
    others = [each for each in members if each != "none"]
    inner = others[0] if len(others) == 1 else ["union", others]
    return inner if len(others) == len(members) else ["opt", inner]


def _named(hint: type) -> t.Any:
    if hint in PLAIN:
        return hint.__name__
    if dataclasses.is_dataclass(hint):
        return ["cls", hint.__name__]
    if issubclass(hint, enum.Enum):
        values = [each.value if isinstance(each.value, (int, str)) else str(each.value) for each in hint]
        return ["enum", hint.__name__, [each.name for each in hint], values]
    if issubclass(hint, dict):
        return ["dict", []]
    return [hint.__name__, "any"] if hint in (list, set, tuple) else "any"
