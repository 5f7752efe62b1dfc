"""The folder of a script, in the ways in which scripts ask for it."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.interpolate import Interpolation
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.substitution import path_of, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$(pwd)", "/srv/llm"),
        ("`pwd`", "/srv/llm"),
        ('$(dirname "$0")', "/srv/llm"),
        ('$(cd "$(dirname "$0")" && pwd)', "/srv/llm"),
        ('$(cd "$(dirname "${BASH_SOURCE[0]}")" >/dev/null 2>&1 && pwd)', "/srv/llm"),
        ('$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)', "/srv"),
        ('$(dirname "$(readlink -f "$0")")', "/srv/llm"),
        ("$(date +%s)", None),
        ("$(cat model.txt)", None),
    ],
)
def test_what_a_command_prints_is_told_where_it_is_the_folder(text: str, value: str | None) -> None:
    assert value_of(text, "/srv/llm") == value


def test_a_folder_that_is_not_known_is_none() -> None:
    assert value_of("$(pwd)", None) is None


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('$(dirname "$D")', "/srv"),
        ("$(basename ${D})", "llm"),
        ("$(realpath $D/../x)", "/srv/x"),
        ("$(dirname $UNKNOWN)", None),
        ("$(dirname $D | tr a b)", None),
    ],
)
def test_parts_of_a_path_that_is_known(text: str, path: str | None) -> None:
    values = Interpolation({"D": "/srv/llm"})
    assert path_of(text, values.expand) == path
