"""Whether a unit on a host is ours to replace, told by the labels that its own text carries."""

from __future__ import annotations

import re

LABEL = "io.gpuops.vllm-fleet"
_FLEET = re.compile(rf"^Label=\"?{re.escape(LABEL)}\.fleet=([^\"\n]*)", re.MULTILINE)


def why_not_ours(there: str | None, fleet: str | None = None) -> str | None:
    """Why the unit text that is there may not be touched; None where it may, or where there is none.

    Ours is what carries our label. Another fleet's is not: two inventories may manage servers on one host.
    """
    if not there:
        return None
    if f"Label={LABEL}.managed=true" not in there.replace('"', ""):
        return "it was not written by this collection"
    here = _FLEET.search(there)
    return why_not_of(here.group(1) if here else None, fleet)


def why_not_of(theirs: str | None, fleet: str | None) -> str | None:
    """Why a thing of one fleet is not for another to touch; what names no fleet is for whoever asks."""
    if theirs and fleet and theirs != fleet:
        return f"it belongs to the fleet {theirs} (vllm_fleet_name), and this is {fleet}"
    return None
