"""How a compressed-tensors checkpoint stores its weights, against the GPU: each scheme has an oldest one."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..._settings.version import Release, format_release

Group = t.Mapping[str, t.Any]

# Oldest compute capability by scheme, newest first: (since, capability). get_min_capability() of each release.
_OLDEST: dict[str, tuple[tuple[Release, int], ...]] = {
    "weight-only int": (((0, 12, 0), 75), ((0, 0, 0), 80)),
    "8-bit int": (((0, 0, 0), 75),),
    "8-bit float": (((0, 16, 0), 75), ((0, 0, 0), 80)),
    "4-bit float": (((0, 16, 0), 75), ((0, 0, 0), 80)),
}


@rule(
    "quant_scheme_not_for_gpu",
    "",
    "compressed_tensors/schemes get_min_capability (0.10.2 to 0.33.0)",
    needs=("model", "gpu"),
    stage="fit",
    also=lambda view: not view.text("quantization") or view.text("quantization") == "compressed-tensors",
)
def the_scheme_runs_on_the_gpu(view: View) -> t.Iterator[Breach]:
    """The method itself starts at 7.0, its schemes do not: the first layer ends the start."""
    stored, capability = view.model.quantization, view.capability
    if stored is None or stored.method != "compressed-tensors" or capability is None or capability < 70:
        return
    for name in filter(None, map(_scheme, _groups(view.model.raw))):
        needed = next((oldest for since, oldest in _OLDEST[name] if view.release >= since), None)
        if needed is not None and capability < needed:
            later = min((since for since, oldest in _OLDEST[name] if oldest <= capability), default=None)
            newer = f"vLLM {format_release(later)} or newer, " if later and later > view.release else ""
            yield Breach(
                "model",
                f"The checkpoint's scheme ({name}) needs compute capability {needed / 10} in this release; this GPU has"
                f" {capability / 10} (Quantization scheme is not supported for the current GPU).",
                f"{newer}another checkpoint, or another GPU",
            )
            return


def _groups(raw: t.Mapping[str, t.Any]) -> list[Group]:
    for holder in (raw, raw.get("text_config")):
        stated = holder.get("quantization_config") if isinstance(holder, t.Mapping) else None
        groups = stated.get("config_groups") if isinstance(stated, t.Mapping) else None
        if isinstance(groups, t.Mapping):
            return [group for group in groups.values() if isinstance(group, t.Mapping)]
    return []


def _scheme(group: Group) -> str | None:
    """The kind of a group of layers; None for one that is not told here."""
    weights, inputs = group.get("weights"), group.get("input_activations")
    if not isinstance(weights, t.Mapping):
        return None
    bits, kind = weights.get("num_bits"), weights.get("type")
    if kind == "float":
        return {8: "8-bit float", 4: "4-bit float"}.get(bits) if isinstance(bits, int) else None
    if kind != "int":
        return None
    if not inputs:
        return "weight-only int" if bits in (4, 8) else None
    return (
        "8-bit int" if bits == 8 and isinstance(inputs, t.Mapping) and inputs.get("num_bits") == 8 else None
    )


RULES = rules_of(globals())
