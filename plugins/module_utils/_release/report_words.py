"""The report as people read it: the table, and the words in it."""

from __future__ import annotations

import re
import typing as t

from .._settings.columns import EMPTY, told
from .._settings.counted import counted
from .digests import short

Data = t.Mapping[str, t.Any]

COLUMNS = (
    "host",
    "instance",
    "changed",
    "release",
    "vLLM",
    "image",
    "endpoint",
    "model",
    "until ready",
    "without service",
    "tokens/s",
)
_DONE = {
    "unchanged": "nothing",
    "rolled_back": "rolled back",
    "undone": "UNDONE",
    "failed": "FAILED",
    "not_begun": "NOT BEGUN",
}
_WOULD = {
    "unchanged": "nothing",
    "started": "would start",
    "released": "would release",
    "rolled_back": "would roll back",
    "removed": "would remove",
}
_UNTOUCHED = {"left_out": "LEFT OUT", "held_back": "held back"}
_COUNTED = (
    ("released", "released"),
    ("started", "started"),
    ("rolled_back", "rolled back"),
    ("removed", "removed"),
    ("undone", "undone"),
    ("failed", "FAILED"),
    ("not_begun", "NOT BEGUN"),
    ("unchanged", "unchanged"),
)
_SHOWN = 60
_CACHE = re.compile(r"(?<=/cache/)[0-9a-f]{12}")


def table(report: Data) -> tuple[list[str], list[list[str]]]:
    """Columns and rows: one for each instance, and one for each host that has none to show."""
    rows = [row for host in report["hosts"] for row in _rows(host, report["check_mode"])]
    return told(COLUMNS, rows)


def headline(report: Data) -> str:
    """The run in one line."""
    counts = report["counts"]
    said = [f"{counts[key]} {word}" for key, word in _COUNTED if counts[key]]
    hosts = [(counts["left_out"], "left out"), (counts["held_back"], "held back")]
    said += [f"{counted(count, 'host')} {word}" for count, word in hosts if count]
    would = "predicted: " if report["check_mode"] else ""
    return f"{would}{counted(counts['instances'], 'server')} on {counted(counts['hosts'], 'host')}: " + (
        ", ".join(said) or "nothing to do"
    )


def changes(report: Data) -> list[list[str]]:
    """What changed, before, after and where; what changed alike in many places is one row."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for host in report["hosts"]:
        for each in host["instances"]:
            for change in filter(_is_own, each["changes"]):
                key = (change["what"], value(change["before"]), value(change["after"]))
                places.setdefault(key, []).append(f"{host['host']} {each['instance']}")
    return [[*key, _some(where)] for key, where in places.items()]


def _is_own(change: Data) -> bool:
    """Whether it is not another change once more: caches lie in a folder of their image."""
    before, after = (_CACHE.sub("", value(change[key], len(str(change[key])))) for key in ("before", "after"))
    return before != after


def held(report: Data) -> list[str]:
    """Why hosts were held back; each reason once."""
    return sorted({host["held"] for host in report["hosts"] if host["held"]})


def problem(found: Data) -> str:
    """A problem in full, with its cause where it is known."""
    known = found["diagnosis"]
    return str(found["message"]) + (f"\nCause: {known['cause']}\nFix: {known['remedy']}" if known else "")


def remarks(report: Data) -> list[str]:
    """What an operator wants to know besides: what was undone, and what waits for the next release."""
    lines = []
    for host in report["hosts"]:
        for each in host["instances"]:
            where = f"{host['host']} {each['instance']}"
            undone = each["undone"]
            if undone:
                lines.append(f"{where}: {_back(undone)}{undone.get('message') or '-'}")
            if each["pending"]:
                lines.append(
                    f"{where}: its unit would be written differently now; that waits for its next release"
                )
    return lines


def _back(undone: Data) -> str:
    """How the way back ended; without a record of what ran before, the message alone tells it."""
    if undone.get("release") is None and undone.get("serving") is None:
        return ""
    back = "serves again" if undone.get("serving") else "DOES NOT SERVE EITHER"
    return f"release {value(undone.get('release'))} {back}: "


def value(given: t.Any, most: int = _SHOWN) -> str:
    """A value in a cell."""
    if given in (None, "", [], ()):
        return EMPTY
    text = _text(given)
    return text if len(text) <= most else text[: most - 1] + "…"


def _text(given: t.Any) -> str:
    if isinstance(given, (list, tuple)):
        return ", ".join(map(str, given))
    return str(given).lower() if isinstance(given, bool) else short(str(given))


def _rows(host: Data, check_mode: bool) -> list[list[str]]:
    rows = [_row(host["host"], each, check_mode) for each in host["instances"]]
    if rows:
        return rows
    words = _UNTOUCHED.get(host["state"], "nothing done")
    return [[host["host"], EMPTY, words, *[EMPTY] * (len(COLUMNS) - 3)]]


def _row(host: str, each: Data, check_mode: bool) -> list[str]:
    before, after = each["before"] or {}, each["after"] or {}
    return [
        host,
        each["instance"],
        _done(each, check_mode),
        _turned(before.get("release"), after.get("release")),
        _turned(before.get("vllm_version"), after.get("vllm_version")),
        _turned(_image(before), _image(after)),
        value(each["endpoint"]),
        value(each["model"]),
        _seconds(each["seconds_until_ready"]),
        _seconds(each["seconds_without_service"]),
        value(each["tokens_per_second"]),
    ]


def _done(each: Data, check_mode: bool) -> str:
    done = each["done"]
    if done == "failed" and each["gate"]["state"]:
        return "GATE SHUT"
    return str((_WOULD if check_mode else _DONE).get(done) or _DONE.get(done) or done)


def _turned(before: t.Any, after: t.Any) -> str:
    """``old -> new``; one of them where the other is not known or the same."""
    old, new = value(before), value(after)
    return f"{old} -> {new}" if EMPTY not in (old, new) and old != new else old if new == EMPTY else new


def _image(release: Data) -> str:
    return short(str(release.get("image_identity") or release.get("image") or ""))


def _seconds(number: t.Any) -> str:
    return EMPTY if number is None else f"{float(number):.1f} s"


def _some(places: t.Sequence[str]) -> str:
    return ", ".join(places[:4]) + (f" and {len(places) - 4} more" if len(places) > 4 else "")
