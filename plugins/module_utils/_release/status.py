"""The status of a fleet: as data for a program, and as text for people. Hosts that are unlike the others come first."""

from __future__ import annotations

import json
import textwrap
import typing as t

from .._settings.columns import text_table
from .._settings.counted import counted
from .drift_host import HostLook, Outlier, drifts_of, outliers
from .drift_kinds import Drift

Data = dict[str, t.Any]
SCHEMA = 1
COLUMNS = ("host", "instance", "release", "image", "vLLM", "state", "tokens", "not as planned")
_WIDTH = 110
_LIMIT = "--limit {}"
_MOST_NAMED = 5  # hosts; the table has them all


def build_status(looks: t.Sequence[HostLook]) -> Data:
    """Everything that a program may want."""
    odd = outliers(looks)
    found = {look.host: drifts_of(look) for look in looks}
    order = sorted(looks, key=lambda look: _rank(look, found[look.host], odd))
    drifts = [each for look in order for each in sorted(found[look.host], key=_severity)]
    hosts = [_host(look, found[look.host]) for look in order]
    counts = _counts(hosts, drifts)
    return {
        "schema": SCHEMA,
        "result": "failure" if counts["failures"] else "drift" if counts["drifts"] else "good",
        "counts": counts,
        "drifts": [each.as_dict() for each in drifts],
        "outliers": [each.as_dict() for each in odd],
        "hosts": hosts,
    }


def _severity(drift: Drift) -> tuple[bool, str]:
    return drift.severity != "failure", drift.instance or ""


def _rank(look: HostLook, drifts: t.Sequence[Drift], odd: t.Sequence[Outlier]) -> tuple[int, int, int]:
    """The most unlike first, then failures, then drifts; what is alike stays in the order of the inventory."""
    unlike = sum(each.host == look.host for each in odd)
    failures = sum(each.severity == "failure" for each in drifts)
    return -unlike, -failures, -len(drifts)


def _counts(hosts: t.Sequence[Data], drifts: t.Sequence[Drift]) -> dict[str, int]:
    instances = [each for host in hosts for each in host["instances"]]
    failures = sum(each.severity == "failure" for each in drifts)
    return {
        "hosts": len(hosts),
        "reached": sum(host["reached"] for host in hosts),
        "instances": len(instances),
        "serving": sum(each["state"] == "serving" for each in instances),
        "failures": failures,
        "drifts": len(drifts) - failures,
    }


def _host(look: HostLook, drifts: t.Sequence[Drift]) -> Data:
    seen = look.seen or {}
    return {
        "host": look.host,
        "reached": look.seen is not None,
        "problem": look.unreachable or look.problem or look.invalid or None,
        "podman": seen.get("podman"),
        "driver": seen.get("driver"),
        "cdi": seen.get("cdi"),
        "transaction": seen.get("transaction"),
        "foreign": seen.get("foreign") or [],
        "drifts": [each.kind for each in drifts if each.instance is None],
        "instances": [_instance(look, name, drifts) for name in look.instances],
    }


def _instance(look: HostLook, name: str, drifts: t.Sequence[Drift]) -> Data:
    seen = look.of(name)
    record, container, server = (seen.get(key) or {} for key in ("record", "container", "server"))
    service = seen.get("service") or {}
    return {
        "instance": name,
        "planned": name in look.planned,
        "release": record.get("release"),
        "newest": seen.get("newest"),
        "intent_hash": record.get("intent_hash"),
        "image": record.get("image") or container.get("image"),
        "image_id": container.get("image_id"),
        "argv": container.get("argv"),
        "started_at": container.get("started_at"),
        "restarts": service.get("restarts"),
        "state": server.get("state"),
        "served": server.get("served"),
        "vllm_version": server.get("vllm_version"),
        "answer": server.get("answer"),
        "trial": bool(seen.get("trial")),
        "pending": look.pending(name),
        "drifts": [each.kind for each in drifts if each.instance == name],
    }


