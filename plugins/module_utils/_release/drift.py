"""What a host runs against what is planned for it, instance by instance.

*Drift* works and is not what the inventory says. A *failure* does not work: no tokens, or nothing that could be looked at.
What counts is intent. A unit whose text only a newer renderer would write otherwise is *pending*, and no drift.
"""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.secretive import shown_value
from .changes import Change, changes
from .drift_kinds import KINDS
from .masked import masked, masked_intent

Data = t.Mapping[str, t.Any]


@dataclasses.dataclass(frozen=True)
class Drift:
    """One thing that is not as planned."""

    kind: str
    what: str  # in words
    planned: str | None = None
    found: str | None = None
    fix: str | None = None
    host: str = ""
    instance: str | None = None

    @property
    def severity(self) -> str:
        """``drift`` or ``failure``."""
        return KINDS[self.kind][0]

    def at(self, host: str, instance: str | None = None) -> Drift:
        """The same, with its place, which its fix names too."""
        name = instance or self.instance
        fix = (
            (self.fix or "")
            .replace("HOST", host)
            .replace("UNIT", f"vllm-{name}.service")
            .replace("NAME", str(name))
        )
        return dataclasses.replace(self, host=host, instance=name, fix=fix or None)

    def as_dict(self) -> dict[str, t.Any]:
        """Plain data; what is absent is null."""
        return {"severity": self.severity, **dataclasses.asdict(self)}


# HOST, UNIT and NAME stand for those of the place.
RELEASE = "release it: site.yml --limit HOST"


def is_there(seen: Data) -> bool:
    """Whether the host has anything of the instance."""
    return any(seen.get(key) for key in ("record", "unit", "container", "trial", "newest", "problem"))


def planned_instance(
    planned: Data, seen: Data, busy: bool = False, tagged: t.Mapping[str, str] | None = None
) -> list[Drift]:
    """Everything that is not as planned.

    ``busy`` while a transaction is under way on the host; ``tagged`` holds the ID of the image that each reference names there.
    """
    if planned["state"] == "absent":
        return [_not_removed()] if is_there(seen) else []
    if seen.get("problem"):
        return [Drift("record_unreadable", str(seen["problem"]), fix="see what stands there")]
    if not is_there(seen):
        what = "nothing of it is on this host"
        return [Drift("instance_missing", what, planned["image"], None, RELEASE)]
    found = (
        []
        if busy
        else [*_unfinished(seen), *_server(planned, seen), *_unit(seen), *_container(planned, seen)]
    )
    return [*found, *_release(planned, seen, (tagged or {}).get(planned["image"]))]


def orphan(seen: Data) -> Drift:
    """A server of ours that the plan does not name."""
    record, container = seen.get("record") or {}, seen.get("container") or {}
    runs = "it runs" if container.get("running") else "it does not run"
    shown = record.get("image") or container.get("image")
    fix = "name it in the inventory, or remove it: remove.yml --limit HOST -e vllm_remove=NAME"
    return Drift("instance_orphaned", f"the inventory does not name it, and {runs}", None, shown, fix)


def is_pending(planned: Data, seen: Data) -> bool:
    """Whether only the text of the unit would be another one with the next release."""
    record, text = seen.get("record"), planned.get("unit_sha256")
    same = record is not None and planned.get("intent_hash") == record["intent_hash"]
    return bool(same and text and text != seen.get("recorded_unit"))


def _not_removed() -> Drift:
    what = "state: absent, and something of it is still on this host"
    return Drift("instance_not_removed", what, "absent", "there", RELEASE)


def _unfinished(seen: Data) -> t.Iterator[Drift]:
    newest = seen.get("newest") or {}
    if newest and newest["state"] in (None, "interrupted"):
        what = f"release {newest['release']} was begun and did not come to an end"
        yield Drift("release_unfinished", what, "an outcome", newest["state"], RELEASE)


def _server(planned: Data, seen: Data) -> t.Iterator[Drift]:
    server, service = seen.get("server") or {}, seen.get("service") or {}
    state = server.get("state")
    if state == "wrong_model":
        wanted = ", ".join(planned["gate"]["served_names"])
        served = ", ".join(server.get("served") or ())
        yield Drift("wrong_model", "it serves other names than planned", wanted, served, RESTART)
    elif state not in (None, "serving"):
        yield Drift(f"server_{state}", str(server.get("message")), "tokens", None, _FIXES.get(state, _LOG))
    if service.get("restarts") and state != "looping":
        times = service["restarts"]
        what = f"systemd started it again {times} time{'' if times == 1 else 's'} since its last start on purpose"
        yield Drift("server_restarted", what, "0", str(times), _LOG)
    said, version = server.get("vllm_version"), planned.get("version")
    if said and version and not _same_version(said, version):
        yield Drift("vllm_version_differs", "the server says another version", version, said, RELEASE)


