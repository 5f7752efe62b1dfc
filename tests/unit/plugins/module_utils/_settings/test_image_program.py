"""The program that runs in images, run here over a small package in the layout of vLLM."""

from __future__ import annotations

import os
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.image_program import (
    PROGRAM,
    START,
    program,
    question_hash,
    read,
)

SERVE = """\
import json, sys
import vllm.platforms

def broken(text):
    raise RuntimeError("no GPU to ask")

class Serve:
    def subparser_init(self, commands):
        if vllm.platforms.current_platform._enum.name == "UNSPECIFIED":
            raise RuntimeError("Failed to infer device type")
        print("a release that logs to the standard output")
        parser = commands.add_parser("serve")
        parser.add_argument("model_tag", nargs="?")
        parser.add_argument("--max-num-seqs", type=int)
        parser.add_argument("--config", type=json.loads)
        parser.add_argument("--broken", type=broken)
        parser.add_argument("--mm-processor-device", choices=["auto", "cpu"])
        return parser

def cmd_init():
    return [Serve()]
"""
PLATFORMS = """\
class Platform:
    def __init__(self, name):
        self._enum = type("Enum", (), {{"name": name}})

current_platform = Platform({name!r})
"""
CPU = "from . import Platform\n\ndef CpuPlatform():\n    return Platform('CPU')\n"
PARSER = "import argparse\n\nclass FlexibleArgumentParser(argparse.ArgumentParser):\n    pass\n"


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A package of vLLM as of 0.11.1 and later, on a machine without a GPU."""
    make(tmp_path, platform="UNSPECIFIED")
    return tmp_path


def make(place: Path, platform: str, parser: str = "utils/argparse_utils.py") -> None:
    files = {
        "__init__.py": "__version__ = '0.32.0'\n",
        "entrypoints/__init__.py": "",
        "entrypoints/cli/__init__.py": "",
        "entrypoints/cli/serve.py": SERVE,
        "platforms/__init__.py": PLATFORMS.format(name=platform),
        "platforms/cpu.py": CPU,
        "utils/__init__.py": "",
        parser: PARSER,
    }
    for name, text in files.items():
        path = place / "vllm" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def ask(
    place: Path,
    *lines: t.Sequence[str],
    env: t.Mapping[str, str] | None = None,
    inside: Path | None = None,
) -> t.Any:
    named = {str(number): line for number, line in enumerate(lines)}
    done = subprocess.run(
        [sys.executable, "-"],
        input=program(named, env or {}),
        capture_output=True,
        text=True,
        check=False,
        cwd=inside or place,
        env={**os.environ, "PYTHONPATH": str(place)},
    )
    return read(done.stdout)


@pytest.mark.parametrize(
    ("line", "verdict", "message"),
    [
        pytest.param(["m", "--max-num-seqs", "4"], "accepted", "", id="taken"),
        pytest.param(["m", "--foo", "4"], "refused", "unrecognized arguments: --foo 4", id="unknown"),
        pytest.param(
            ["m", "--max-num-seqs", "x"],
            "refused",
            "argument --max-num-seqs: invalid int value: 'x'",
            id="value",
        ),
        pytest.param(["--help"], "refused", None, id="a parser that ends the program by itself"),
        pytest.param(
            ["m", "--broken", "x"],
            "not_asked",
            "the parser itself failed: RuntimeError: no GPU to ask",
            id="a failure that is none of the command line",
        ),
        pytest.param(["m", "--mm-processor-device", "cuda"], "accepted", "", id="refused only without a GPU"),
        pytest.param(
            ["m", "--mm-processor-device", "tpu"],
            "refused",
            None,
            id="refused with a GPU too",
        ),
    ],
)
def test_the_parser_of_an_image_for_gpus_judges_without_one(
    image: Path, line: list[str], verdict: str, message: str | None
) -> None:
    answered = ask(image, line)
    assert (answered.version, answered.problem) == ("0.32.0", "")
    assert answered.verdicts["0"][0] == verdict
    assert message in (None, answered.verdicts["0"][1])


def test_what_an_image_for_the_cpu_refuses_is_refused(tmp_path: Path) -> None:
    make(tmp_path, platform="CPU")
    assert ask(tmp_path, ["m", "--mm-processor-device", "cuda"]).verdicts["0"][0] == "refused"


def test_the_parser_class_of_older_releases_is_found(tmp_path: Path) -> None:
    make(tmp_path, platform="CPU", parser="utils/__init__.py")
    assert ask(tmp_path, ["m"]).verdicts["0"] == ("accepted", "")


def test_one_image_judges_many_lines(image: Path) -> None:
    answered = ask(image, ["m"], ["m", "--foo"], ["m", "--max-num-seqs", "1"])
    assert [answered.verdicts[name][0] for name in "012"] == ["accepted", "refused", "accepted"]


def test_an_image_that_cannot_be_imported_says_why(image: Path) -> None:
    serve = image / "vllm" / "entrypoints" / "cli" / "serve.py"
    serve.write_text("raise ImportError('libcuda.so.1: cannot open shared object file')\n", encoding="utf-8")
    answered = ask(image, ["m"])
    assert answered.problem == "ImportError: libcuda.so.1: cannot open shared object file"
    assert answered.verdicts == {}


def test_the_folder_that_a_container_starts_in_is_no_place_for_imports(image: Path) -> None:
    sources = image / "sources"
    make(sources, platform="CPU")
    for name in ("json.py", "vllm/__init__.py"):
        (sources / name).write_text("raise ImportError('not this one')\n", encoding="utf-8")
    assert ask(image, ["m"], inside=sources).version == "0.32.0"


def test_the_environment_of_the_instance_is_there_before_the_import(image: Path) -> None:
    (image / "vllm" / "__init__.py").write_text(
        "import os\n__version__ = os.environ['TOLD']\n", encoding="utf-8"
    )
    assert ask(image, ["m"], env={"TOLD": 'it\'s "so"\n'}).version == 'it\'s "so"\n'


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("#!{python}\n", id="a console script"),
        pytest.param("#!/usr/bin/env {python}\n", id="through env"),
        pytest.param("#!/bin/sh\n'''exec' {python} \"$0\" \"$@\"\n", id="a path too long for the first line"),
    ],
)
def test_the_python_of_the_server_is_used(tmp_path: Path, head: str) -> None:
    other = tmp_path / "python-of-vllm"
    other.write_text("#!/bin/sh\necho other $1\n", encoding="utf-8")
    other.chmod(0o755)
    script = tmp_path / "vllm"
    script.write_text(head.format(python=other), encoding="utf-8")
    script.chmod(0o755)
    assert start(f"{tmp_path}:{os.environ['PATH']}") == "other -"


@pytest.mark.parametrize("text", ["\x7fELF", "#!/bin/sh\nexec something\n", ""])
def test_without_a_python_in_its_script_the_one_at_hand_is_used(tmp_path: Path, text: str) -> None:
    script = tmp_path / "vllm"
    script.write_text(text, encoding="utf-8")
    script.chmod(0o755)
    assert start(str(tmp_path), stdin="print('this one')") == "this one"


def test_no_vllm_on_the_path_is_no_obstacle(tmp_path: Path) -> None:
    assert start(str(tmp_path), stdin="print('this one')") == "this one"


def start(path: str, stdin: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", START],
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    return done.stdout.strip()


def test_output_without_an_answer_is_none() -> None:
    assert read("INFO something\nTraceback\n") is None


def test_other_words_or_another_environment_are_another_question() -> None:
    asked = {
        question_hash(["m"], {}),
        question_hash(["m", "--x"], {}),
        question_hash(["m"], {"A": "1"}),
        question_hash(["m --x"], {}),
    }
    assert len(asked) == 4
    assert question_hash(["m"], {"A": "1", "B": "2"}) == question_hash(["m"], {"B": "2", "A": "1"})


def test_the_program_holds_nothing_newer_than_the_oldest_python_of_an_image() -> None:
    compile(PROGRAM, "program", "exec", flags=0, dont_inherit=True)
    compile(START, "start", "exec", flags=0, dont_inherit=True)
