"""Every option of the real `vllm serve` parser as data."""

from __future__ import annotations

import argparse
import dataclasses
import enum
import functools
import importlib
import inspect
import typing as t

Entry = dict[str, t.Any]
SOURCE = "_source"  # the attribute in which an option remembers the field that it fills


def serve_parser() -> argparse.ArgumentParser:
    """The parser, built by vLLM itself, each option with the field of the configuration that it came from."""
    _remember_fields()
    parser_class = _first(
        ("vllm.utils.argparse_utils", "FlexibleArgumentParser"), ("vllm.utils", "FlexibleArgumentParser")
    )
    serve = importlib.import_module("vllm.entrypoints.cli.serve")
    commands = parser_class(description="vLLM").add_subparsers(required=False, dest="subparser")
    parsers = {command.name: command.subparser_init(commands) for command in serve.cmd_init()}
    found: argparse.ArgumentParser = parsers["serve"]
    return found


def _first(*places: tuple[str, str]) -> t.Any:
    for module, name in places:
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):  # noqa: PERF203 - a handful of places
            continue
    raise LookupError(f"none of {places}")


def _remember_fields() -> None:
    """vLLM makes options from fields of its classes; let both functions pass the field's name on."""
    engine = importlib.import_module("vllm.engine.arg_utils")
    make, add = engine.get_kwargs, argparse._ActionsContainer.add_argument

    def get_kwargs(owner: type, *args: t.Any, **kwargs: t.Any) -> dict[str, Entry]:
        made: dict[str, Entry] = make(owner, *args, **kwargs)
        for field, options in made.items():
            options[SOURCE] = f"{owner.__name__}.{field}"
        return made

    def add_argument(self: t.Any, *names: str, **options: t.Any) -> argparse.Action:
        source = options.pop(SOURCE, None)
        action: argparse.Action = add(self, *names, **options)
        setattr(action, SOURCE, source)
        return action

    engine.get_kwargs = get_kwargs
    argparse._ActionsContainer.add_argument = add_argument  # type: ignore[method-assign]


def describe(parser: argparse.ArgumentParser) -> list[Entry]:
    """All options in the parser's own order."""
    deprecated = {id(action) for action in getattr(parser, "_deprecated", ())}
    return [_describe(parser, action, id(action) in deprecated) for action in parser._actions]


def _describe(parser: argparse.ArgumentParser, action: argparse.Action, deprecated: bool) -> Entry:
    # What the parser accepts, not what its help shows: from 0.33.0 on some spellings are hidden.
    names = [name for name, owner in parser._option_string_actions.items() if owner is action]
    return {
        "dest": action.dest,
        "action": type(action).__name__,
        "type": type_name(action.type),
        "nargs": action.nargs,
        "const": value(action.const),
        "default": value(action.default),
        "choices": None if action.choices is None else value(list(action.choices)),
        "deprecated": deprecated or bool(getattr(action, "deprecated", False)),
        "src": getattr(action, SOURCE, None),
        "all_options": names,
        **_negatives(action, names),
        **_json_class(action.type),
    }


def _negatives(action: argparse.Action, names: list[str]) -> Entry:
    known = getattr(action, "negative_option_strings", None)
    if known is not None:
        return {"negative_options": sorted(name for name in names if name in known)}
    if isinstance(action, argparse.BooleanOptionalAction):
        return {"negative_options": [name for name in names if name.startswith("--no-")]}
    return {}


def _json_class(kind: t.Any) -> Entry:
    classes = [
        inner for inner in _inside(kind) if isinstance(inner, type) and dataclasses.is_dataclass(inner)
    ]
    return {"json_class": classes[0].__name__} if classes else {}


def _inside(function: t.Any) -> t.Iterator[t.Any]:
    """What a function holds in its closure and its defaults, functions opened."""
    if not inspect.isfunction(function):
        return
    for inner in _held(function):
        yield inner
        yield from _inside(inner)


def _held(function: t.Any) -> list[t.Any]:
    cells = [cell.cell_contents for cell in function.__closure__ or () if _filled(cell)]
    return [each for each in cells if callable(each)] + [
        d for d in function.__defaults__ or () if isinstance(d, type)
    ]


def _filled(cell: t.Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def type_name(kind: t.Any) -> str | None:
    """The converter of an option, with what it wraps: ``optional_type[human_readable_int]``."""
    if kind is None:
        return None
    if isinstance(kind, functools.partial):
        return type_name(kind.func)
    if isinstance(kind, type):
        return (
            kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        )
    if not inspect.isfunction(kind):
        return getattr(kind, "__qualname__", None) or repr(kind)
    name = kind.__qualname__.rpartition(".")[2].lstrip("_")
    if kind.__module__ == "json":
        name = f"json.{name}"
    if name == "<lambda>":
        name = "lower_underscore" if kind("A-b") == "a_b" else "device_id_list"
    inner = [str(type_name(each)) for each in _held(kind)]
    return f"{name}[{', '.join(inner)}]" if inner else name


def value(of: t.Any) -> t.Any:
    """Defaults and choices as JSON."""
    if isinstance(of, enum.Enum):
        named = {"enum": f"{type(of).__name__}.{of.name}"}
        return named if isinstance(of, (int, str)) else {**named, "value": of.value}
    if of is None or isinstance(of, (str, int, float, bool)):
        return of
    if isinstance(of, (list, tuple)):
        return [value(each) for each in of]
    if isinstance(of, (set, frozenset)):
        return sorted((value(each) for each in of), key=str)
    if isinstance(of, dict):
        return {str(key): value(each) for key, each in of.items()}
    if dataclasses.is_dataclass(of) and not isinstance(of, type):
        return {"dataclass": type(of).__name__}
    return {"class": of.__name__} if isinstance(of, type) else {"repr": repr(of).partition(" at 0x")[0]}
