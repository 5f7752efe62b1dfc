"""The program of the image that rehearses, as build.py puts it together for one release."""

from __future__ import annotations

import importlib
import sys
import typing as t
from pathlib import Path
from types import ModuleType

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "hosts"))

from rehearsal import build


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the image would be built in."""
    place = tmp_path_factory.mktemp("rehearsal")
    build.write_context(place, "0.32.0")
    return place


@pytest.fixture(scope="session")
def stand_in(program: Path) -> t.Callable[[str], ModuleType]:
    """Import a module of the program."""
    sys.path.insert(0, str(program / "program"))
    return lambda name: importlib.import_module(f"vllm.stand_in.{name}")
