#!/usr/bin/env python3
"""Build the image of a server that only rehearses: it takes the command line of one vLLM release and serves no model.

build.py 0.32.0 makes localhost/vllm-rehearsal:v0.32.0. docs/rehearsal.md tells what to do with it.
"""

from __future__ import annotations

import argparse
import compileall
import json
import py_compile
import shutil
import subprocess
import sys
import tempfile
import typing as t
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[2]
sys.path[:0] = [str(HERE.parent), str(CHECKOUT / ".collections")]

from rehearsal import failures

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings import tables

if t.TYPE_CHECKING:
    from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import Option

SETTINGS = CHECKOUT / "plugins/module_utils/_settings"
# What the image is made from, besides this folder.
SOURCES = (
    *(SETTINGS / name for name in ("tables.py", "version.py", "options_data.py", "values_data.py")),
    *(failures.RECORDED / name for name in ("failures.jsonl", "wordings.txt")),
)
PROGRAM = """#!/usr/bin/env python3
import sys

sys.path.insert(0, "/opt/rehearsal")

from vllm.stand_in.cli import main

if __name__ == "__main__":
    sys.exit(main())
"""
ARGUMENTS = "The options of `vllm serve`, where this release has them.", "make_arg_parser"
PARSER = "The class of parser, where this release has it.", "FlexibleArgumentParser"
MODULE = '"""{what}"""\n\nfrom vllm.stand_in.parser import {name}\n\n__all__ = ["{name}"]\n'
PACKAGE = '"""A package of vLLM that has nothing else here."""\n'


def release(version: str, refused: t.Collection[str] = ()) -> dict[str, t.Any]:
    """What the program has to know: the options of the release but for the refused ones, and how failures look."""
    chosen = tables.choose(version)
    if not chosen.exact:
        sys.exit(
            f"build.py: the flag tables have no release {version}; they have: {', '.join(tables.RELEASES)}"
        )
    options = [
        _option(option, refused) for option in chosen.table.options.values() if option.action != "help"
    ]
    return {
        "version": chosen.table.version,
        "options": [option for option in options if option],
        "failures": failures.data(),
    }


def _option(option: Option, refused: t.Collection[str]) -> dict[str, t.Any] | None:
    """An option as JSON, None where all of its names are refused."""
    names = [name for name in option.names if name not in refused]
    if option.names and not names:
        return None
    told: dict[str, t.Any] = {"dest": option.dest, "names": names, "action": option.action}
    told |= {
        key: value
        for key in ("type", "nargs", "const", "default")
        if (value := getattr(option, key)) is not None
    }
    if option.action == "bool":
        told["off"] = [name for name in option.off if name not in refused]
    if option.choices is not None:
        told["choices"] = list(option.choices)
    return told


def write_context(place: Path, version: str, refused: t.Collection[str] = ()) -> None:
    """Everything that the image holds besides its base."""
    known = release(version, refused)
    shutil.copyfile(HERE / "Containerfile", place / "Containerfile")
    package = place / "program/vllm"
    shutil.copytree(HERE / "program/vllm", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "stand_in/release.json").write_text(json.dumps(known, separators=(",", ":"), sort_keys=True))
    for where, text in _moved(tuple(int(part) for part in known["version"].split("."))).items():
        file = package / where
        file.parent.mkdir(exist_ok=True)
        if file.name != "__init__.py":
            (file.parent / "__init__.py").write_text(PACKAGE)
        file.write_text(text)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH  # a Python of another version passes it over
    compileall.compile_dir(place / "program", quiet=1, ddir="/opt/rehearsal", invalidation_mode=unchecked)
    for file in place.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)  # whatever the umask: servers do not always run as root
    program = place / "vllm"
    program.write_text(PROGRAM)
    program.chmod(0o755)


def _moved(number: tuple[int, ...]) -> dict[str, str]:
    """Modules that vLLM has moved over time."""
    arguments = "common" if number >= (0, 33) else "launchers" if number >= (0, 29) else "openai"
    parser = "argparse_utils" if number >= (0, 11, 1) else "__init__"
    places = {f"entrypoints/{arguments}/cli_args.py": ARGUMENTS, f"utils/{parser}.py": PARSER}
    return {place: MODULE.format(what=what, name=name) for place, (what, name) in places.items()}


def build(
    engine: t.Sequence[str], version: str, reference: str, base: str = "", refused: t.Collection[str] = ()
) -> list[str]:
    """Build the image, by an engine such as `podman`; the command that was run, for tests and messages."""
    with tempfile.TemporaryDirectory(prefix="vllm-rehearsal-") as place:
        write_context(Path(place), version, refused)
        options = ["--pull=never", f"--build-arg=BASE={base}"] if base else []
        command = [*engine, "build", "--quiet", "--format=docker", *options, "--tag", reference, place]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return command


def main() -> None:
    """Build what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("version", help="a release that the flag tables have, as 0.32.0")
    parser.add_argument("--tag", help="the image's name (localhost/vllm-rehearsal:v<version>)")
    parser.add_argument("--base", default="", help="an image with Python 3.9 or newer that is here already")
    parser.add_argument(
        "--refuse",
        action="append",
        default=[],
        metavar="FLAG",
        help="an option to leave out: --refuse=--seed",
    )
    options = parser.parse_args()
    reference = options.tag or f"localhost/vllm-rehearsal:v{options.version}"
    build(["podman"], options.version, reference, options.base, options.refuse)
    print(reference)


if __name__ == "__main__":
    main()