_LOG = "see why: journalctl -u UNIT on the host, or the module vllm_diagnose"
_FIXES = {
    "stopped": "start it again: site.yml --limit HOST, or systemctl start UNIT on the host",
    "absent": RELEASE,
    "starting": "wait, and look again",
    "loading": "wait, and look again",
}


def _same_version(said: str, wanted: str) -> bool:
    """``0.32.0+cpu`` and ``0.32.0.dev1`` are 0.32.0 for who planned that."""
    rest = said[len(wanted) :]
    return said.startswith(wanted) and not rest[:1].isdigit()


def _unit(seen: Data) -> t.Iterator[Drift]:
    unit, record = seen.get("unit"), seen.get("record")
    if unit is None:
        if record:
            what = "the unit of the accepted release is gone: the server does not come back after a boot"
            yield Drift("unit_missing", what, f"release {record['release']}", None, RELEASE)
        return
    if not unit["ours"]:
        what = f"{unit['path']} was not written by this collection"
        yield Drift("unit_foreign", what, None, unit["path"], "name the instance otherwise, or take it away")
    elif unit["as_recorded"] is False:
        keys = ", ".join(unit["edited_keys"]) or "comments or order"
        what = f"{unit['path']} was edited: {keys}"
        yield Drift("unit_edited", what, None, keys, f"put the change into the inventory, and {RELEASE}")
    elif seen["service"]["needs_reload"]:
        yield Drift(
            "unit_not_reloaded", "systemd does not know the unit as it is", fix="systemctl daemon-reload"
        )


def _container(planned: Data, seen: Data) -> t.Iterator[Drift]:
    container, record = seen.get("container"), seen.get("record")
    if seen.get("trial"):
        what = "a release is on trial, and nothing waits for it any more"
        yield Drift("trial_left", what, None, None, RELEASE)
        return  # what runs is that release, and not the accepted one
    if not container or not container["running"]:
        return
    if not container["ours"] or not container["unit"]:
        what = f"the container vllm-{planned['name']} was started by hand"
        fix = "podman rm --force vllm-NAME on the host, and then systemctl start UNIT"
        yield Drift("container_by_hand", what, planned["unit_name"], "podman run", fix)
    wanted = record["intent"]["argv"] if record else masked(planned.get("argv") or ())
    differ = changes({"argv": wanted}, {"argv": container["argv"]})
    if differ:
        what = "the process was started with other settings than the release says"
        yield Drift("argv_differs", what, _before(differ), _after(differ), RESTART)
    if record and record.get("image_id") not in (None, container["image_id"]):
        what = "the container runs another image than the release says"
        yield Drift("image_differs", what, record["image_id"][:12], container["image_id"][:12], RESTART)
    if container.get("outdated"):
        what = f"it was started with an older CDI spec: {container['outdated']}"
        yield Drift("cdi_outdated", what, fix=f"{RESTART}, or podman_cdi_restart_servers: true")


RESTART = "restart it at a good time: systemctl restart UNIT on the host"


def _release(planned: Data, seen: Data, tagged: str | None) -> t.Iterator[Drift]:
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
    before, after = record["intent"]["image"], planned["intent"]["image"]
    if tagged and record.get("image_id") not in (None, tagged):
        before, after = record["image_id"], tagged
    if before == after:
        return None
    what = f"{planned['image']} names another image on this host than the one released"
    fix = "take it over with the next release, or have the tag name the released image again"
    return Drift("image_retagged", what, _short(before), _short(after), fix)


def _differences(planned: Data, record: Data, retagged: bool) -> list[Change]:
    """What the plan asks for otherwise; of an image that was told already, its folder of caches is no news."""
    before, after = record["intent"], masked_intent(planned["intent"])
    if retagged:
        old, new = (str(each["image"]).rpartition(":")[2][:12] for each in (before, after))
        mounts = [mount.replace(f"/cache/{new}", f"/cache/{old}") for mount in after["mounts"]]
        after.update(image=before["image"], mounts=mounts)
    found = changes(before, after)
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
        yield Drift("plan_changed", what, _after(rest), _before(rest), RELEASE)


def _names(differ: t.Sequence[Change]) -> str:
    return ", ".join(each.what for each in differ)


def _before(differ: t.Sequence[Change]) -> str:
    return "; ".join(f"{each.what}: {_said(shown_value(each.what, each.before))}" for each in differ)


def _after(differ: t.Sequence[Change]) -> str:
    return "; ".join(f"{each.what}: {_said(shown_value(each.what, each.after))}" for each in differ)


def _said(value: t.Any) -> str:
    return "not set" if value is None else _short(value) if isinstance(value, str) else str(value)


def _short(identity: t.Any) -> str:
    """A digest or an ID as Podman lists it."""
    digits = str(identity).rpartition("sha256:")[2]
    return (
        digits[:12]
        if len(digits) == 64 and all(each in "0123456789abcdef" for each in digits)
        else str(identity)
    )
