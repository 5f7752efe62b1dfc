"""What an inventory says of the rollout itself: told with everything else, before any host is touched."""

from __future__ import annotations

import dataclasses
import typing as t

from .._release.batches import DEFAULT_SIZES, BatchesError, count_of
from .variables import is_boolean, wrong
from .words import kind_of, nearest

if t.TYPE_CHECKING:
    from .._settings.finding import Finding

CANARIES = "vllm_canaries"
BATCHES = "vllm_batches"
GATE_FROM = ("host", "controller", "both")
Fits = t.Callable[[t.Any], bool]


def _is_count(value: t.Any) -> bool:
    return not isinstance(value, bool) and str(value).isdecimal()


def _is_seconds(value: t.Any) -> bool:
    try:
        return not isinstance(value, bool) and 0 < float(value) < float("inf")
    except (TypeError, ValueError):
        return False


def _is_text(value: t.Any) -> bool:
    return isinstance(value, str)


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of value: how to tell it, what it is called, and one to write."""

    fits: Fits
    called: str
    example: str


_BOOLEAN = Kind(lambda value: is_boolean(str(value)), "true or false", "true")
_SECONDS = Kind(_is_seconds, "a number of seconds above 0", "300")
_FILE = Kind(_is_text, "the path of a file of tasks", "drain.yml")
_KINDS: dict[str, Kind] = {
    "vllm_failure_budget": Kind(_is_count, "a number of hosts", "1"),
    "vllm_gate_from": Kind(lambda value: value in GATE_FROM, f"one of {', '.join(GATE_FROM)}", "host"),
    "vllm_gate_address": Kind(_is_text, "an address or a name", "10.0.0.7"),
    "vllm_gate_validate_certs": _BOOLEAN,
    "vllm_gate_ca_path": Kind(_is_text, "the path of a file", "/etc/ssl/own-ca.pem"),
    "vllm_controller_seconds": _SECONDS,
    "vllm_lost_seconds": _SECONDS,
    "vllm_drain_tasks": _FILE,
    "vllm_undrain_tasks": _FILE,
    "vllm_remove_orphans": _BOOLEAN,
    "vllm_apply_pending": _BOOLEAN,
    "vllm_refresh_tags": _BOOLEAN,
}
VARIABLES = (CANARIES, BATCHES, *_KINDS)


def rollout_findings(variables: t.Mapping[str, t.Any], hosts: t.Collection[str]) -> list[Finding]:
    """What is wrong with the variables of the rollout; ``hosts`` are all of the inventory."""
    findings = []
    for name, kind in _KINDS.items():
        value = variables.get(name)
        if value not in (None, "") and not kind.fits(value):
            findings.append(_wrong(name, value, f"must be {kind.called}, not {kind_of(value)}", kind.example))
    return findings + _canaries(variables.get(CANARIES), hosts) + _batches(variables.get(BATCHES))


def unknown_canaries(canaries: t.Any, hosts: t.Collection[str]) -> str:
    """What to say of canaries that are no hosts of the inventory; empty where all are.

    One that ``--limit`` leaves out of a run is a host all the same.
    """
    unknown = [name for name in canaries or () if name not in hosts]
    if not unknown:
        return ""
    near = nearest(str(unknown[0]), hosts)
    meant = f"; did you mean {near}?" if near else ""
    return f"{CANARIES}: the inventory has no host {', '.join(map(str, unknown))}{meant}"


def _canaries(value: t.Any, hosts: t.Collection[str]) -> list[Finding]:
    names = value.split(",") if isinstance(value, str) and value else value
    if names is None or names == "":
        return []
    if not isinstance(names, list):
        return [_wrong(CANARIES, value, f"must be a list of hosts, not {kind_of(value)}", "[gpu-01]")]
    message = unknown_canaries(names, hosts)
    fix = "name hosts of the inventory; [] means no canaries"
    return [wrong("bad_value", CANARIES, value, message, fix)] if message else []


def _batches(value: t.Any) -> list[Finding]:
    sizes = value.split(",") if isinstance(value, str) and value else value
    if sizes is None or sizes == "":
        return []
    if not isinstance(sizes, list):
        return [_wrong(BATCHES, value, f"must be a list of sizes, not {kind_of(value)}", '[1, "25%"]')]
    try:
        count_of(sizes, 1)
    except BatchesError as problem:
        fix = f'{BATCHES}: [1, "25%"], or leave it out for {list(DEFAULT_SIZES)}'
        return [wrong("bad_value", BATCHES, value, str(problem), fix)]
    return []


def _wrong(name: str, value: t.Any, why: str, example: str) -> Finding:
    return wrong("bad_value", name, value, f"{name} {why}", f"{name}: {example}")
