"""The recorded logs."""

from __future__ import annotations

import json
import lzma
import pathlib

FOLDER = pathlib.Path(__file__).parents[4] / "fixtures" / "diagnosis"

REAL: dict[str, str] = json.loads(lzma.decompress((FOLDER / "vllm-0.32.0-cpu.json.xz").read_bytes()))
PUBLIC: list[dict[str, object]] = [
    json.loads(line) for line in (FOLDER / "failures.jsonl").read_text(encoding="utf-8").splitlines()
]
MORE: list[dict[str, object]] = [
    json.loads(line) for line in (FOLDER / "more_failures.jsonl").read_text(encoding="utf-8").splitlines()
]
TRACKER: list[dict[str, list[str]]] = [
    json.loads(line) for line in (FOLDER / "tracker.jsonl").read_text(encoding="utf-8").splitlines()
]
WORDINGS: list[tuple[str, str]] = [
    (line.partition("|")[0], line.partition("|")[2])
    for line in (FOLDER / "wordings.txt").read_text(encoding="utf-8").splitlines()
]
BENIGN: list[str] = (FOLDER / "benign.txt").read_text(encoding="utf-8").splitlines()
