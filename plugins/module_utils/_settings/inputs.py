"""Settings as people write them in YAML, turned into the words that the parser of a release would read."""

from __future__ import annotations

import dataclasses
import typing as t

from .argv import setting_name, word
from .problem import Problem

if t.TYPE_CHECKING:
    from .tables import Option, Table

TRUE = ("true", "yes", "on", "1")
FALSE = ("false", "no", "off", "0")


@dataclasses.dataclass
class Written:
    """Settings by their canonical names, with everything said about how they were written."""

    values: dict[str, t.Any] = dataclasses.field(default_factory=dict)  # as YAML values
    keys: dict[str, str] = dataclasses.field(default_factory=dict)  # canonical name -> key as written
    problems: list[Problem] = dataclasses.field(default_factory=list)
    remarks: list[Problem] = dataclasses.field(default_factory=list)
    unknown: dict[str, t.Any] = dataclasses.field(default_factory=dict)


def read_settings(settings: t.Mapping[t.Any, t.Any], table: Table) -> Written:
    """Canonical names for every spelling, JSON options put together from dotted keys, doubles told."""
    written = Written()
    for key in sorted(
        settings, key=lambda key: "." in str(key)
    ):  # whole mappings before the dotted keys into them
        head, _dot, path = setting_name(str(key)).partition(".")
        option, inverted = find_option(table, head)
        value = settings[key]
        if option is None or not option.names:
            written.unknown[setting_name(str(key))] = value
            written.problems += [
                Problem("unknown_option", "is no option", setting_name(str(key)), value, word=str(key))
            ]
            continue
        if inverted and isinstance(value, bool):
            value = not value
        if path:
            value = _nested(path.split("."), value)
        _add(written, option, str(key), value, dotted=bool(path))
    return written


def find_option(table: Table, name: str) -> tuple[Option | None, bool]:
    """The option of a setting, by its dest or any long name; and whether that name switches it off."""
    if name in table.options:
        return table.options[name], False
    spelled = "--" + name.replace("_", "-")
    option = table.by_name.get(spelled)
    return option, bool(option and spelled in option.off)


def _nested(path: list[str], value: t.Any) -> t.Any:
    for key in reversed(path):
        value = {key.rstrip("+"): value}
    return value


def _add(written: Written, option: Option, key: str, value: t.Any, dotted: bool) -> None:
    before = written.values.get(option.dest)
    if option.dest in written.keys:
        clashes = sorted(_clashes(before, value))
        if not dotted or not isinstance(before, dict) or clashes:
            twice = f"is given twice, as {written.keys[option.dest]} and as {key}"
            where = f"{option.dest}.{clashes[0]}" if dotted and clashes else option.dest
            written.problems.append(Problem("refused", twice, where, value, word=key))
            return
        value = merged(before, value)
    written.values[option.dest] = value
    written.keys.setdefault(option.dest, key)


def _clashes(one: t.Any, other: t.Any, path: str = "") -> t.Iterator[str]:
    """Paths of keys that both mappings give."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        yield path
        return
    for key in one.keys() & other.keys():
        yield from _clashes(one[key], other[key], f"{path}.{key}" if path else str(key))


def merged(below: t.Any, above: t.Any) -> t.Any:
    """Mappings merge key by key, null takes a key away, everything else replaces."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    result = {**below, **{key: merged(below.get(key), value) for key, value in above.items()}}
    return {key: value for key, value in result.items() if value is not None or key not in above}


# values to words -----------------------------------------------------------------------------------------------------
def words_of(
    option: Option, value: t.Any, name: str, table: Table
) -> tuple[list[str], list[Problem], list[Problem]]:
    """The words for one setting, what is wrong with it, and what is only worth a remark."""
    if value is None:
        return [], [], []
    if option.switch:
        return _switch(option, value, name, table)
    wrong = _wrong_shape(option, value)
    if wrong:
        return [], [Problem("invalid_value", wrong, option.dest, value, word=name)], []
    items = [word(each) for each in _items(option, value)]
    if not items and isinstance(value, list):
        return [], [], []
    remarks = [
        Problem("number_for_text", trap, option.dest, value, word=name) for trap in _traps(option, value)
    ]
    if option.action == "append":
        return [each for item in items for each in (option.long, item)], [], remarks
    if len(items) == 1:
        return [f"{option.long}={items[0]}"], [], remarks
    return [option.long, *items], [], remarks


def _switch(
    option: Option, value: t.Any, name: str, table: Table
) -> tuple[list[str], list[Problem], list[Problem]]:
    if isinstance(value, str) and value.strip().lower() in (*TRUE, *FALSE):
        value = value.strip().lower() in TRUE  # a template yields text
    if not isinstance(value, bool):
        return (
            [],
            [Problem("invalid_value", "takes true or false", option.dest, value, (True, False), name)],
            [],
        )
    if value:
        return [option.long], [], []
    off = table.off_name(option.dest)
    return [off] if off else [], [], []


def _wrong_shape(option: Option, value: t.Any) -> str | None:
    """What is wanted instead, where YAML's kind of value is none that the option can take."""
    takes_json = (
        option.json_class is not None or "json" in (option.type or "") or "dict" in (option.type or "")
    )
    if isinstance(value, bool) and not takes_json:
        return f"takes a value, not {str(value).lower()}: quote it if the word {_spoken(value)} is meant"
    if isinstance(value, dict) and not takes_json:
        return "takes no mapping"
    takes_list = takes_json or option.nargs == "+" or option.action == "append" or option.type == "device_ids"
    return "takes one value, not a list" if isinstance(value, (list, tuple)) and not takes_list else None


def _spoken(value: bool) -> str:
    return "on, yes or true" if value else "off, no or false"


def _items(option: Option, value: t.Any) -> list[t.Any]:
    if option.type == "device_ids" and isinstance(value, (list, tuple)):
        return [",".join(word(each) for each in value)]
    many = option.nargs == "+" or option.action in ("append", "lora")
    if many and isinstance(value, (list, tuple)):
        return list(value)
    return [value]


def _traps(option: Option, value: t.Any) -> t.Iterator[str]:
    """Numbers that YAML made of what was meant as text: 1.10 is 1.1, 0123 is 83, 1:30 is 90."""
    text = (option.type or "").replace("optional ", "") == "str" and option.choices is None
    for each in value if isinstance(value, (list, tuple)) else [value]:
        if text and isinstance(each, (int, float)) and not isinstance(each, bool):
            yield f"is text, and YAML made the number {each} of it: quote it"
