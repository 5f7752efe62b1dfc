"""Whether the release, the GPU and the checkpoint agree on how weights are stored."""

from __future__ import annotations

import typing as t

from .registered import unregistered
from .rule import Breach, row, rule, rules_of
from .view import View

# Names of one family read each other's checkpoints; others are refused.
_FAMILIES: dict[str, frozenset[str]] = {
    "awq": frozenset(("awq", "awq_marlin", "auto_awq")),
    "gptq": frozenset(("gptq", "gptq_marlin", "auto_gptq", "gptq_bitblas", "gptq_marlin_24", "marlin")),
    "fp8": frozenset(("fp8", "deepseek_v4_fp8")),
    "fbgemm_fp8": frozenset(("fbgemm_fp8",)),
    "bitsandbytes": frozenset(("bitsandbytes",)),
    "compressed-tensors": frozenset(("compressed-tensors",)),
    "torchao": frozenset(("torchao",)),
    "mxfp4": frozenset(("mxfp4", "gpt_oss_mxfp4")),
    "modelopt": frozenset(("modelopt", "modelopt_fp4", "modelopt_mxfp8", "modelopt_mixed", "nvfp4")),
}
# These exist as checkpoints only: an unquantized model has nothing for them to read.
_STORED_ONLY = (
    _FAMILIES["awq"]
    | _FAMILIES["gptq"]
    | {"compressed-tensors", "fbgemm_fp8", "moe_wna16", "quark", "torchao"}
)
_NEVER_FLOAT32 = _FAMILIES["awq"] | _FAMILIES["gptq"] | {"fp8", "modelopt", "modelopt_fp4"}
# Checkpoints whose own method is taken whatever was asked for (override_quantization_method), and names like theirs.
_OVERRULING = ("auto-round", "modelopt", "mxfp4", "gpt_oss_mxfp4")
_NAMES_OF_OVERRULING = ("auto-round", "autoround", "modelopt", "mxfp4", "gpt-oss")
_SHORT_NAMES_OF_OVERRULING = ("inc", "marlin", "nvfp4", "fp4")
# These also read checkpoints that name another method, in some releases.
_READING_OTHERS = frozenset(
    ("humming", "inc", "moe_wna16", "ipex", "bitblas", "petit_nvfp4", "cpu_awq", "gguf", "mxfp8", "hqq")
)
# A name that says so may hold its scheme in a file beside config.json.
_NAMES_THAT_SAY_SO = ("awq", "gptq", "int4", "4bit", "w4a16", "w8a8", "int8", "quant")


def _family(method: str) -> str | None:
    return next((name for name, members in _FAMILIES.items() if method in members), None)


def _asked(view: View) -> str:
    """The method that was asked for; vLLM reads it in any case."""
    return view.text("quantization").lower()


def _stored(view: View) -> str:
    found = view.model.quantization if view.model else None
    return found.method if found else ""


def _reads_others(view: View) -> bool:
    """Whether the method may read a checkpoint that names another; inc reads auto-round's alone since 0.16."""
    return _asked(view) in _READING_OTHERS and not (_asked(view) == "inc" and view.since(0, 16, 0))


def _overruled(view: View) -> bool:
    """Whether the checkpoint's own method is taken whatever was asked for; without facts: whether it may be."""
    name = _asked(view).replace("_", "-")
    if view.model is None:
        return name.startswith(_NAMES_OF_OVERRULING) or name in _SHORT_NAMES_OF_OVERRULING
    if _stored(view) == "mxfp4":
        return bool(view.model.model_type == "gpt_oss")
    return _stored(view).startswith(_OVERRULING) or (name == "marlin" and _stored(view) in ("awq", "gptq"))


def _unknown(view: View, tail: str = "") -> t.Iterator[Breach]:
    yield from unregistered(
        view, "quantization", "quantization", _asked(view), "quantization method", "in the image", tail
    )


@rule(
    "unknown_quantization",
    "quantization",
    "config/model.py:1466 (0.33.0)",
    also=lambda view: not _overruled(view),
)
def quantization_is_known(view: View) -> t.Iterator[Breach]:
    """A method that neither the release nor a plug-in registers is refused."""
    yield from _unknown(view)


@rule(
    "unknown_quantization",
    "quantization",
    "config/model.py _verify_quantization (0.14.1, 0.33.0)",
    severity="warning",
    also=_overruled,
)
def overruled_quantization_is_known(view: View) -> t.Iterator[Breach]:
    """AutoRound, ModelOpt and gpt-oss checkpoints set the method themselves, over any that was asked for."""
    yield from _unknown(view, " It is taken only where the checkpoint overrules it with its own method.")


@rule(
    "deprecated_quantization",
    "quantization",
    "config/model.py:1480 (0.33.0)",
    "0.14.0",
    also=lambda view: view.model is None or not _overruled(view),
)
def quantization_is_not_deprecated(view: View) -> t.Iterator[Breach]:
    """A deprecated method needs an explicit yes."""
    name = _asked(view)
    if name in view.table.registry("quantization_deprecated") and not view.flag(
        "allow_deprecated_quantization"
    ):
        yield Breach(
            "quantization",
            f"quantization {name} is deprecated: this release refuses it without allow_deprecated_quantization.",
            "allow_deprecated_quantization: true for now, and another checkpoint before the next upgrade",
        )


