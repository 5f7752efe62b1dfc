"""The arithmetic against figures that real servers printed, in public reports."""

from __future__ import annotations

import dataclasses
import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.units import GIB

from .cases import FIXTURES, caches, case


@dataclasses.dataclass(frozen=True)
class Printed:
    """What a log said of a server; where it comes from."""

    source: str
    model: str
    release: str
    settings: dict[str, t.Any]
    needed_gib: float | None = None
    available_gib: float | None = None
    longest: int | None = None  # "the estimated maximum model length is …"
    block: int | None = None  # "Setting attention block size to … tokens", "block_size (…)"
    tokens: int | None = None  # "GPU KV cache size: … tokens"
    page: int | None = None
    decimals: int = 2  # of GiB, as that release printed them


PRINTED = [Printed(**row) for row in json.loads((FIXTURES / "printed.json").read_text(encoding="utf-8"))]


def ids(printed: Printed) -> str:
    return f"{printed.source}: {printed.model}"


def rounding(printed: Printed) -> float:
    """Half of the last digit that the log printed."""
    return 0.5 * 10**-printed.decimals * GIB


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.needed_gib], ids=ids)
def test_the_cache_of_one_sequence_is_what_vllm_says_it_needs(printed: Printed) -> None:
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    needed = first.needed(printed.settings["max_model_len"])
    assert needed == pytest.approx(t.cast("float", printed.needed_gib) * GIB, abs=rounding(printed) * 1.001)


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.longest], ids=ids)
def test_the_longest_sequence_is_vllms_estimate(printed: Printed) -> None:
    """What is available was printed with two digits: the estimate must lie within that rounding."""
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    available, limit = t.cast("float", printed.available_gib) * GIB, printed.settings["max_model_len"]
    shortest = first.longest(available - rounding(printed), limit)
    assert shortest <= t.cast("int", printed.longest) <= first.longest(available + rounding(printed), limit)


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.block], ids=ids)
def test_the_block_that_holds_a_state_is_the_one_that_vllm_sets(printed: Printed) -> None:
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    assert first.block == printed.block
    assert printed.page is None or first.page == printed.page


@pytest.mark.parametrize("printed", [each for each in PRINTED if each.tokens], ids=ids)
def test_the_tokens_of_the_cache_are_those_that_vllm_prints(printed: Printed) -> None:
    first = caches(case(printed.model, printed.release, **printed.settings))[0]
    available, length = t.cast("float", printed.available_gib) * GIB, printed.settings["max_model_len"]
    fewest, most = (
        int(first.concurrency(available + side * rounding(printed), length) * length) for side in (-1, 1)
    )
    assert fewest <= t.cast("int", printed.tokens) <= most


@pytest.mark.parametrize(
    ("model", "settings", "gib_at_262144"),
    [
        pytest.param("Qwen3.6-27B", {}, 16.0, id="27B: 65,536 bytes a token"),
        pytest.param("Qwen3.6-35B-A3B", {}, 5.0, id="35B-A3B: 20,480 bytes a token"),
        pytest.param("Qwen3.6-35B-A3B", {"kv_cache_dtype": "fp8"}, 2.5, id="half of it in fp8"),
    ],
)
def test_full_attention_of_hybrid_models_takes_the_worked_bytes(
    model: str, settings: dict[str, t.Any], gib_at_262144: float
) -> None:
    """States aside: the difference of two lengths is what tokens take."""
    first = caches(case(model, max_model_len=262144, **settings))[0]
    block = first.block
    grown = first.needed(block * 101) - first.needed(block)
    assert grown / (block * 100) * 262144 == pytest.approx(gib_at_262144 * GIB, rel=1e-9)
