"""Speculative decoding: whether its settings are complete, of this release, and fit each other."""

from __future__ import annotations

import dataclasses
import typing as t

from ..jsonclass import check_class
from ..lessons import lesson
from .rule import Breach, rule, rules_of
from .spec_rule import has_speculation, spec_key, spec_of, spec_row
from .speculation import SETTINGS, SHORT_OPTIONS, WITHOUT_MODEL
from .view import View


@rule(
    "invalid_speculative_config", SETTINGS, "config/speculative.py: SpeculativeConfig", also=has_speculation
)
def keys_are_valid(view: View) -> t.Iterator[Breach]:
    """Keys, types, choices and bounds of the class that the JSON is read into when the engine starts."""
    told = {"num_speculative_tokens"} if _tokens_not_positive(view) else set()
    known = {key: value for key, value in spec_of(view).keys.items() if key not in told}
    if view.table.json_class("SpeculativeConfig") is None:
        return
    for problem in check_class(view.table, "SpeculativeConfig", known):
        path = f"speculative_config.{problem.setting}" if problem.setting else "speculative_config"
        if problem.setting not in ("tensor_parallel_size",):
            taught = lesson(dataclasses.replace(problem, setting=path), view.table)
            note = f" ({taught.note})" if taught.note else ""
            yield Breach(path, f"{path} {problem.message}{note}.", taught.fix, problem.value)


@rule(
    "speculative_key_ignored",
    "speculative_config",
    "config/speculative.py (0.15.1)",
    until="0.15.1",
    severity="warning",
    also=has_speculation,
)
def unknown_keys_are_ignored(view: View) -> t.Iterator[Breach]:
    """Before 0.16.0 a key that the class does not have was dropped without a word."""
    fields = view.table.json_class("SpeculativeConfig")
    for key in spec_of(view).keys if fields else ():
        if fields and key not in fields.fields:
            yield Breach(
                f"speculative_config.{key}",
                f"speculative_config has no key {key}: this release ignores it, 0.16.0 and newer refuse it.",
                "correct or remove it",
            )


@rule(
    "speculative_setting_twice", SETTINGS, "engine/arg_utils.py:2118 (0.33.0)", "0.22.0", also=has_speculation
)
def said_once(view: View) -> t.Iterator[Breach]:
    """A key of the JSON and its short option exclude each other."""
    for key in spec_of(view).twice:
        option = SHORT_OPTIONS[key]
        yield Breach(
            option, f"{option} and speculative_config.{key} say the same thing twice.", f"keep {option}"
        )


def _tokens_not_positive(view: View) -> bool:
    return spec_of(view).tokens is not None and t.cast("int", spec_of(view).tokens) <= 0


def _nothing_to_draft_with(view: View) -> bool:
    spec = spec_of(view)
    return spec.model is None and spec.method not in WITHOUT_MODEL


def _lookup(view: View, name: str, other: str) -> int | None:
    value = spec_key(view, name)
    value = spec_key(view, other) if value is None else value
    return value if isinstance(value, int) else None


def _suffix_problem(view: View) -> str | None:
    """Which of suffix decoding's numbers is out of bounds."""
    limits: tuple[tuple[str, float, float | None], ...] = (
        ("suffix_decoding_max_tree_depth", 1, None),
        ("suffix_decoding_max_cached_requests", 0, None),
        ("suffix_decoding_max_spec_factor", 0, None),
        ("suffix_decoding_min_token_prob", 0, 1),
    )
    for name, low, high in limits:
        value = spec_key(view, name)
        if isinstance(value, (int, float)) and (value < low or (high is not None and value > high)):
            return name
    return None


_COUNT = (
    spec_row(
        "draft_tokens_missing",
        "config/speculative.py:1947 (0.33.0)",
        lambda view: spec_key(view, "num_speculative_tokens") is None and spec_of(view).model is None,
        lambda view: "speculative_config does not say how many tokens to draft.",
        "num_speculative_tokens: 3",
    ),
    spec_row(
        "draft_tokens_missing",
        "config/speculative.py:1615 (0.33.0), :674 (0.20.2)",
        lambda view: (
            spec_key(view, "num_speculative_tokens") is None
            and spec_key(view, "speculative_token_tree") is None
            and spec_of(view).model is not None
            and spec_of(view).method in ("eagle", "eagle3", "dflash", "draft_model")
        ),
        lambda view: f"A {spec_of(view).method} draft does not say how many tokens to draft.",
        "num_speculative_tokens: 3 (8 for dflash)",
    ),
    spec_row(
        "draft_tokens_not_positive",
        "config/speculative.py:1968 (0.33.0)",
        _tokens_not_positive,
        lambda view: f"num_speculative_tokens is {spec_of(view).tokens}: it must be at least 1.",
        "num_speculative_tokens: 3, or remove the speculative settings",
    ),
    spec_row(
        "draft_model_missing",
        "config/speculative.py:1293 (0.33.0)",
        lambda view: spec_key(view, "num_speculative_tokens") is not None and _nothing_to_draft_with(view),
        lambda view: f"speculative decoding by {spec_of(view).method or 'a draft'} needs a draft model.",
        "model: the draft's repository; or method: ngram (or mtp where the model has such layers), which need none",
        since="0.11.0",
    ),
    spec_row(
        "draft_model_missing",
        "config/speculative.py:1288 (0.33.0)",
        lambda view: spec_of(view).method == "custom_class" and spec_of(view).model is None,
        lambda view: "method custom_class needs in `model` the path of the class.",
        "model: my_module.MyProposer",
        since="0.22.0",
    ),
    spec_row(
        "lookup_bounds_crossed",
        "config/speculative.py:1323 (0.33.0)",
        lambda view: (
            spec_of(view).method in ("ngram", "ngram_gpu")
            and (_lookup(view, "prompt_lookup_min", "prompt_lookup_max") or 0)
            > (_lookup(view, "prompt_lookup_max", "prompt_lookup_min") or 0)
        ),
        lambda view: "prompt_lookup_min is above prompt_lookup_max.",
        "swap them",
    ),
    spec_row(
        "suffix_numbers",
        "config/speculative.py:1742-1757 (0.33.0)",
        lambda view: spec_of(view).method == "suffix" and _suffix_problem(view) is not None,
        lambda view: f"{_suffix_problem(view)} is out of its bounds.",
        "leave it out",
        since="0.11.1",
    ),
    spec_row(
        "suffix_needs_package",
        "config/speculative.py:1728 (0.33.0)",
        lambda view: spec_of(view).method == "suffix",
        lambda view: (
            "method suffix needs the Python package arctic-inference, which vLLM's own images do not hold."
        ),
        "an image with arctic-inference, or method: ngram",
        since="0.11.1",
        severity="warning",
    ),
)

RULES = rules_of(globals())
