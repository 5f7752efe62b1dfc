"""In which order hosts are released."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.batches import (
    BatchesError,
    Serving,
    batches,
)


def host(name: str, model: str = "m", gpu: str = "g") -> Serving:
    return Serving(name, frozenset({("image", model, gpu)}), frozenset({model}))


FOUR = [host(name) for name in "abcd"]


@pytest.mark.parametrize(
    ("hosts", "canaries", "sizes", "expected"),
    [
        (FOUR, None, ["100%"], [["a"], ["b", "c", "d"]]),
        (FOUR, None, [1, 2], [["a"], ["b"], ["c", "d"]]),
        (FOUR, None, [1], [["a"], ["b"], ["c"], ["d"]]),
        (FOUR, None, ["50%"], [["a"], ["b", "c"], ["d"]]),
        (FOUR, None, ["1%"], [["a"], ["b"], ["c"], ["d"]]),
        (FOUR, ["c"], ["100%"], [["c"], ["a", "b", "d"]]),
        (FOUR, ["gone"], [2], [["a", "b"], ["c", "d"]]),  # left out by --limit
        (FOUR, [], [2], [["a", "b"], ["c", "d"]]),
        # Without a canary one batch would hold every host of the model.
        (FOUR, [], ["100%"], [["a", "b", "c"], ["d"]]),
        ([host("a")], None, ["100%"], [["a"]]),
        ([host("a"), host("b")], None, ["100%"], [["a"], ["b"]]),
        ([], None, ["100%"], []),
        # One canary for each GPU, but not both hosts of one model at once.
        ([host("a", gpu="x"), host("b", gpu="y")], None, ["100%"], [["a"], ["b"]]),
        (
            [host("a", "m"), host("b", "n"), host("c", "m"), host("d", "n")],
            None,
            ["100%"],
            [["a", "b"], ["c", "d"]],
        ),
        # A model that one host alone serves cannot be spared.
        ([host("a", "m"), host("b", "n")], [], ["100%"], [["a", "b"]]),
    ],
)
def test_canaries_first_then_the_sizes(
    hosts: list[Serving], canaries: list[str] | None, sizes: list[t.Any], expected: list[list[str]]
) -> None:
    assert batches(hosts, canaries, sizes) == expected


@pytest.mark.parametrize("size", [0, -1, "0%", "101%", "many", "", "²", True, 1.5, None])
def test_a_size_that_is_none_is_told_with_what_to_write(size: t.Any) -> None:
    with pytest.raises(BatchesError, match="write 2"):
        batches(FOUR, None, [size])


def test_no_sizes_at_all_are_told() -> None:
    with pytest.raises(BatchesError, match="empty"):
        batches(FOUR, None, [])


def test_no_host_is_lost_or_released_twice() -> None:
    hosts = [host(f"h{number}", model=f"m{number % 7}", gpu=f"g{number % 3}") for number in range(100)]
    for sizes in ([1], ["10%"], [3, "25%", "100%"]):
        found = [name for batch in batches(hosts, None, sizes) for name in batch]
        assert sorted(found) == sorted(each.host for each in hosts)
