"""A directory has one spelling wherever it is compared, and one that cannot be mounted is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.directory import normal_directory

MODULES = sorted((Path(__file__).parents[5] / "plugins" / "modules").glob("*.py"))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("/data/fleet", "/data/fleet"),
        ("/data/fleet/", "/data/fleet"),
        ("//data//fleet/", "/data/fleet"),
        ("/data/./my fleet", "/data/my fleet"),
    ],
)
def test_slashes_that_say_nothing_go(given: str, meant: str) -> None:
    assert normal_directory(given) == meant


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("data/fleet", "is not absolute"),
        ("", "is not absolute"),
        ("~/fleet", "begins with ~"),
        ("/", "is the whole host"),
        ("//.", "is the whole host"),
        ("/data/../etc", "goes up"),
        ("/data:fleet", "holds a colon"),
        ("/data/fleet\n", "holds a line break"),
        ("/data/fle\tet", "holds a line break"),
        ("/data/fleet ", "blanks around it"),
    ],
)
def test_what_cannot_be_mounted_is_told(given: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        normal_directory(given)


def test_every_module_that_takes_a_state_directory_puts_it_right() -> None:
    taking = [path for path in MODULES if re.search(r'^ +"state_dir": \{', path.read_text(), re.MULTILINE)]
    assert len(taking) > 10
    assert [path.name for path in taking if "state_dir.normalise(module)" not in path.read_text()] == []
