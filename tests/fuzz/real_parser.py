"""Asks the real vLLM: command lines as JSON on standard input, verdicts as JSON on standard output.

Run by fuzz.py over the unpacked source of a release, with tools/ on the path.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import importlib
import io
import json
import os
import sys
import typing as t

from dumper import shims
from dumper.options import _first


def root_parser() -> t.Any:
    """The whole `vllm` parser: its root prepares the words that `serve` then reads."""
    parser_class = _first(
        ("vllm.utils.argparse_utils", "FlexibleArgumentParser"), ("vllm.utils", "FlexibleArgumentParser")
    )
    root = parser_class(prog="vllm")
    root.add_argument("-v", "--version", action="version", version="")
    commands = root.add_subparsers(required=False, dest="subparser")
    for command in importlib.import_module("vllm.entrypoints.cli.serve").cmd_init():
        command.subparser_init(commands)
    return root


def plain(value: t.Any) -> t.Any:
    """Parsed values as JSON; objects of vLLM only by their class."""
    if isinstance(value, enum.Enum) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        return {f"<{type(value).__name__}>": {}}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    return value if value is None or isinstance(value, (str, int, float, bool)) else {"<object>": {}}


def verdict(root: t.Any, words: list[str], defaults: dict[str, str]) -> dict[str, t.Any]:
    """Whether the parser takes the words, and what it sets other than by itself."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            found = vars(root.parse_args(["serve", *words]))
    except SystemExit:
        return {"ok": False, "error": said.getvalue()[-400:]}
    except Exception as error:
        return {"ok": False, "error": f"{type(error).__name__}: {error}"[:400]}
    changed = {key: plain(value) for key, value in found.items() if defaults.get(key) != repr(value)}
    return {"ok": True, "set": changed}


def main() -> None:
    """Answer every line."""
    output = os.dup(1)
    os.dup2(2, 1)  # some releases log to standard output
    sys.argv = ["vllm", "serve"]
    shims.prepare()
    root = root_parser()
    defaults = {key: repr(value) for key, value in vars(root.parse_args(["serve"])).items()}
    answers = [verdict(root, words, defaults) for words in json.load(sys.stdin)]
    with os.fdopen(output, "w", encoding="utf-8") as stream:
        json.dump(answers, stream)
    os._exit(0)


if __name__ == "__main__":
    main()