def status_text(status: Data, width: int = _WIDTH) -> str:
    """The table, and below it what is not as planned, in full."""
    rows = [row for host in status["hosts"] for row in _rows(host)]
    blocks = [_block(each, width) for each in _grouped(status["drifts"])]
    notes = _notes(status)
    return "\n\n".join(
        part for part in (text_table(COLUMNS, rows), "\n".join(blocks), notes, _summary(status)) if part
    )


def to_json(status: Data) -> str:
    """The file that ``vllm_status_file`` names."""
    return json.dumps(status, indent=1, ensure_ascii=False) + "\n"


def _grouped(drifts: t.Sequence[Data]) -> list[Data]:
    """What is the same on several hosts is told once, with all of them."""
    groups: dict[tuple[t.Any, ...], list[Data]] = {}
    for each in drifts:
        fix = (each["fix"] or "").replace(_LIMIT.format(each["host"]), "")
        key = (each["kind"], each["instance"], each["what"], each["planned"], each["found"], fix)
        groups.setdefault(key, []).append(each)
    return [_together(each) for each in groups.values()]


def _together(drifts: t.Sequence[Data]) -> Data:
    first, hosts = drifts[0], [each["host"] for each in drifts]
    named = ",".join(hosts[:_MOST_NAMED]) + (",…" if len(hosts) > _MOST_NAMED else "")
    return {
        **first,
        "host": named,
        "fix": (first["fix"] or "").replace(_LIMIT.format(first["host"]), _LIMIT.format(named)),
    }


def _rows(host: Data) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (
            host["host"],
            each["instance"],
            _text(each["release"]),
            _text(each["image_id"])[:12],
            _text(each["vllm_version"]),
            _text(each["state"]) if host["reached"] else "NOT SEEN",
            _tokens(each["answer"]),
            ", ".join(each["drifts"]) or ("pending" if each["pending"] else "-"),
        )
        for each in host["instances"]
    ]
    told = ", ".join(host["drifts"])
    if told or not rows:
        rows.insert(
            0, (host["host"], "-", "-", "-", "-", "-" if host["reached"] else "NOT SEEN", "-", told or "-")
        )
    return rows


def _tokens(answer: Data | None) -> str:
    return f"{answer['tokens']} in {answer['seconds']:.1f} s" if answer and answer["tokens"] else "-"


def _text(value: t.Any) -> str:
    return "-" if value in (None, "") else str(value)


def _block(drift: Data, width: int) -> str:
    place = " ".join(part for part in (drift["host"], drift["instance"]) if part)
    lines = _wrapped(f"{drift['severity'].upper():8}{place}: {drift['what']} [{drift['kind']}]", width, 8)
    for label in ("planned", "found", "fix"):
        if drift[label]:
            lines += _wrapped(f"        {label:8}{drift[label]}", width, 16)
    return "\n".join(lines)


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(
        text, max(width, 60), subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False,
        drop_whitespace=True,
    )  # fmt: skip


def _notes(status: Data) -> str:
    """What is good to know, and nothing that anybody has to mend."""
    lines = [
        f"{each['host']} is unlike most hosts of its plan: {each['what']}" + _values(each)
        for each in status["outliers"]
    ]
    for host in status["hosts"]:
        if host["transaction"]:
            lines.append(f"{host['host']}: servers are being changed right now ({host['transaction']})")
        lines += [
            f"{host['host']}: not ours, and left alone: {each['kind']} {each['name']}"
            + (f" of the fleet {each['fleet']}" if each["fleet"] else "")
            + f": {each['what']}"
            for each in host["foreign"]
        ]
    return "\n".join(lines)


def _values(outlier: Data) -> str:
    """A whole command line would hide the rest; ``argv_differs`` tells what is in it."""
    if outlier["what"].endswith(": argv"):
        return ""
    return f" is {outlier['found']}, most have {outlier['most']}"


def _summary(status: Data) -> str:
    counts = status["counts"]
    unseen = counts["hosts"] - counts["reached"]
    parts = [
        f"{counts['serving']} of {counted(counts['instances'], 'server')} serve",
        counted(counts["failures"], "failure"),
        counted(counts["drifts"], "drift"),
        f"{counted(counts['hosts'], 'host')}, {unseen} not seen"
        if unseen
        else counted(counts["hosts"], "host"),
    ]
    return "; ".join(parts)
