"""What vllm_host_info saw of a host a moment ago, for tasks that would look for the same."""

from __future__ import annotations

import dataclasses
import typing as t

from ..module_utils._host.parser_proof import known_answer, lines_of
from ..module_utils._host.weights import told
from ..module_utils._settings.image_verdict import other_release

Data = t.Mapping[str, t.Any]


def last_look(looks: t.Sequence[Data]) -> Data:
    """The last that told anything; empty where none did."""
    return next((look for look in reversed(looks) if look.get("host_facts")), {})


def still_holds(seen: Data, brought: t.Sequence[Data]) -> bool:
    """Whether the host has all it needs since then: nothing was missing, and nothing has come."""
    missing = ("missing_images", "missing_weights", "unresolved_devices")
    return not any(seen.get(name) for name in missing) and not any(each.get("changed") for each in brought)


def images_seen(seen: Data | None, references: t.Sequence[str], conf: str) -> dict[str, t.Any] | None:
    """The look at images; None where it does not tell of all of them, or Podman's drop-in would change."""
    look = (seen or {}).get("image_look") or {}
    if not look.get("podman_version") or (look["registries_conf"] or "") != conf:
        return None
    return dict(look) if set(references) <= set(look["asked"]) else None


def proofs_seen(seen: Data | None, instances: t.Mapping[str, Data]) -> dict[str, dict[str, t.Any]] | None:
    """What the images said of the command lines; None where there is more to say than that they take all of them."""
    images = ((seen or {}).get("image_look") or {}).get("images") or {}
    proofs = (seen or {}).get("parser_proofs") or {}
    found = {}
    for line in lines_of(instances):
        image, planned = images.get(line.image), instances[line.instance]
        answer = known_answer(line, image["image_id"], proofs.get(line.instance)) if image else None
        if answer is None or answer.verdict != "accepted":
            return None
        if other_release(answer.vllm_version, planned.get("version"), planned.get("origins") or {}):
            return None
        found[line.instance] = dataclasses.asdict(answer)
        del found[line.instance]["instance"]
    return found


def weights_seen(
    seen: Data | None, weights: t.Sequence[Data], paths: t.Sequence[Data]
) -> dict[str, t.Any] | None:
    """Which weights are there; None where the look does not tell that all of them are."""
    look = (seen or {}).get("weights_look") or {"weights": {}, "paths": {}}
    keys, names = [each["key"] for each in weights], [each["path"] for each in paths]
    if not all(look["weights"].get(key, {}).get("complete") for key in keys):
        return None
    if any(look["paths"].get(name, "not looked at") for name in names):
        return None
    return told({
        "weights": {key: look["weights"][key] for key in keys},
        "paths": dict.fromkeys(names),
    })  # fmt: skip
