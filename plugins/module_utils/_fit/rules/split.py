"""What must divide by what when a model is split over GPUs. Plain arithmetic on its config."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_fields import number, text_config
from .known import divisors, family_of

_TP = "tensor_parallel_size"
_MARLIN_COLUMNS, _MARLIN_ROWS = 64, 128
_MARLIN_METHODS = ("awq", "gptq")
# Families whose experts are as wide as intermediate_size says.
_EXPERTS_OF_WHOLE_WIDTH = ("minimax_m2", "mixtral")
# Families that say how many experts all tokens share, each as wide as the others; they make one layer.
_SHARED_BY_COUNT = (
    "deepseek_v2",
    "deepseek_v3",
    "deepseek_v32",
    "deepseek_v4",
    "kimi_k2",
    "glm4_moe",
    "glm_moe_dsa",
)


@rule(
    "kv_heads_not_divisible",
    _TP,
    "model_executor/models: QKVParallelLinear (0.10.2 to 0.33.0)",
    needs=("model",),
    stage="fit",
)
def tensor_parallelism_divides_kv_heads(view: View) -> t.Iterator[Breach]:
    """KV heads are split evenly, or copied evenly where there are fewer of them than GPUs."""
    heads, size = view.model.kv_heads, view.tp
    if view.model.is_mla is not False or view.model.is_attention_free or not heads or size <= 1:
        return
    if (view.model.attention_heads or 0) % size:
        return  # heads_not_divisible says it already
    if heads % size and size % heads:
        yield Breach(
            _TP,
            f"The model's {heads} KV heads can be neither divided nor copied evenly among {size} GPUs.",
            f"{_TP}: one of {divisors(heads, size)}, or a multiple of {heads}",
        )


@rule(
    "state_heads_not_divisible",
    _TP,
    "model_executor/layers/mamba/mamba_utils.py divide (0.10.2 to 0.33.0)",
    needs=("model",),
    stage="fit",
)
def tensor_parallelism_divides_state_heads(view: View) -> t.Iterator[Breach]:
    """Linear attention splits its key and value heads, too."""
    config = text_config(view.model.raw)
    for name in ("linear_num_key_heads", "linear_num_value_heads"):
        heads = number(config, name)
        if heads and view.tp > 1 and heads % view.tp:
            yield Breach(
                _TP,
                f"The model's {name} {heads} is not divisible by {_TP} {view.tp}.",
                f"{_TP}: one of {divisors(heads, view.tp)}",
            )
            return


@rule(
    "experts_not_divisible",
    f"{_TP} data_parallel_size",
    "models/deepseek_v4/nvidia/model.py:621 (0.26.0), :356 (0.33.0)",
    needs=("model",),
    stage="fit",
    also=lambda view: view.flag("enable_expert_parallel") and view.tp * view.dp > 1,
)
def expert_parallelism_divides_experts(view: View) -> t.Iterator[Breach]:
    """DeepSeek V4 asks for it; other models place a remainder unevenly."""
    if not family_of(view).startswith("deepseek_v4") or not view.model.experts:
        return
    spare = view.json("eplb_config").get("num_redundant_experts")
    experts = view.model.experts + (spare if isinstance(spare, int) else 0)
    size = view.tp * view.dp * view.pcp
    if experts % size:
        more = size - experts % size
        yield Breach(
            _TP,
            f"The model's {experts} experts are not divisible among {size} GPUs (n_physical_experts, ep_size).",
            f"a number of GPUs that divides {experts}, or {more} more in eplb_config.num_redundant_experts",
        )


def _expert_shards(view: View) -> int:
    return 1 if view.flag("enable_expert_parallel") else view.tp * view.dp


@rule(
    "fp8_block_not_divisible",
    _TP,
    "quantization/utils/fp8_utils.py validate_fp8_block_shape (0.12.0 to 0.33.0)",
    needs=("model",),
    stage="fit",
)
def fp8_blocks_are_not_cut(view: View) -> t.Iterator[Breach]:
    """Weights in FP8 blocks are split at the borders of blocks."""
    stored = view.model.quantization
    if stored is None or not stored.block_shape or stored.method != "fp8" or view.tp * view.dp <= 1:
        return
    rows, columns = stored.block_shape
    for what, width, shards in _widths(view):
        part = width // shards
        if shards > 1 and (width % shards or part % rows or part % columns):
            yield Breach(
                _TP,
                f"The {what} of {width} makes parts of {part} on {shards} GPUs, which FP8 blocks of {rows} x {columns}"
                " do not divide (output_partition_size is not divisible by weight quantization block_n).",
                "a smaller tensor_parallel_size, or data_parallel_size with enable_expert_parallel for experts",
            )
            return


def _widths(view: View) -> t.Iterator[tuple[str, int, int]]:
    """Every inner width that is split, with the number of its parts."""
    config, model = text_config(view.model.raw), view.model
    own = model.expert_intermediate_size or (
        model.intermediate_size if family_of(view) in _EXPERTS_OF_WHOLE_WIDTH else None
    )
    if model.experts and own:
        yield "experts' inner width", own, _expert_shards(view)
    elif model.intermediate_size and model.is_moe is False:
        yield "inner width", model.intermediate_size, view.tp
    shared = number(config, "shared_expert_intermediate_size")
    if not shared and own and family_of(view).startswith(_SHARED_BY_COUNT) and view.dp == 1:
        shared = own * (number(config, "n_shared_experts") or 0)
    if shared and model.experts:
        yield "shared expert's inner width", shared, view.tp


def _group_of_awq(view: View) -> int:
    """The group of AWQ weights that tensor parallelism would cut, 0 when there is none."""
    stored, width = view.model.quantization, view.model.intermediate_size
    if (
        stored is None
        or stored.method != "awq"
        or view.model.is_moe is not False
        or not width
        or view.tp <= 1
    ):
        return 0
    raw = view.model.raw.get("quantization_config")
    kept = str(raw.get("modules_to_not_convert") if isinstance(raw, t.Mapping) else "")
    group = stored.group_size or 0
    whole = width % view.tp or not 0 < group < width or width // view.tp % group == 0
    return 0 if whole or "mlp" in kept or "down_proj" in kept else group


@rule(
    "awq_group_not_divisible",
    _TP,
    "quantization/awq.py AWQLinearMethod.create_weights (0.10.2 to 0.23.0), auto_awq.py (0.24.0 to 0.33.0)",
    needs=("model",),
    stage="fit",
)
def awq_groups_are_not_cut(view: View) -> t.Iterator[Breach]:
    """What Marlin cannot take falls back to a kernel that cannot either."""
    group = _group_of_awq(view)
    if group:
        width = view.model.intermediate_size or 0
        yield Breach(
            _TP,
            f"The inner width {width} makes parts of {width // view.tp} on {view.tp} GPUs, which AWQ's groups of {group} do"
            ' not divide: "The input size is not aligned with the quantized weight shape".',
            "another tensor_parallel_size, pipeline_parallel_size, or a checkpoint that was padded for it",
        )


@rule(
    "marlin_tile_not_divisible",
    _TP,
    "quantization/utils/marlin_utils.py verify_marlin_supports_shape (0.26.0)",
    needs=("model",),
    severity="warning",
    stage="fit",
)
def marlin_tiles_are_not_cut(view: View) -> t.Iterator[Breach]:
    """Marlin, the fast kernel for 4-bit weights, works on whole tiles and whole groups."""
    stored, width = view.model.quantization, view.model.intermediate_size
    if stored is None or stored.method not in _MARLIN_METHODS or view.model.is_moe is not False or not width:
        return
    if view.tp <= 1 or width % view.tp or view.given("quantization") or _group_of_awq(view):
        return
    part, group = width // view.tp, stored.group_size or 0
    if part * 2 % _MARLIN_COLUMNS or part % _MARLIN_ROWS or (group > 0 and part % group):
        yield Breach(
            _TP,
            f"The inner width {width} makes parts of {part} on {view.tp} GPUs, which Marlin's tiles of {_MARLIN_ROWS}"
            f" or groups of {group} do not divide: a slower kernel, or none.",
            "a smaller tensor_parallel_size, or pipeline_parallel_size",
        )


RULES = rules_of(globals())
