"""How a checkpoint is stored, against what is asked of it: splitting, caches, loaders that a release has no more."""

from __future__ import annotations

import typing as t

from ..._settings.rules.checkpoints import stated_quantization
from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_fields import Config, number
from .known import divisors, family_of, takes_own_class

_TP = "tensor_parallel_size"
# No cache but fp8 is read by the sparse attention of these, wherever its own layout is used.
_FP8_CACHE_ONLY = ("deepseek_v4",)


@rule(
    "checkpoint_not_split",
    _TP,
    "model_loader/bitsandbytes_loader.py:551 (0.20.2; 0.10.2 to 0.27.1)",
    until="0.27.1",
    needs=("model",),
    stage="fit",
    also=lambda view: view.tp > 1,
)
def bitsandbytes_is_whole(view: View) -> t.Iterator[Breach]:
    """Weights that were stored by bitsandbytes cannot be cut; those that it makes while loading can."""
    stored = view.model.quantization
    if stored is not None and stored.method == "bitsandbytes" and not view.given("hf_overrides"):
        yield Breach(
            _TP,
            'The checkpoint is stored by bitsandbytes, and cannot be split: "Prequant BitsAndBytes models with tensor'
            ' parallelism is not supported".',
            "pipeline_parallel_size in its place, or the unquantized checkpoint with quantization: bitsandbytes",
        )


def group_size_of(view: View) -> int:
    """The group of weights of a compressed-tensors checkpoint in whole numbers; 0 when it has none, or several."""
    stored = view.model.quantization
    if stored is None or stored.method != "compressed-tensors":
        return 0
    stated = stated_quantization(view)
    groups = stated.get("config_groups")
    if not isinstance(groups, t.Mapping) or len(groups) != 1 or _leaves_out(stated):
        return 0
    weights = next(iter(groups.values())).get("weights")
    if (
        not isinstance(weights, t.Mapping)
        or weights.get("type") != "int"
        or weights.get("strategy") != "group"
    ):
        return 0
    return number(weights, "group_size") or 0


def _leaves_out(stated: Config) -> bool:
    """Whether layers inside are left out by name; lm_head, encoders and routers are always."""
    names = stated.get("ignore")
    kept = [str(name) for name in names] if isinstance(names, list) else []
    return any("mlp" in name and "gate" not in name for name in kept) or any(
        "down_proj" in name for name in kept
    )


@rule(
    "group_not_divisible",
    _TP,
    "compressed_tensors/schemes/compressed_tensors_wNa16.py create_weights (0.10.2 to 0.33.0)",
    needs=("model",),
    stage="fit",
    also=lambda view: view.tp > 1,
)
def groups_of_dense_layers_are_not_cut(view: View) -> t.Iterator[Breach]:
    """The scales of groups lie beside the weights, so a part must hold whole groups."""
    width, group = view.model.intermediate_size, group_size_of(view)
    if view.model.is_moe is not False or not width or group <= 0 or width % view.tp:
        return
    if width // view.tp % group:
        yield Breach(
            _TP,
            f"The inner width {width} makes parts of {width // view.tp} on {view.tp} GPUs, which this checkpoint's groups of"
            f" {group} do not divide.",
            "another tensor_parallel_size, or pipeline_parallel_size",
        )


def _cut_experts(view: View) -> t.Iterator[Breach]:
    width, group, parts = view.model.expert_intermediate_size, group_size_of(view), view.tp * view.dp
    if view.model.is_moe is True and width and group > 0 and not width % parts and width // parts % group:
        yield Breach(
            _TP,
            f"The experts' inner width {width} makes parts of {width // parts} on {parts} GPUs, which this checkpoint's groups"
            f" of {group} do not divide.",
            "a smaller tensor_parallel_size, or enable_expert_parallel: true",
        )


def _shares_experts(view: View) -> bool:
    return view.tp * view.dp > 1 and not view.flag("enable_expert_parallel")


