#!/usr/bin/env python3
"""Print command lines that the real parser of a release has judged, as instances of a plan, with its verdicts.

lines.py IMAGE RELEASE
"""

from __future__ import annotations

import json
import lzma
import sys
import typing as t
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "settings"


def judged(release: str) -> t.Iterator[tuple[list[str], bool]]:
    """The words behind ``vllm serve``, and whether the real parser took them. No files are there to be read."""
    configs = json.loads(lzma.decompress((FIXTURES / "configs.json.xz").read_bytes()))
    place = configs["releases"].index(release)
    for case in configs["cases"]:
        if not any(word.startswith("--config") for word in case["argv"]):
            yield case["argv"], case["ok"][place] == "1"


def main(image: str, release: str) -> None:
    """Everything as one JSON."""
    cases = [(argv, taken) for argv, taken in judged(release) if argv]
    planned = {"state": "present", "image": image, "version": release, "env": {}, "origins": {}}
    json.dump(
        {
            "instances": {f"line-{at}": {**planned, "argv": argv} for at, (argv, _taken) in enumerate(cases)},
            "verdicts": {
                f"line-{at}": "accepted" if taken else "refused" for at, (_argv, taken) in enumerate(cases)
            },
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main(*sys.argv[1:3])
