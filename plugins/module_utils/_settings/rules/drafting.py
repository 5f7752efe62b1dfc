"""Speculative decoding: whether this release can draft in this way, for this model."""

from __future__ import annotations

from .names_data import FAMILIES_WITHOUT_MTP
from .rule import rules_of
from .spec_rule import has_speculation, spec_key, spec_of, spec_row
from .view import View

# Families whose number of such layers config.json states under one name.
_STATES_MTP_LAYERS = ("deepseek_v3", "deepseek_v32", "glm4_moe", "mimo", "qwen3_next", "ernie4_5_moe")


def _target_has_no_mtp(view: View) -> bool:
    return view.model.text_model_type in FAMILIES_WITHOUT_MTP and not view.model.mtp_layers


def _own_layers(view: View) -> bool:
    return (
        has_speculation(view)
        and spec_of(view).method == "mtp"
        and spec_of(view).model is None
        and spec_of(view).tokens is not None
    )


_METHODS = (
    spec_row(
        "draft_model_unsupported",
        "config/speculative.py:389 (0.14.1); config/__init__.py:2182, engine/arg_utils.py:1497 (0.10.2)",
        lambda view: spec_key(view, "method") == "draft_model" or spec_of(view).method == "draft_model",
        lambda view: "This release does not draft with an ordinary model.",
        "method: ngram, eagle or mtp, or vLLM 0.15.0 and newer",
        until="0.14.1",
    ),
    spec_row(
        "draft_method_unnamed",
        "config/speculative.py:1499 (0.16.0)",
        lambda view: spec_key(view, "method") is None and spec_of(view).method == "draft_model",
        lambda view: "This release does not guess that the draft is an ordinary model.",
        "method: draft_model",
        since="0.15.0",
        until="0.16.0",
    ),
    spec_row(
        "own_layers_missing",
        "config/speculative.py:1499 (0.33.0), :389 (0.14.1)",
        _target_has_no_mtp,
        lambda view: (
            f"method {spec_key(view, 'method')} drafts with layers of the model itself; {view.model.text_model_type}"
            " models have none."
        ),
        "method: ngram, or a draft model",
        since="0.11.0",
        needs=("model",),
        also=_own_layers,
    ),
    spec_row(
        "draft_tokens_not_multiple",
        "config/speculative.py:1609 (0.33.0)",
        lambda view: (
            view.model.text_model_type in _STATES_MTP_LAYERS
            and (view.model.mtp_layers or 0) > 1
            and (spec_of(view).tokens or 0) > view.model.mtp_layers
            and (spec_of(view).tokens or 0) % view.model.mtp_layers != 0
        ),
        lambda view: (
            f"num_speculative_tokens must be a multiple of the model's {view.model.mtp_layers} layers."
        ),
        "num_speculative_tokens: the number of layers, or a multiple",
        since="0.11.0",
        needs=("model",),
        also=_own_layers,
    ),
    spec_row(
        "draft_vocabulary_differs",
        "config/speculative.py:2049 (0.33.0)",
        lambda view: (
            spec_of(view).method == "draft_model"
            and spec_key(view, "use_heterogeneous_vocab") is not True
            and None not in (view.model.vocab_size, view.draft.vocab_size)
            and view.model.vocab_size != view.draft.vocab_size
        ),
        lambda view: (
            f"The draft's vocabulary ({view.draft.vocab_size}) is not the model's ({view.model.vocab_size})."
        ),
        "a draft of the same family",
        since="0.15.0",
        needs=("model", "draft"),
        also=lambda view: (
            has_speculation(view)
            and spec_of(view).model is not None
            and spec_of(view).method in (None, "draft_model")
        ),
    ),
    spec_row(
        "draft_with_pipeline",
        "config/model.py:1573 (0.29.0)",
        lambda view: spec_of(view).method == "eagle3" and view.pp > 1,
        lambda view: "EAGLE3 drafts do not run with pipeline_parallel_size above 1 before 0.30.0.",
        "pipeline_parallel_size: 1 with tensor_parallel_size",
        until="0.29.0",
    ),
    spec_row(
        "draft_parallel_size",
        "config/speculative.py:1866 (0.33.0)",
        lambda view: (
            spec_of(view).model is not None
            and spec_of(view).method
            not in ("ngram", "ngram_gpu", "suffix", "custom_class", "extract_hidden_states")
            and spec_key(view, "draft_tensor_parallel_size") not in (None, 1, view.tp)
        ),
        lambda view: (
            f"draft_tensor_parallel_size is 1 or the model's own {view.tp},"
            f" not {spec_key(view, 'draft_tensor_parallel_size')}."
        ),
        "leave draft_tensor_parallel_size out",
    ),
    spec_row(
        "draft_parallel_key",
        "config/speculative.py:1941 (0.33.0)",
        lambda view: spec_key(view, "tensor_parallel_size") is not None,
        lambda view: "speculative_config takes draft_tensor_parallel_size, not tensor_parallel_size.",
        "draft_tensor_parallel_size: 1",
        since="0.15.0",
    ),
    spec_row(
        "draft_architecture_too_new",
        "model_executor/models/registry.py (0.28.0)",
        lambda view: "DFlash2DraftModel" in view.draft.architectures,
        lambda view: "The draft is a DFlash2DraftModel, which vLLM knows since 0.28.0.",
        "vLLM 0.28.0 or newer, or a DFlash draft of the first kind",
        until="0.27.1",
        needs=("draft",),
        also=lambda view: (
            has_speculation(view) and spec_of(view).method == "dflash" and spec_of(view).model is not None
        ),
    ),
)