@rule(
    "group_not_divisible",
    f"{_TP} data_parallel_size",
    "compressed_tensors_moe_wna16.py, compressed_tensors_moe_wna16_marlin.py create_weights (0.24.0 to 0.33.0)",
    "0.24.0",
    needs=("model",),
    stage="fit",
    also=_shares_experts,
)
def groups_of_experts_are_not_cut(view: View) -> t.Iterator[Breach]:
    """The same for the experts, whose width all GPUs share."""
    yield from _cut_experts(view)


@rule(
    "group_not_divisible",
    f"{_TP} data_parallel_size",
    "vllm#22085, reported for 0.10.0; compressed_tensors_moe.py create_weights (0.10.2 to 0.23.0)",
    until="0.23.0",
    needs=("model",),
    severity="warning",
    stage="fit",
    also=_shares_experts,
)
def groups_of_experts_were_not_cut_either(view: View) -> t.Iterator[Breach]:
    """Before 0.24 nothing says so: scales of parts of groups do not load."""
    yield from _cut_experts(view)


@rule(
    "width_not_divisible",
    f"{_TP} data_parallel_size",
    "distributed/utils.py divide, layers/linear.py, fused_moe/layer.py:437 (0.20.2; 0.10.2 to 0.33.0)",
    needs=("model",),
    stage="fit",
    also=lambda view: view.tp * view.dp > 1 and takes_own_class(view),
)
def tensor_parallelism_divides_the_width(view: View) -> t.Iterator[Breach]:
    """The inner width of dense layers, or of experts, is cut into equal parts."""
    what, width, parts = _inner_width(view)
    heads = view.model.attention_heads
    if width and width % parts and not (heads and heads % view.tp):
        yield Breach(
            _TP,
            f"The {what} {width} is not divisible by the {parts} GPUs that share it.",
            f"{_TP}: one of {divisors(width, parts)}"
            + (", or enable_expert_parallel: true" if view.model.is_moe else ""),
        )


def _inner_width(view: View) -> tuple[str, int, int]:
    """What is cut, and into how many parts; 0 where nothing is, or where a family has its own way."""
    model = view.model
    if model.is_moe is False and model.is_hybrid is False and not model.is_attention_free:
        return "model's inner width", model.intermediate_size or 0, view.tp
    if model.is_moe is True and not view.flag("enable_expert_parallel"):
        return "experts' inner width", model.expert_intermediate_size or 0, view.tp * view.dp
    return "", 0, 1


@rule(
    "kv_dtype_not_supported_for_model",
    "kv_cache_dtype",
    "layers/deepseek_v4_attention.py:671 (0.20.2), models/deepseek_v4/attention.py:83 (0.26.0)",
    "0.20.0",
    needs=("model", "gpu"),
    stage="fit",
    also=lambda view: view.text("kv_cache_dtype") in ("bfloat16", "float16"),
)
def its_cache_is_fp8(view: View) -> t.Iterator[Breach]:
    """The layout of DeepSeek V4 is one of fp8; FlashInfer's backend of later releases reads plain rows."""
    plain = view.release >= (0, 23, 0) and (view.capability or 0) >= 100
    if family_of(view).startswith(_FP8_CACHE_ONLY) and not plain and not view.given("attention_backend"):
        yield Breach(
            "kv_cache_dtype",
            f"DeepSeek V4 reads an fp8 cache only, not {view.text('kv_cache_dtype')}.",
            "kv_cache_dtype: fp8",
        )


@rule(
    "format_not_loaded",
    "",
    "model_executor/model_loader (gguf_loader.py until 0.23.0), config/model.py",
    "0.24.0",
    stage="fit",
    severity="warning",
    also=lambda view: (view.case.model or "").lower().endswith(".gguf"),
)
def gguf_has_a_loader(view: View) -> t.Iterator[Breach]:
    """GGUF left the engine with 0.24; a plug-in may bring it."""
    yield Breach(
        "model",
        "This release loads no GGUF file any more: 0.23.0 was the last that did by itself.",
        "the checkpoint in safetensors, the image of 0.23.0, or an image with a plug-in for GGUF",
        view.case.model,
    )


RULES = rules_of(globals())
