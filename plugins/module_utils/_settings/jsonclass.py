"""Checks the JSON of an option as pydantic does for vLLM's configuration classes, with every problem found."""

from __future__ import annotations

import re
import typing as t

from .jsonown import own_validator
from .jsonrules import check_rules
from .problem import Problem, under

if t.TYPE_CHECKING:
    from .tables import Field, JsonClass, Table

TRUE_FALSE = {"1", "on", "t", "true", "y", "yes", "0", "off", "f", "false", "n", "no"}
WHOLE = re.compile(r"\s*[+-]?\d+(_\d+)*(\.0*)?\s*")


def check_class(table: Table, name: str, value: t.Any) -> list[Problem]:
    """What the class of that name refuses in ``value``; nothing for classes that the release does not have."""
    json_class = table.json_class(name)
    if json_class is None:
        return []
    if not isinstance(value, dict):
        return [Problem("invalid_json_value", "takes a mapping (a JSON object)", value=value)]
    problems = [*_unknown(json_class, value), *_missing(json_class, value)]
    for key, field in json_class.fields.items():
        if key in value:
            problems += [under(problem, key) for problem in _field(table, name, key, field, value[key])]
    return problems or check_rules(table, json_class, value)


def _unknown(json_class: JsonClass, value: dict[t.Any, t.Any]) -> list[Problem]:
    if not json_class.forbids_unknown:
        return []
    known = tuple(json_class.fields)
    unknown = [key for key in value if key not in json_class.fields]
    return [
        Problem("unknown_json_key", f"is no key of {json_class.name}", str(key), value[key], known)
        for key in unknown
    ]


def _missing(json_class: JsonClass, value: dict[t.Any, t.Any]) -> list[Problem]:
    needed = [key for key, field in json_class.fields.items() if field.required and key not in value]
    return [Problem("invalid_json_value", "is required", key) for key in needed]


def _field(table: Table, owner: str, key: str, field: Field, value: t.Any) -> list[Problem]:
    if "none" in field.marks and value is None:
        return []
    if "own" in field.marks or owner == "QuantSpec" or "any" in field.type:
        value, settled = own_validator(table, owner, key, field, value)
        if settled is not None:
            return settled
    return check_type(table, field.type, value) or _bounds(field, value)


def _bounds(field: Field, value: t.Any) -> list[Problem]:
    tests: dict[str, t.Callable[[float, float], bool]] = {
        "ge": lambda v, limit: v >= limit,
        "gt": lambda v, limit: v > limit,
        "le": lambda v, limit: v <= limit,
        "lt": lambda v, limit: v < limit,
    }
    signs = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    number = _number(value)
    if number is None:
        return []
    return [
        Problem("invalid_json_value", f"must be {signs[name]} {limit}", value=value)
        for name, limit in field.bounds.items()
        if name in tests and not tests[name](number, limit)
    ]


def _number(value: t.Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def check_type(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    """What a field of that type refuses."""
    if isinstance(kind, str):
        wanted = _plain(kind, value)
        return [Problem("invalid_json_value", f"takes {wanted}", value=value)] if wanted else []
    return _COMPOSED[kind[0]](table, kind, value)


def _plain(kind: str, value: t.Any) -> str | None:
    """What is wanted instead, None where the value will do."""
    wanted, fits = _PLAIN[kind]
    return None if fits(value) else wanted


def _is_int(value: t.Any) -> bool:
    if isinstance(value, float):
        return value.is_integer() and abs(value) < 2**63  # pydantic gives up beyond
    return isinstance(value, int) or (isinstance(value, str) and bool(WHOLE.fullmatch(value)))


def _is_float(value: t.Any) -> bool:
    return isinstance(value, (int, float, str)) and _number(value) is not None


def _is_bool(value: t.Any) -> bool:
    if isinstance(value, str):
        return value.lower() in TRUE_FALSE
    return isinstance(value, (bool, int, float)) and value in (0, 1)


_PLAIN: dict[str, tuple[str, t.Callable[[t.Any], bool]]] = {
    "any": ("anything", lambda value: True),
    "none": ("null", lambda value: value is None),
    "int": ("a whole number", _is_int),
    "float": ("a number", _is_float),
    "bool": ("true or false", _is_bool),
    "str": ("text", lambda value: isinstance(value, str)),
}


def _optional(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    return [] if value is None else check_type(table, kind[1], value)


def _literal(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    allowed = table.named(kind[1])
    if any(type(each) is type(value) and each == value for each in allowed):
        return []
    return [Problem("invalid_json_value", f"takes one of {texts(allowed)}", value=value, allowed=allowed)]


def _enum(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    members = table.named(kind[1])
    allowed = tuple(member for _name, member in members)
    if value in allowed:
        return []
    return [Problem("invalid_json_value", f"takes one of {texts(allowed)}", value=value, allowed=allowed)]


def _union(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    found = [check_type(table, member, value) for member in kind[1:]]
    if not all(found):
        return []
    problems = [problem for member in found for problem in member]
    allowed = tuple(each for problem in problems for each in problem.allowed)
    wanted = " or ".join(dict.fromkeys(problem.message.replace("takes ", "", 1) for problem in problems))
    return [Problem("invalid_json_value", f"takes {wanted}", value=value, allowed=allowed)]


def _list(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    if not isinstance(value, list):
        return [Problem("invalid_json_value", "takes a list", value=value)]
    return [
        under(problem, str(index))
        for index, each in enumerate(value)
        for problem in check_type(table, kind[1], each)
    ]


def _tuple(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    members = kind[1:]
    if not isinstance(value, list):
        return [Problem("invalid_json_value", "takes a list", value=value)]
    if members and members[-1] == "...":
        return _list(table, kind, value)
    if len(value) != len(members):
        return [Problem("invalid_json_value", f"takes a list of {len(members)}", value=value)]
    return [problem for member, each in zip(members, value) for problem in check_type(table, member, each)]


def _dict(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    if not isinstance(value, dict):
        return [Problem("invalid_json_value", "takes a mapping (a JSON object)", value=value)]
    if len(kind) < 3:
        return []
    return [
        under(problem, key) for key, each in value.items() for problem in check_type(table, kind[2], each)
    ]


def _class(table: Table, kind: t.Any, value: t.Any) -> list[Problem]:
    return check_class(table, kind[1], value)


_COMPOSED: dict[str, t.Callable[[Table, t.Any, t.Any], list[Problem]]] = {
    "opt": _optional,
    "lit": _literal,
    "enum": _enum,
    "union": _union,
    "list": _list,
    "set": _list,
    "tuple": _tuple,
    "dict": _dict,
    "cls": _class,
}


def texts(values: t.Iterable[t.Any]) -> str:
    """Allowed values as a message lists them."""
    return ", ".join("null" if value is None else str(value) for value in values)
