"""What the makers of tables share: from what each release has to the releases between which it stays the same."""

from __future__ import annotations

import importlib.util
import typing as t
from pathlib import Path

import pytest


def releases() -> t.Any:
    """The module, which stands beside its programs and in no package."""
    path = Path(__file__).parents[3] / "tools" / "releases.py"
    spec = importlib.util.spec_from_file_location("releases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("held", "found"),
    [
        ([], []),
        ([None, None], []),
        (["a", "a", "a"], [(0, 2, "a")]),
        ([None, "a", "a", None, "a", None], [(1, 2, "a"), (4, 4, "a")]),
        (["a", "b", "b"], [(0, 0, "a"), (1, 2, "b")]),
    ],
)
def test_a_value_lives_from_its_first_release_to_the_last_before_it_changes(
    held: list[str | None], found: list[tuple[int, int, str]]
) -> None:
    assert releases().stretches(held) == found


def test_whoever_compares_otherwise_says_how() -> None:
    assert releases().stretches([1, True]) == [(0, 1, 1)]
    assert releases().stretches([1, True], lambda one, other: repr(one) == repr(other)) == [
        (0, 0, 1),
        (1, 1, True),
    ]


def test_releases_are_in_the_order_of_their_numbers_however_their_folders_are_called(tmp_path: Path) -> None:
    for name in ("vllm-0.10.2", "vllm-0.9.0", "0.11.0", "notes"):
        (tmp_path / name).mkdir()
    for name in ("vllm-0.10.2", "vllm-0.9.0", "0.11.0"):
        (tmp_path / name / "vllm").mkdir()
    found = releases().folders_with(tmp_path, "vllm")
    assert [releases().release_of(each) for each in found] == [(0, 9, 0), (0, 10, 2), (0, 11, 0)]


def test_a_registry_is_read_without_what_it_only_remembers(tmp_path: Path) -> None:
    module = releases()
    registry = tmp_path / module.REGISTRY
    registry.parent.mkdir(parents=True)
    registry.write_text(
        '_TEXT_MODELS = {"A": ("a", "A")}\n_VISION_MODELS: dict = {"B": ("b", "B")}\n_PREVIOUSLY_SUPPORTED_MODELS = {"C": "0.9"}\n'
    )
    tables = module.model_tables(tmp_path)
    assert set(tables) == {"_TEXT_MODELS", "_VISION_MODELS", "_PREVIOUSLY_SUPPORTED_MODELS"}
    assert set(module.in_use(tables)) == {"A", "B"}