_SAMPLING = (
    spec_row(
        "mixed_vocabularies_method",
        "config/speculative.py:1996 (0.33.0)",
        lambda view: (
            spec_key(view, "use_heterogeneous_vocab") is True
            and spec_of(view).method not in (None, "draft_model")
        ),
        lambda view: "use_heterogeneous_vocab works with method draft_model only.",
        "remove use_heterogeneous_vocab",
        since="0.25.0",
    ),
    spec_row(
        "mixed_vocabularies_sampling",
        "config/speculative.py:2001 (0.33.0)",
        lambda view: (
            spec_key(view, "use_heterogeneous_vocab") is True
            and spec_key(view, "draft_sample_method") not in (None, "greedy")
        ),
        lambda view: "use_heterogeneous_vocab drafts greedily only.",
        "remove draft_sample_method",
        since="0.25.0",
    ),
    spec_row(
        "synthetic_rates_unused",
        "config/speculative.py:1985 (0.33.0)",
        lambda view: (
            spec_key(view, "rejection_sample_method") != "synthetic"
            and (
                spec_key(view, "synthetic_acceptance_rates") is not None
                or spec_key(view, "synthetic_acceptance_length") is not None
            )
        ),
        lambda view: "synthetic_acceptance_rates and _length need rejection_sample_method synthetic.",
        "remove them",
        since="0.20.0",
    ),
    spec_row(
        "synthetic_rates_missing",
        "config/speculative.py:608 (0.33.0)",
        lambda view: (
            spec_key(view, "rejection_sample_method") == "synthetic"
            and (spec_key(view, "synthetic_acceptance_rates") is None)
            == (spec_key(view, "synthetic_acceptance_length") is None)
        ),
        lambda view: (
            "rejection_sample_method synthetic needs exactly one of synthetic_acceptance_rates and _length."
        ),
        "give one of them",
        since="0.20.0",
    ),
    spec_row(
        "fly_needs_two_tokens",
        "config/speculative.py:2021 (0.33.0)",
        lambda view: spec_key(view, "rejection_sample_method") == "fly" and (spec_of(view).tokens or 2) < 2,
        lambda view: "rejection_sample_method fly needs num_speculative_tokens of at least 2.",
        "num_speculative_tokens: 3",
        since="0.33.0",
    ),
    spec_row(
        "topk_of_other_method",
        "config/speculative.py:1641 (0.33.0)",
        lambda view: (
            spec_key(view, "dspark_draft_topk") is not None
            and spec_of(view).model is not None
            and spec_of(view).method in ("eagle", "eagle3", "dflash", "draft_model")
        ),
        lambda view: "dspark_draft_topk belongs to method dspark.",
        "remove it",
        since="0.28.0",
    ),
    spec_row(
        "adaptive_verification_method",
        "config/speculative.py:1508 (0.29.0)",
        lambda view: (
            spec_key(view, "enable_adaptive_verification") is True
            and spec_of(view).method not in (None, "dspark")
        ),
        lambda view: "enable_adaptive_verification works with method dspark only in this release.",
        "remove it",
        since="0.28.0",
        until="0.29.0",
    ),
)

RULES = rules_of(globals())
