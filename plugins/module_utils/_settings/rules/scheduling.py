"""Asynchronous scheduling and what speculation, adapters and watermarks do to each other."""

from __future__ import annotations

from .rule import row, rules_of
from .speculation import SETTINGS
from .view import View

_EAGLE_KIND = ("eagle", "eagle3", "mtp")
_ASYNC = f"async_scheduling {SETTINGS}"


def _method(view: View) -> str | None:
    return view.speculation.method if view.speculation else None


def _async_methods(view: View) -> tuple[str, ...]:
    """The methods that this release schedules ahead of."""
    added = (
        ((0, 16, 0), ("draft_model",)),
        ((0, 17, 0), ("extract_hidden_states",)),
        ((0, 18, 0), ("ngram_gpu",)),
        ((0, 25, 0), ("dspark",)),
        ((0, 31, 0), ("dflash",)),
    )
    return _EAGLE_KIND + tuple(name for since, names in added if view.release >= since for name in names)


def _speculation_key(view: View, key: str) -> object:
    return view.speculation.keys.get(key) if view.speculation else None


def _lora_step_too_small(view: View) -> bool:
    tokens = view.speculation.tokens if view.speculation else None
    limits = view.given("max_num_batched_tokens") and view.given("max_num_seqs")
    if not view.flag("enable_lora") or tokens is None or not limits:
        return False
    return view.number("max_num_batched_tokens") < view.number("max_num_seqs") * (tokens + 1)


_ROWS = (
    row(
        "async_scheduling_with_speculation",
        _ASYNC,
        "config/scheduler.py (0.11.0)",
        lambda view: view.flag("async_scheduling") and view.speculation is not None,
        lambda view: "This release does not combine async_scheduling with speculative decoding.",
        "async_scheduling: false",
        until="0.11.0",
    ),
    row(
        "async_scheduling_with_speculation",
        _ASYNC,
        "config/vllm.py:553 (0.13.0) … :1571 (0.32.0)",
        lambda view: (
            view.flag("async_scheduling")
            and _method(view)
            in ("ngram", "suffix", "medusa", "mlp_speculator", "draft_model", "ngram_gpu", "custom_class")
            and _method(view) not in _async_methods(view)
        ),
        lambda view: (
            f"async_scheduling goes together with {', '.join(_async_methods(view))} only in this release,"
            f" not with {_method(view)}."
        ),
        "leave async_scheduling out: vLLM uses it where it can",
        since="0.11.1",
        until="0.32.0",
    ),
    row(
        "async_scheduling_with_unpadded_drafts",
        _ASYNC,
        "config/vllm.py:1577 (0.32.0)",
        lambda view: (
            view.flag("async_scheduling") and _speculation_key(view, "disable_padded_drafter_batch") is True
        ),
        lambda view: "async_scheduling does not go together with disable_padded_drafter_batch.",
        "remove disable_padded_drafter_batch",
        since="0.11.1",
        until="0.32.0",
    ),
    row(
        "async_scheduling_with_pipeline",
        "async_scheduling",
        "config/vllm.py:565 (0.14.1)",
        lambda view: view.flag("async_scheduling") and view.pp > 1,
        lambda view: "async_scheduling does not go together with pipeline_parallel_size before 0.15.0.",
        "leave async_scheduling out",
        until="0.14.1",
    ),
    row(
        "async_scheduling_executor",
        "async_scheduling",
        "config/vllm.py:734 (0.18.1)",
        lambda view: (
            view.flag("async_scheduling")
            and bool(view.executor)
            and view.executor not in ("mp", "uni", "external_launcher")
        ),
        lambda view: (
            f"async_scheduling needs the executor mp, uni or external_launcher, not {view.executor}."
        ),
        "leave async_scheduling out",
        since="0.11.1",
        until="0.18.1",
    ),
    row(
        "adapters_and_drafts_overfill_step",
        f"enable_lora max_num_batched_tokens max_num_seqs {SETTINGS}",
        "engine/arg_utils.py:2721 (0.33.0)",
        _lora_step_too_small,
        lambda view: (
            "With LoRA and speculation a step must hold max_num_seqs x (num_speculative_tokens + 1) tokens."
        ),
        "raise max_num_batched_tokens, or lower max_num_seqs or num_speculative_tokens",
        since="0.11.1",
    ),
    row(
        "fast_prefill_with_drafts",
        "kv_sharing_fast_prefill",
        "config/vllm.py:2023 (0.33.0)",
        lambda view: view.flag("kv_sharing_fast_prefill") and _method(view) in ("eagle", "eagle3"),
        lambda view: "kv_sharing_fast_prefill gives EAGLE drafts wrong inputs: vLLM refuses the pair.",
        "leave kv_sharing_fast_prefill out",
        since="0.10.2",
    ),
    row(
        "draft_metrics_without_drafts",
        "per_request_spec_decode_metrics",
        "config/vllm.py:1738 (0.33.0)",
        lambda view: (
            view.text("per_request_spec_decode_metrics") not in ("", "none") and view.speculation is None
        ),
        lambda view: "per_request_spec_decode_metrics needs speculative decoding.",
        "leave it out",
        since="0.29.0",
    ),
    row(
        "watermark_with_drafts",
        f"watermark_config {SETTINGS}",
        "config/vllm.py:1361-1366 (0.33.0)",
        lambda view: (
            bool(view.json("watermark_config"))
            and view.speculation is not None
            and (
                _speculation_key(view, "draft_sample_method") != "probabilistic"
                or _speculation_key(view, "rejection_sample_method") not in (None, "standard")
            )
        ),
        lambda view: (
            "Watermarks with speculation need draft_sample_method probabilistic and rejection_sample_method"
            " standard."
        ),
        "draft_sample_method: probabilistic",
        since="0.30.0",
    ),
    row(
        "watermark_with_method",
        f"watermark_config {SETTINGS}",
        "config/vllm.py:1384 (0.33.0), :1311 (0.32.0)",
        lambda view: (
            bool(view.json("watermark_config"))
            and _method(view) is not None
            and _method(view) not in ("dspark", *_EAGLE_KIND, *(("dflash",) if view.since(0, 33, 0) else ()))
        ),
        lambda view: (
            f"Watermarks do not go together with speculative method {_method(view)} in this release."
        ),
        "leave one of them out",
        since="0.30.0",
    ),
)

RULES = rules_of(globals())
