"""Bytes of the state that a recurrent layer keeps per sequence (vllm/model_executor/layers/mamba/mamba_utils.py)."""

from __future__ import annotations

import dataclasses
import typing as t

from .config_fields import Config, first_number, number, text, text_config
from .demand import Demand, element_bytes

if t.TYPE_CHECKING:
    from .model import Model


@dataclasses.dataclass(frozen=True)
class _State:
    """What one layer keeps: the last inputs of its convolution, and the recurrent state itself."""

    convolution: int  # elements per row
    rows: int
    recurrent: int  # elements
    takes_drafts: bool = True  # drafted tokens lengthen the convolution


def state_bytes(model: Model, demand: Demand) -> int | None:
    """Bytes per sequence and layer on one GPU; None for a family that we do not know."""
    config = text_config(model.raw)
    found = next(
        (state for read in _READERS if (state := read(config, demand.tensor_parallel)) is not None), None
    )
    if found is None:
        return None
    rows = found.rows + (demand.draft_tokens if found.takes_drafts else 0)
    plain = _plain_bytes(model, demand)
    return found.convolution * rows * plain + found.recurrent * _recurrent_bytes(config, demand, plain)


def _plain_bytes(model: Model, demand: Demand) -> int:
    return element_bytes(
        model.dtype if demand.states.convolution_dtype == "auto" else demand.states.convolution_dtype
    )


def _recurrent_bytes(config: Config, demand: Demand, plain: int) -> int:
    """The recurrent state's own format: as set, as the config says, or what the family falls back to."""
    if isinstance(config.get("linear_attn_config"), t.Mapping):
        return 4
    if demand.states.dtype != "auto":
        return element_bytes(demand.states.dtype)
    family = text(config, "model_type") or ""
    stated = text(config, "mamba_ssm_dtype") if family.startswith("qwen3_5") else None
    if family.startswith("nemotron_h"):
        stated = text(config, "mamba_ssm_cache_dtype") or "float32"
    return element_bytes(stated) if stated else plain


def _delta_net(config: Config, ranks: int) -> _State | None:
    """Gated delta net: Qwen3-Next, Qwen3.5, 3.6 and 3.8."""
    keys, values = number(config, "linear_num_key_heads"), number(config, "linear_num_value_heads")
    key_size, value_size = number(config, "linear_key_head_dim"), number(config, "linear_value_head_dim")
    kernel = number(config, "linear_conv_kernel_dim")
    if not (keys and values and key_size and value_size and kernel):
        return None
    width = (2 * keys * key_size + values * value_size) // ranks
    return _State(width, kernel - 1, values // ranks * key_size * value_size)


def _mamba2(config: Config, ranks: int) -> _State | None:
    """Mamba 2 layers, under the names that Nemotron-H, Bamba, Granite and Zamba2 give their sizes."""
    heads = first_number(config, "mamba_num_heads", "mamba_n_heads", "n_mamba_heads")
    size = first_number(config, "mamba_head_dim", "mamba_d_head", "mamba_headdim")
    groups = first_number(config, "mamba_n_groups", "mamba_ngroups", "n_groups")
    state = first_number(config, "ssm_state_size", "mamba_d_state")
    kernel = first_number(config, "conv_kernel", "mamba_d_conv")
    if not (heads and size and groups and state and kernel):
        return None
    groups += 0 if groups % ranks == 0 else ranks - groups
    width = (heads * size + 2 * groups * state) // ranks
    return _State(width, kernel - 1, heads // ranks * size * state)


def _mamba1(config: Config, ranks: int) -> _State | None:
    """Mamba 1 layers of Jamba."""
    expand, hidden = number(config, "mamba_expand"), number(config, "hidden_size")
    state, kernel = number(config, "mamba_d_state"), number(config, "mamba_d_conv")
    if text(config, "model_type") != "jamba" or not (expand and hidden and state and kernel):
        return None
    width = expand * hidden // ranks
    return _State(width, kernel - 1, width * state, takes_drafts=False)


def _kimi_delta(config: Config, ranks: int) -> _State | None:
    """Kimi delta attention: three convolutions, one state per head."""
    part = config.get("linear_attn_config")
    if not isinstance(part, t.Mapping):
        return None
    heads, size, kernel = (
        number(part, "num_heads"),
        number(part, "head_dim"),
        number(part, "short_conv_kernel_size"),
    )
    if not (heads and size and kernel):
        return None
    return _State(3 * heads * size // ranks, kernel - 1, heads // ranks * size * size, takes_drafts=False)


_READERS: tuple[t.Callable[[Config, int], _State | None], ...] = (_delta_net, _kimi_delta, _mamba2, _mamba1)
