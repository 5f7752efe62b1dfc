from __future__ import annotations

import json
import lzma
import pathlib
import typing as t

import pytest

FIXTURES = pathlib.Path(__file__).resolve().parents[4] / "fixtures" / "settings"


def load(name: str) -> t.Any:
    return json.loads(lzma.decompress((FIXTURES / name).read_bytes()))


@pytest.fixture(scope="session")
def configs() -> t.Any:
    """447 public command lines with the verdicts of the real parsers of 24 releases, and parsed values of four."""
    return load("configs.json.xz")


@pytest.fixture(scope="session")
def parser_cases() -> t.Any:
    """217 tricky command lines with the real parsers' answers: null where they refuse, else what they set."""
    return load("parser_cases.json.xz")


@pytest.fixture(scope="session")
def checksums() -> dict[str, str]:
    """A digest for every release, over the table straight from the real parser."""
    found: dict[str, str] = json.loads((FIXTURES / "table_checksums.json").read_text(encoding="utf-8"))
    return found
