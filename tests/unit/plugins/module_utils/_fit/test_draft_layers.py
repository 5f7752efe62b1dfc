"""The cache of a draft model of its own stands beside the one of the model it drafts for."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.check import fit_and_table
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import Model, parse_model

from .cases import case, model

LLAMA, QWEN, HYBRID = "Llama-3.1-8B", "Qwen3-32B", "Qwen3.6-27B"
HEAD = parse_model(
    {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "dtype": "bfloat16", "num_hidden_layers": 1,
     "num_attention_heads": 32, "num_key_value_heads": 8, "hidden_size": 4096, "vocab_size": 128256}
)  # fmt: skip
STRANGE = parse_model({"architectures": ["X"], "model_type": "nobodys", "num_hidden_layers": 4})
WEIGHTS = {"total_bytes": 16 << 30}
# Llama 3.1 8B: 32 layers x 8 heads x 128 x 2 x 2 bytes; the head of EAGLE adds one such layer.
OWN, HEADS = 32 * 4096, 4096


def eagle(**more: t.Any) -> dict[str, t.Any]:
    return {"method": "eagle3", "model": "d/d", "num_speculative_tokens": 3, **more}


def needed(target: str, draft: Model | None, speculative: t.Mapping[str, t.Any], **settings: t.Any) -> t.Any:
    of = case(target, "0.26.0", ("H100", "H100"), None, draft, speculative_config=speculative,
              max_model_len=16384, **settings)  # fmt: skip
    table = fit_and_table(of, WEIGHTS, advise=False)[1]
    assert table is not None
    return table["kv_cache_needed_gib"], table["draft_cache_known"]


@pytest.mark.parametrize(
    ("what", "draft", "keys", "settings", "per_token", "known"),
    [
        ("one layer more", HEAD, {}, {}, OWN + HEADS, True),
        ("both are split", HEAD, {}, {"tensor_parallel_size": 2}, (OWN + HEADS) / 2, True),
        ("the draft is whole", HEAD, {"draft_tensor_parallel_size": 1}, {"tensor_parallel_size": 2}, OWN / 2 + HEADS, True),
        ("a cache format of its own", HEAD, {"kv_cache_dtype": "fp8"}, {}, OWN + HEADS / 2, True),
        ("an ordinary model", model("Qwen3-0.6B"), {"method": "draft_model"}, {}, OWN + 28 * 8 * 128 * 2 * 2, True),
        ("a draft that is not known", None, {}, {}, OWN, False),
        ("a draft of no family that we know", STRANGE, {}, {}, OWN, False),
        ("a method that is not told", HEAD, {"method": "medusa"}, {}, OWN, False),
        ("drafts from the prompt", HEAD, {"method": "ngram", "model": None}, {}, OWN, True),
    ],
)  # fmt: skip
def test_every_token_is_kept_in_the_layers_of_both(
    what: str,
    draft: Model | None,
    keys: dict[str, t.Any],
    settings: dict[str, t.Any],
    per_token: float,
    known: bool,
) -> None:
    assert needed(LLAMA, draft, eagle(**keys), **settings) == (round(per_token * 16384 / 2**30, 2), known), (
        what
    )


def test_beside_states_a_draft_whose_layers_are_of_another_kind_is_left_out() -> None:
    without, _known = needed(HYBRID, None, {"method": "ngram", "num_speculative_tokens": 3})
    assert needed(HYBRID, HEAD, eagle())[1] is False
    assert needed(HYBRID, HEAD, eagle())[0] == pytest.approx(without, abs=0.05)


def test_beside_windows_a_draft_of_the_same_heads_joins_the_layers_that_attend() -> None:
    same = parse_model({**HEAD.raw, "num_attention_heads": 64, "head_dim": 64, "hidden_size": 2880})
    with_head, known = needed("gpt-oss-20b", same, eagle())
    without, _known = needed("gpt-oss-20b", None, eagle())
    # 12 windows and 13 layers that attend are groups of 13; without the head groups of 12.
    assert (known, with_head / without) == (True, pytest.approx(13 / 12, rel=0.02))
