#!/usr/bin/env python3
"""Builds the flag tables of the collection.

add VERSION …   get a release from PyPI, dump its parser, take the dump in, build   (--home DIR keeps what was fetched)
import FILE …   take dumps in that tools/dump_parser.py wrote elsewhere, for example inside vLLM's image, and build
compare FILE    tell whether a dump says what the tables say; exit code 1 where it does not
build           write the data modules and their checksums from tools/vllm_parser_dumps.tar.xz
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from flagtables import archive, expand, render, source
from flagtables.compact import Classes

TOOLS = Path(__file__).resolve().parent
CHECKSUMS = TOOLS.parent / "tests" / "fixtures" / "settings" / "table_checksums.json"


def build() -> None:
    """Write the data modules and the checksums of what they expand to."""
    dumps = archive.read()
    render.write(dumps)
    CHECKSUMS.write_text(json.dumps(expand.checksums(dumps), indent=2) + "\n", encoding="utf-8")
    print(f"{len(dumps)} releases, {next(iter(dumps))} to {list(dumps)[-1]}")


def take(files: list[Path]) -> None:
    """Add or replace dumps in the archive."""
    dumps = archive.read() if archive.ARCHIVE.exists() else {}
    for file in files:
        dump = json.loads(file.read_text(encoding="utf-8"))
        dumps[archive.release(dump["version"])] = dump
    archive.write(dumps)


def dump(version: str, home: Path) -> Path:
    """The dump of a release from PyPI."""
    file = home / f"{version}.json"
    print(source.run(home, version, TOOLS / "dump_parser.py", version, str(file)), end="")
    return file


def compare(file: Path) -> int:
    """Whether a dump is what the archive holds of that release."""
    dumps = archive.read()
    new = archive.trim(json.loads(file.read_text(encoding="utf-8")))
    names = Classes(dumps).names
    version = archive.release(new["version"])
    known, found = (expand.from_dump(each, names) for each in (dumps[version], new))
    differing = [f"{part}: {name}" for part in known for name in _differing(known[part], found[part])]
    print("\n".join(differing) or f"vLLM {version}: the same")
    return 1 if differing else 0


def _differing(one: dict[str, object], other: dict[str, object]) -> list[str]:
    return [name for name in sorted(one.keys() | other.keys()) if one.get(name) != other.get(name)]


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["add", "import", "compare", "build"])
    parser.add_argument("what", nargs="*")
    parser.add_argument("--home", type=Path, default=Path.home() / ".cache" / "vllm_fleet_parsers")
    options = parser.parse_args()
    if options.command == "compare":
        return compare(Path(options.what[0]))
    if options.command == "add":
        take([dump(version, options.home.resolve()) for version in options.what])
    if options.command == "import":
        take([Path(file) for file in options.what])
    build()
    return 0


if __name__ == "__main__":
    sys.exit(main())
