"""What the research and the reports of others say about drafts, and vLLM does not."""

from __future__ import annotations

import typing as t

from .rule import Breach, rule, rules_of
from .speculation import SETTINGS
from .view import View

_DRAFTS = ("dflash", "dspark", "eagle", "eagle3", "medusa", "mlp_speculator")


@rule(
    "draft_belongs_to_target", SETTINGS, "config/speculative.py (0.33.0)", severity="warning", stage="advice"
)
def draft_is_of_this_model(view: View) -> t.Iterator[Breach]:
    """A draft was trained for one model; beside another it is slow or wrong, and nobody says so."""
    spec = view.speculation
    if spec is None or spec.model is None or spec.method not in _DRAFTS:
        return
    differs = _draft_differences(view)
    if differs is None:
        yield Breach(
            "speculative_config.model",
            f"The draft {spec.model} works with the one model that it was trained for: make sure that it is this one.",
            "see the draft's model card; vllm:spec_decode_num_draft_tokens_total shows whether it drafts",
            spec.model,
        )
    elif differs:
        yield Breach(
            "speculative_config.model",
            f"The draft {spec.model} is of another model: {differs}.",
            "this model's draft",
        )


def _draft_differences(view: View) -> str | None:
    """What tells that the draft is of another model; empty: nothing does; None: not known."""
    if view.model is None or view.draft is None:
        return None
    pairs = (
        ("hidden size", view.draft.hidden_size, view.model.hidden_size),
        ("vocabulary", view.draft.vocab_size, view.model.vocab_size),
    )
    return ", ".join(
        f"{name} {mine} instead of {wanted}"
        for name, mine, wanted in pairs
        if mine and wanted and mine != wanted
    )


# The backends for NVIDIA that attend in both directions, which a DFlash draft does.
_BOTH_WAYS = ("FLASH_ATTN", "FLEX_ATTENTION")
_BOTH_WAYS_SINCE_0_24 = (*_BOTH_WAYS, "FLASHINFER", "TRITON_ATTN")
_SOURCE = "v1/attention/backends: supports_non_causal (0.20.2, 0.23.0, 0.24.0, 0.33.0)"


def _both_ways(view: View) -> tuple[str, ...]:
    return _BOTH_WAYS_SINCE_0_24 if view.since(0, 24, 0) else _BOTH_WAYS


def _drafts_by_blocks(view: View) -> bool:
    return view.speculation is not None and view.speculation.method == "dflash"


def _where(view: View) -> str:
    """The setting that names the draft's backend: its own since 0.21.0."""
    return "speculative_config.attention_backend" if view.since(0, 21, 0) else "attention_backend"


def _named(view: View) -> str:
    """The draft's backend as named; empty: vLLM chooses."""
    own = view.speculation.keys.get("attention_backend") if view.speculation else None
    name = str((own if view.since(0, 21, 0) else view.text("attention_backend")) or "").upper()
    return "" if name == "AUTO" else name


@rule(
    "draft_attention_backend",
    f"attention_backend {SETTINGS}",
    _SOURCE,
    "0.20.0",
    severity="warning",
    stage="advice",
    also=_drafts_by_blocks,
)
def draft_backend_attends_both_ways(view: View) -> t.Iterator[Breach]:
    """A DFlash draft attends in both directions, which not every backend does."""
    name = _named(view)
    if name and name not in _both_ways(view):
        able = ", ".join(_both_ways(view))
        yield Breach(
            _where(view),
            f"A DFlash draft attends in both directions, which {name} does not in this release; {able} do.",
            f"{_where(view)}: FLASH_ATTN, or leave it out",
        )


@rule(
    "draft_attention_backend",
    SETTINGS,
    _SOURCE,
    "0.20.0",
    severity="info",
    stage="advice",
    also=_drafts_by_blocks,
)
def draft_backend_is_chosen(view: View) -> t.Iterator[Breach]:
    """Where none is named, it is good to know what vLLM chooses from."""
    if not _named(view):
        able = ", ".join(_both_ways(view))
        yield Breach(
            _where(view),
            f"A DFlash draft needs an attention backend that attends in both directions; vLLM chooses one of {able}.",
            f"{_where(view)} names one, where the choice does not start",
        )


@rule(
    "draft_cache_type",
    SETTINGS,
    "platforms/cuda.py, v1/attention/backends/flash_attn.py (0.20.2, 0.26.0)",
    "0.20.0",
    needs=("gpu",),
    severity="warning",
    stage="advice",
    also=lambda view: _drafts_by_blocks(view) and _draft_cache_type(view).startswith("fp8"),
)
def draft_backend_reads_the_cache(view: View) -> t.Iterator[Breach]:
    """FLASH_ATTN reads fp8 KV caches on Hopper only, and a draft takes the cache type of its target."""
    name, capability = _named(view), view.capability
    alone = name == "FLASH_ATTN" or (not name and not view.since(0, 24, 0))
    if alone and capability is not None and capability // 10 != 9:
        own = "kv_cache_dtype: auto in speculative_config" if view.since(0, 26, 0) else "kv_cache_dtype: auto"
        other = f", or {_where(view)}: FLASHINFER" if view.since(0, 24, 0) else ""
        yield Breach(
            _where(view),
            f"FLASH_ATTN reads an fp8 KV cache on compute capability 9.x only; this GPU has {capability / 10}, and the"
            " draft takes the cache type of its target.",
            own + other,
        )


def _draft_cache_type(view: View) -> str:
    own = view.speculation.keys.get("kv_cache_dtype") if view.speculation else None
    return str(own or view.text("kv_cache_dtype"))


RULES = rules_of(globals())
