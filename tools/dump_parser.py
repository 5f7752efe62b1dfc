#!/usr/bin/env python3
"""Write what the vLLM beside this Python knows of its options: dump_parser.py VERSION OUTPUT.json

Runs where vLLM can be imported: in its own image, or over its unpacked source with torch and vLLM's requirements (see
tools/flag_tables.py add). Needs no GPU and starts nothing. Reads no configuration of the collection.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from dumper import shims


def main(version: str, output: str) -> None:
    """Dump the parser, the classes and the registries."""
    # Not "--help": vLLM builds another parser when the command line asks for help.
    sys.argv = ["vllm", "serve"]
    shims.prepare()
    from dumper import classes, options, registries

    parser = options.serve_parser()
    dump = {
        "version": version,
        "actions": options.describe(parser),
        "classes": classes.describe(),
        "registries": registries.describe(),
    }
    Path(output).write_text(json.dumps(dump, indent=1, default=str), encoding="utf-8")
    print(f"vLLM {version}: {len(dump['actions'])} options, {len(dump['classes'])} classes")
    sys.stdout.flush()
    os._exit(0)  # vLLM leaves threads behind


if __name__ == "__main__":
    main(*sys.argv[1:3])
