"""The parser of one release, made from the options that build.py took out of the flag tables."""

from __future__ import annotations

import argparse
import json
import re
import sys
import typing as t

from . import release
from .values import converter

_MODEL_FIRST = (
    "`model` should be provided as the first positional argument when using `vllm serve`."
    " i.e. `vllm serve <model> --<arg> <value>`."
)


class FlexibleArgumentParser(argparse.ArgumentParser):
    """Takes underscores for dashes, and dotted options as parts of one JSON option."""

    def parse_args(self, args: t.Any = None, namespace: t.Any = None) -> t.Any:
        """As argparse, after the words were brought to one form."""
        words = list(sys.argv[1:] if args is None else args)
        if words[:1] == ["serve"]:
            words = model_first(words)
        return super().parse_args(with_json(with_dashes(words)), namespace)


def model_first(words: list[str]) -> list[str]:
    """`serve --model M …` as `serve M …`; and no model behind an option that would swallow it."""
    for place, word in enumerate(words):
        if word == "--model" and place + 1 < len(words):
            return ["serve", words[place + 1], *words[1:place], *words[place + 2 :]]
        if word.startswith("--model="):
            return ["serve", word.partition("=")[2], *words[1:place], *words[place + 1 :]]
    named = any(re.match(r"--served[-_]model[-_]name(=|$)", word) for word in words)
    if named and len(words) > 1 and words[1].startswith("-"):
        raise ValueError(_MODEL_FIRST)
    return words


def with_dashes(words: list[str]) -> list[str]:
    """`--max_model_len` as `--max-model-len`, and `-O3` as the option that it stands for."""
    return [part for word in words for part in _with_dashes(word)]


def _with_dashes(word: str) -> list[str]:
    level = re.fullmatch(r"-O=?(\d)", word)
    if level:
        return ["--optimization-level", level[1]]
    if not word.startswith("--"):
        return [word]
    name, equals, value = word.partition("=")
    before, dot, after = name.partition(".")
    return ["--" + before[2:].replace("_", "-") + dot + after + equals + value]


def with_json(words: list[str]) -> list[str]:
    """`--x.a.b 1` as one `--x {"a": {"b": 1}}` at the end."""
    kept: list[str] = []
    dotted: dict[str, dict[str, t.Any]] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if not re.match(r"--?[a-zA-Z][^.]*\.[^.]", name):
            kept.append(word)
            continue
        option, _dot, path = name.partition(".")
        _put(dotted.setdefault(option, {}), path, value if equals else next(rest, ""))
    return [*kept, *(part for option, found in dotted.items() for part in (option, json.dumps(found)))]


def _put(found: dict[str, t.Any], path: str, text: str) -> None:
    *parents, last = path.split(".")
    for parent in parents:
        found = found.setdefault(parent, {})
    if last.endswith("+"):
        found.setdefault(last[:-1], []).extend(text.split(","))
        return
    try:
        found[last] = json.loads(text)
    except ValueError:
        found[last] = text


class _Switch(argparse.Action):
    """`--x` and `--no-x`."""

    def __init__(
        self, option_strings: t.Sequence[str], dest: str, off: t.Sequence[str] = (), **more: t.Any
    ) -> None:
        super().__init__([*option_strings, *off], dest, nargs=0, **more)
        self._off = off

    def __call__(self, _parser: t.Any, namespace: t.Any, _values: t.Any, option_string: t.Any = None) -> None:
        setattr(namespace, self.dest, option_string not in self._off)


class _Adapters(argparse.Action):
    """`--lora-modules`: name=path, or JSON."""

    def __call__(self, parser: t.Any, namespace: t.Any, values: t.Any, _option: t.Any = None) -> None:
        found = []
        for word in values:
            name, equals, path = word.partition("=")
            try:
                found.append({"name": name, "path": path} if equals and "," not in word else json.loads(word))
            except ValueError:
                parser.error(f"Invalid JSON format for --lora-modules: {word}")
        setattr(namespace, self.dest, found)


def make_arg_parser(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Tell a parser the options of `vllm serve`."""
    for option in release.OPTIONS:
        _add(parser, option)
    return parser


def _add(parser: argparse.ArgumentParser, option: dict[str, t.Any]) -> None:
    action, names, default = option.get("action", "store"), option["names"], option.get("default")
    if action == "bool":
        parser.add_argument(*names, dest=option["dest"], action=_Switch, off=option["off"], default=default)
    elif action == "true":
        parser.add_argument(*names, dest=option["dest"], action="store_true", default=default)
    elif not names:
        parser.add_argument(option["dest"], nargs=option.get("nargs"), type=converter(option.get("type")))
    else:
        kept = {"lora": _Adapters, "append": "append"}.get(action, "store")
        more = {key: option[key] for key in ("nargs", "const") if key in option}
        if "choices" in option:
            more["choices"] = [*option["choices"], None] if release.RELEASE >= (0, 31) else option["choices"]
        kind = converter(option.get("type"))
        parser.add_argument(*names, dest=option["dest"], action=kept, type=kind, default=default, **more)


def serve_parser() -> FlexibleArgumentParser:
    """The whole command line `vllm`, with `serve` in it."""
    from ..entrypoints.cli.serve import cmd_init

    root = FlexibleArgumentParser(prog="vllm", description="vLLM CLI (a stand-in for rehearsals)")
    root.add_argument("-v", "--version", action="version", version=release.VERSION)
    subparsers = root.add_subparsers(required=True, dest="subparser")
    for command in cmd_init():
        command.subparser_init(subparsers)
    return root
