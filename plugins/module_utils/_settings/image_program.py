"""The program that asks the parser inside an image of vLLM, and reading what it answered."""

from __future__ import annotations

import hashlib
import json
import typing as t

Verdict = t.Literal["accepted", "refused", "not_asked"]

# Runs in the image under the Python that found is on its PATH, and goes on under the one that its `vllm` runs under.
START = """\
import os, shlex, shutil, sys
words = []
try:
    with open(shutil.which("vllm"), encoding="utf-8", errors="replace") as script:
        first, second = script.readline(), script.readline()
    words = first[2:].split() if first.startswith("#!") else []
    if words and words[0].endswith("sh"):
        words = shlex.split(second)[1:2]
except (OSError, TypeError, ValueError):
    pass
words = words if any("python" in word for word in words) else [sys.executable]
os.execvp(words[0], [*words, "-"])
"""

# From 0.10.0 to 0.33.0. Without a GPU an image for GPUs knows no platform, and then its own parser cannot be built
# ("Failed to infer device type"). vLLM's way out, in its `vllm bench`, is the platform of the CPU; what that one
# alone refuses, --mm-processor-device cuda, is let through.
PROGRAM = """\
import sys

sys.path[:] = [place for place in sys.path if place]  # images start in the folder of vLLM's sources
import contextlib, io, json, os

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # some releases log to the standard output


def tell(**found):
    answers.write("\\nproof:" + json.dumps(found) + "\\n")
    answers.flush()
    os._exit(0)  # vLLM leaves threads behind


def whole_parser():
    import vllm.entrypoints.cli.serve as serve

    try:
        from vllm.utils.argparse_utils import FlexibleArgumentParser
    except ImportError:
        from vllm.utils import FlexibleArgumentParser
    blind = is_blind()
    if blind:
        from vllm import platforms
        from vllm.platforms.cpu import CpuPlatform

        platforms.current_platform = CpuPlatform()
    root = FlexibleArgumentParser(prog="vllm")
    root.add_argument("-v", "--version", action="version", version="")
    commands = root.add_subparsers(required=False, dest="subparser")
    for command in serve.cmd_init():
        command.subparser_init(commands)
    if blind:
        let_through(commands.choices["serve"], "mm_processor_device", "cuda")
    return root


def is_blind():
    try:
        from vllm.platforms import current_platform
    except ImportError:
        return False
    return getattr(getattr(current_platform, "_enum", None), "name", "") == "UNSPECIFIED"


def let_through(parser, dest, value):
    for action in parser._actions:
        if action.dest == dest and action.choices is not None and value not in action.choices:
            action.choices = [*action.choices, value]


def short(error):
    return type(error).__name__ + ": " + " ".join(str(error).split())


def verdict(root, words):
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            root.parse_args(["serve", *words])
    except SystemExit:
        text = " ".join(said.getvalue().split())
        return ["refused", text.rpartition(": error: ")[2] or "the parser ends the program"]
    except (LookupError, TypeError, ValueError) as error:
        return ["refused", short(error)]
    except Exception as error:
        return ["not_asked", "the parser itself failed: " + short(error)]
    return ["accepted", ""]


def main(asked):
    os.environ.update(asked["env"])
    os.environ.update(HF_HUB_OFFLINE="1", VLLM_NO_USAGE_STATS="1")
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    sys.argv = ["vllm", "serve"]  # not --help: vLLM builds another parser then
    try:
        root = whole_parser()
        version = str(getattr(sys.modules["vllm"], "__version__", ""))
    except BaseException as error:
        tell(problem=short(error))
    tell(version=version, verdicts={name: verdict(root, words) for name, words in asked["lines"].items()})
"""


class Answered(t.NamedTuple):
    """What an image said: why it could not be asked, or its release of vLLM and the verdict on each line."""

    problem: str = ""
    version: str = ""
    verdicts: t.Mapping[str, tuple[Verdict, str]] = {}


def program(lines: t.Mapping[str, t.Sequence[str]], env: t.Mapping[str, str]) -> str:
    """The program with its questions, for the standard input of a Python: the words of each line behind ``vllm serve``."""
    asked = json.dumps({"lines": {name: list(words) for name, words in lines.items()}, "env": dict(env)})
    return f"{PROGRAM}\n\nmain(json.loads({asked!r}))\n"


def read(stdout: str) -> Answered | None:
    """What the program answered; None where it did not come to that."""
    line = next((each for each in stdout.splitlines() if each.startswith("proof:")), None)
    if line is None:
        return None
    told = json.loads(line[len("proof:") :])
    verdicts = {name: (verdict, message) for name, (verdict, message) in told.get("verdicts", {}).items()}
    return Answered(told.get("problem", ""), told.get("version", ""), verdicts)


def question_hash(argv: t.Sequence[str], env: t.Mapping[str, str]) -> str:
    """What an answer of an image holds for: the command line, its environment, and this program."""
    asked = json.dumps([PROGRAM, list(argv), dict(env)], sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()
