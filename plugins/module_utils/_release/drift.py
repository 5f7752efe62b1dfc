"""What a host runs against what is planned for it, instance by instance.

*Drift* works and is not what the inventory says. A *failure* does not work: no tokens, or nothing that could be looked at.
What counts is intent. A unit whose text only a newer renderer would write otherwise is *pending*, and no drift.
"""

from __future__ import annotations

import typing as t

from .changes import changes
from .drift_kinds import RELEASE, RESTART, Drift
from .drift_plan import after, against_plan, before
from .masked import masked

Data = t.Mapping[str, t.Any]


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
    return [*found, *against_plan(planned, seen, (tagged or {}).get(planned["image"]))]


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
        whose = (
            f"belongs to the fleet {unit['fleet']}"
            if unit.get("fleet")
            else "was not written by this collection"
        )
        what = f"{unit['path']} {whose}"
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
        yield Drift("argv_differs", what, before(differ), after(differ), RESTART)
    if record and record.get("image_id") not in (None, container["image_id"]):
        what = "the container runs another image than the release says"
        yield Drift("image_differs", what, record["image_id"][:12], container["image_id"][:12], RESTART)
    if container.get("outdated"):
        what = f"it was started with an older CDI spec: {container['outdated']}"
        yield Drift("cdi_outdated", what, fix=f"{RESTART}, or podman_cdi_restart_servers: true")
