"""What layers that keep a state ask of tensor parallelism and of weights in the host's memory."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_fields import first_number, text_config
from ..demand import is_hybrid
from .known import divisors

_TP = "tensor_parallel_size"
_GROUPS = ("n_groups", "mamba_n_groups", "mamba_ngroups")
_HEADS = ("mamba_num_heads", "mamba_n_heads", "n_mamba_heads")
_MAMBA2 = ("nemotron_h", "falcon_h1", "granitemoehybrid", "bamba", "zamba2", "mamba2", "codestral_mamba")


@rule(
    "state_heads_not_divisible",
    _TP,
    "model_executor/layers/mamba/mamba_mixer2.py:285-292 (0.26.0; 0.10.2 to 0.33.0)",
    needs=("model",),
    stage="fit",
    also=lambda view: view.tp > 1,
)
def tensor_parallelism_divides_mamba(view: View) -> t.Iterator[Breach]:
    """Mamba 2 splits its heads, and its groups unless there is one for all."""
    config = text_config(view.model.raw)
    if (view.model.text_model_type or "") not in _MAMBA2:
        return
    heads, groups = first_number(config, *_HEADS), first_number(config, *_GROUPS)
    for what, count in (("state heads", heads), ("state groups", None if groups == 1 else groups)):
        if count and count % view.tp:
            yield Breach(
                _TP,
                f"The model's {count} {what} are not divisible by {_TP} {view.tp}.",
                f"{_TP}: one of {divisors(count, view.tp)}",
            )
            return


@rule(
    "cpu_offload",
    "cpu_offload_gb",
    "v1/worker/gpu_model_runner.py may_reinitialize_input_batch (0.10.2 to 0.19.1), vllm#18298",
    until="0.19.1",
    needs=("model",),
    stage="fit",
    also=lambda view: view.amount("cpu_offload_gb") > 0,
)
def offloading_keeps_its_blocks(view: View) -> t.Iterator[Breach]:
    """Several groups of caches lay the batch out anew, which offloaded weights did not survive until 0.20."""
    if is_hybrid(view.model) and not view.given("hf_overrides"):
        yield Breach(
            "cpu_offload_gb",
            'Weights of a model of attention and state layers are not offloaded in this release: "Cannot re-initialize the'
            ' input batch when CPU weight offloading is enabled".',
            "the image of 0.20.0 or newer, or leave cpu_offload_gb out",
        )


RULES = rules_of(globals())