@rule(
    "quantization_differs_from_checkpoint", "quantization", "config/model.py:1457 (0.33.0)", needs=("model",)
)
def quantization_matches_the_checkpoint(view: View) -> t.Iterator[Breach]:
    """A checkpoint of one family is not read as another; a method that is made while loading takes none at all."""
    asked, stored = _asked(view), _stored(view)
    strange = (_family(asked) or asked) != (_family(stored) or stored)
    custom = {asked, stored} & set(view.plugin_names)
    if stored and strange and not _reads_others(view) and not custom and not _overruled(view):
        yield Breach(
            "quantization",
            f"quantization is {_asked(view)}, but the checkpoint is stored as {_stored(view)}.",
            "leave quantization out: vLLM reads the method from the checkpoint",
        )


@rule(
    "unknown_quantization",
    "",
    "config/model.py:1466 (0.33.0)",
    needs=("model",),
    also=lambda view: not _asked(view) and not view.given("hf_overrides"),
)
def checkpoint_method_is_known(view: View) -> t.Iterator[Breach]:
    """A checkpoint of a method that the release does not have is refused."""
    stored = _stored(view)
    if stored and not stored.startswith(_OVERRULING) and view.unregistered("quantization", stored):
        yield Breach(
            "model",
            f"The checkpoint is stored as {stored}, which vLLM {view.table.version} has no quantization method for.",
            "a checkpoint of another kind, or a plug-in in the image that provides the method",
            stored,
        )


@rule(
    "quantization_of_plain_checkpoint",
    "quantization",
    "model_executor/model_loader/weight_utils.py (0.33.0)",
    needs=("model",),
    also=lambda view: _asked(view) in _STORED_ONLY and not view.given("hf_overrides"),
)
def stored_method_finds_a_quantized_checkpoint(view: View) -> t.Iterator[Breach]:
    """AWQ, GPTQ and compressed-tensors are made beforehand; they cannot be applied to a plain checkpoint."""
    name = f"{view.case.model or ''}".lower()
    if view.model.quantization is None and not any(mark in name for mark in _NAMES_THAT_SAY_SO):
        yield Breach(
            "quantization",
            f"quantization is {_asked(view)}, but the model's config.json says nothing of a quantized checkpoint.",
            "leave quantization out, take a checkpoint of that kind, or quantization: fp8 (made while loading)",
        )


def _needed_capability(view: View) -> tuple[str, int | None]:
    """The method, and ten times the capability that it needs: less where it is made while loading than as stored."""
    name = _asked(view)
    loading = {"mxfp8": (0, 20, 0), "mxfp4": (0, 28, 0)}
    if name in loading and not _stored(view) and view.since(*loading[name]):
        return name, 75
    return name, view.table.quantization_capability(name)


@rule(
    "quantization_not_for_gpu",
    "quantization",
    "config/vllm.py:931 (0.33.0)",
    needs=("gpu",),
    also=lambda view: not _overruled(view) or (not _stored(view) and view.model is not None),
)
def quantization_suits_the_gpu(view: View) -> t.Iterator[Breach]:
    """Every method has an oldest GPU."""
    name, needed = _needed_capability(view)
    if needed is not None and view.capability is not None and view.capability < needed:
        yield Breach(
            "quantization",
            f"quantization {name} needs compute capability {needed / 10}; this GPU has {view.capability / 10}.",
            "another checkpoint, or another GPU",
        )


@rule(
    "checkpoint_not_for_gpu",
    "",
    "config/vllm.py:931 (0.33.0)",
    needs=("model", "gpu"),
    also=lambda v: not _asked(v),
)
def checkpoint_suits_the_gpu(view: View) -> t.Iterator[Breach]:
    """The same where the checkpoint names the method."""
    stored = _stored(view)
    unclear = stored == "modelopt" and (view.model.quantization.algorithm or "").upper() != "FP8"
    needed = view.table.quantization_capability(stored) if stored and not unclear else None
    if needed is not None and view.capability is not None and view.capability < needed:
        yield Breach(
            "quantization",
            f"The checkpoint is stored as {stored}, which needs compute capability {needed / 10};"
            f" this GPU has {view.capability / 10}.",
            "another checkpoint, or another GPU",
        )


_ROWS = (
    row(
        "quantization_of_plain_checkpoint",
        "quantization",
        "model_executor/layers/quantization/online (0.20.2, 0.33.0)",
        lambda view: view.model.quantization is None,
        lambda view: "quantization online does not say how: quantization_config names the schemes.",
        "quantization_config: {linear: fp8_per_tensor}, or quantization: fp8_per_tensor",
        since="0.20.0",
        needs=("model",),
        also=lambda view: _asked(view) == "online" and not view.given("quantization_config", "hf_overrides"),
    ),
    row(
        "quantization_in_float32",
        "dtype",
        "config/vllm.py:939 (0.33.0)",
        lambda view: (
            view.text("dtype") in ("float32", "float") and (_asked(view) or _stored(view)) in _NEVER_FLOAT32
        ),
        lambda view: f"Weights stored as {_asked(view) or _stored(view)} are not computed in float32.",
        "leave dtype out",
        needs=("model",),
        also=lambda view: view.text("dtype") in ("float32", "float"),
    ),
    row(
        "dtype_not_for_family",
        "dtype",
        "config/model.py:2416 (0.33.0) _check_valid_dtype",
        lambda view: (
            view.text("dtype") in ("float16", "half")
            and view.model.model_type in ("gemma2", "gemma3", "gemma3_text", "glm4")
        ),
        lambda view: f"Models of the family {view.model.model_type} overflow in float16: vLLM refuses it.",
        "dtype: bfloat16",
        needs=("model",),
        also=lambda view: view.text("dtype") in ("float16", "half"),
    ),
)

RULES = rules_of(globals())
