"""The plan of today against what was released."""

from __future__ import annotations

import typing as t

from .._settings.secretive import shown_value
from .changes import Change, changes
from .digests import short
from .drift_kinds import RELEASE, Drift
from .masked import masked_intent

Data = t.Mapping[str, t.Any]


def against_plan(planned: Data, seen: Data, tagged: str | None) -> t.Iterator[Drift]:
    """The plan of today against what was released."""
    record = seen.get("record")
    for name in seen.get("missing_secrets") or ():
        what = f"Podman no longer holds the secret {name}: the server could not start again"
        yield Drift("secret_missing", what, name, None, RELEASE)
    if record is None:
        yield Drift("record_missing", "the host has no record of an accepted release", fix=RELEASE)
        return
    if seen.get("image_here") is False:
        what = "the image of the accepted release is not on the host: the server could not start again"
        yield Drift("image_missing", what, record["image"], None, "fetch it: fetch.yml --limit HOST")
    intent = planned.get("intent")
    if intent is None:
        if planned.get("image_identity") is None and seen.get("image_here") is not False:
            what = "the planned image is not on the host"
            yield Drift("image_missing", what, planned["image"], None, "fetch it: fetch.yml --limit HOST")
        return
    retagged = _retagged(planned, record, tagged)
    yield from [retagged] if retagged else []
    yield from _intent(record, _differences(planned, record, retagged is not None))


def _retagged(planned: Data, record: Data, tagged: str | None) -> Drift | None:
    """Whether the same reference means another image now, to Podman or to the next release."""
    if planned["image"] != record["image"]:
        return None
    old, new = record["intent"]["image"], planned["intent"]["image"]
    if tagged and record.get("image_id") not in (None, tagged):
        old, new = record["image_id"], tagged
    if old == new:
        return None
    what = f"{planned['image']} names another image on this host than the one released"
    fix = "take it over with the next release, or have the tag name the released image again"
    return Drift("image_retagged", what, short(str(old)), short(str(new)), fix)


def _differences(planned: Data, record: Data, retagged: bool) -> list[Change]:
    """What the plan asks for otherwise; of an image that was told already, its folder of caches is no news."""
    was, wanted = record["intent"], masked_intent(planned["intent"])
    if retagged:
        old, new = (str(each["image"]).rpartition(":")[2][:12] for each in (was, wanted))
        mounts = [mount.replace(f"/cache/{new}", f"/cache/{old}") for mount in wanted["mounts"]]
        wanted.update(image=was["image"], mounts=mounts)
    found = changes(was, wanted)
    if not found and not retagged and planned["intent_hash"] != record["intent_hash"]:
        return [Change("a value that is not shown", "one", "another")]
    return found


def _intent(record: Data, differ: t.Sequence[Change]) -> t.Iterator[Drift]:
    secrets = [each for each in differ if each.what.startswith("secrets.") and each.before and each.after]
    for each in secrets:
        variable = each.what.partition(".")[2]
        what = f"the inventory holds another value of {variable} than the server was given"
        yield Drift("secret_rotated", what, each.after, each.before, RELEASE)
    rest = [each for each in differ if each not in secrets]
    if rest:
        what = f"the inventory changed since release {record['release']}: {_names(rest)}"
        yield Drift("plan_changed", what, after(rest), before(rest), RELEASE)


def _names(differ: t.Sequence[Change]) -> str:
    return ", ".join(each.what for each in differ)


def before(differ: t.Sequence[Change]) -> str:
    """How it was, in words."""
    return "; ".join(f"{each.what}: {_said(shown_value(each.what, each.before))}" for each in differ)


def after(differ: t.Sequence[Change]) -> str:
    """How it is now, in words."""
    return "; ".join(f"{each.what}: {_said(shown_value(each.what, each.after))}" for each in differ)


def _said(value: t.Any) -> str:
    return "not set" if value is None else short(value) if isinstance(value, str) else str(value)
