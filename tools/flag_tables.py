#!/usr/bin/env python3
"""Builds the flag tables of the collection.

build         regenerate the data modules from tools/vllm_parser_dumps.tar.xz
import FILE   take a dump made by tools/dump_parser.py into the archive, then build
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from flagtables import archive, expand, render

CHECKSUMS = (
    Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "settings" / "table_checksums.json"
)


def build() -> None:
    """Write the data modules and the checksums of what they expand to."""
    dumps = archive.read()
    render.write(dumps)
    CHECKSUMS.write_text(json.dumps(expand.checksums(dumps), indent=2) + "\n", encoding="utf-8")
    print(f"{len(dumps)} releases, {next(iter(dumps))} to {list(dumps)[-1]}")


def take(files: list[str]) -> None:
    """Add or replace dumps in the archive."""
    dumps = archive.read() if archive.ARCHIVE.exists() else {}
    for file in files:
        dump = json.loads(Path(file).read_text(encoding="utf-8"))
        dumps[archive.release(dump["version"])] = dump
    archive.write(dumps)


if __name__ == "__main__":
    if sys.argv[1:2] == ["import"]:
        take(sys.argv[2:])
    build()
