"""A whole host against its plan, and hosts of one plan against one another."""

from __future__ import annotations

import collections
import dataclasses
import json
import typing as t

from .drift import is_pending, orphan, planned_instance
from .drift_kinds import Drift

Data = t.Mapping[str, t.Any]


@dataclasses.dataclass(frozen=True)
class HostLook:
    """A host: its plan, what was seen of it, and why nothing was."""

    host: str
    planned: t.Mapping[str, Data] = dataclasses.field(default_factory=dict)  # as vllm_plan returns them
    seen: Data | None = None  # as vllm_instance_info returns it
    unreachable: str = ""
    problem: str = ""  # it was reached, and could not be looked at
    invalid: str = ""  # the plan has errors

    @property
    def instances(self) -> list[str]:
        """Planned ones, and those that are there."""
        there = self.seen["instances"] if self.seen else {}
        return sorted({*self.planned, *there})

    def of(self, name: str) -> Data:
        """What was seen of an instance."""
        found: Data = (self.seen or {}).get("instances", {}).get(name) or {}
        return found

    @property
    def busy(self) -> bool:
        """Whether a transaction is under way: what is half done is no drift."""
        return bool(self.seen and self.seen.get("transaction"))

    def pending(self, name: str) -> bool:
        """Whether a newer renderer's text waits for the next release."""
        return name in self.planned and is_pending(self.planned[name], self.of(name))


def drifts_of(look: HostLook) -> list[Drift]:
    """Everything that is not as planned on this host."""
    if look.unreachable:
        return [
            Drift("host_unreachable", look.unreachable, fix="see that it is up and answers by SSH").at(
                look.host
            )
        ]
    if look.seen is None:
        return [Drift("host_unreadable", look.problem, fix="mend that, and look again").at(look.host)]
    found = (
        [Drift("plan_invalid", look.invalid, fix="see what validate.yml --limit HOST says")]
        if look.invalid
        else []
    )
    found += _machine(look, look.seen)
    tagged = look.seen.get("tagged")
    for name in look.instances:
        if name not in look.planned:
            told = [] if look.invalid or look.busy else [orphan(look.of(name))]
        else:
            told = (
                [] if look.invalid else planned_instance(look.planned[name], look.of(name), look.busy, tagged)
            )
        found += [each.at(look.host, name) for each in told]
    return [each.at(look.host) for each in found]


def _machine(look: HostLook, seen: Data) -> t.Iterator[Drift]:
    """Driver, CDI and Podman under the servers."""
    wants_gpus = any(each.get("devices") for each in look.planned.values())
    driver, cdi = seen.get("driver") or {}, seen.get("cdi") or {}
    problem = driver.get("problem")
    if problem and wants_gpus:
        yield Drift(
            "gpus_not_usable", problem["message"], "GPUs that answer", problem["code"], problem["fix"]
        )
    version, loaded = driver.get("version"), driver.get("loaded")
    if version and loaded and version != loaded:
        what = "the libraries of the driver are not those of the kernel module that is loaded"
        yield Drift("driver_changed", what, loaded, version, "reboot the host at a good time")
    made_for = cdi.get("made_for")
    if version and made_for and made_for != version:
        what = f"{cdi['path']} was made for another driver"
        yield Drift(
            "driver_changed",
            what,
            made_for,
            version,
            "prepare.yml --limit HOST writes it anew; then restart the servers",
        )
    yield from _podman(look, seen)


def _podman(look: HostLook, seen: Data) -> t.Iterator[Drift]:
    installed = (seen.get("podman") or {}).get("installed_at")
    older = [
        name
        for name in look.instances
        if installed and (_running_since(look.of(name)) or installed) < installed
    ]
    if older:
        version = seen["podman"]["version"]
        what = (
            f"Podman {version} was put there at {installed}, and servers run since before: {', '.join(older)}"
        )
        fix = "restart them at a good time, so that no boot is their first start under this Podman"
        yield Drift("podman_changed", what, None, version, fix)


def _running_since(seen: Data) -> str | None:
    container = seen.get("container") or {}
    return container.get("started_at") if container.get("running") else None


@dataclasses.dataclass(frozen=True)
class Outlier:
    """Where a host differs from most hosts that have the same plan."""

    host: str
    what: str
    found: str
    most: str

    def as_dict(self) -> dict[str, t.Any]:
        """Plain data."""
        return dataclasses.asdict(self)


def outliers(looks: t.Sequence[HostLook]) -> list[Outlier]:
    """Hosts that differ from the majority of those with the same plan; a tie has no majority."""
    groups: dict[str, list[HostLook]] = {}
    for look in looks:
        if look.seen is not None and look.planned:
            groups.setdefault(_plan_of(look), []).append(look)
    return [each for group in groups.values() for each in _outliers(group)]


def _plan_of(look: HostLook) -> str:
    keys = ("name", "state", "image", "model", "argv")
    return json.dumps(
        [[each.get(key) for key in keys] for each in look.planned.values()], sort_keys=True, default=str
    )


def _outliers(group: t.Sequence[HostLook]) -> t.Iterator[Outlier]:
    facts = {look.host: _facts(look) for look in group}
    for what in dict.fromkeys(what for each in facts.values() for what in each):
        said = {host: each.get(what, "-") for host, each in facts.items()}
        (most, count), *_rest = collections.Counter(said.values()).most_common()
        if count * 2 > len(said):
            yield from (Outlier(host, what, found, most) for host, found in said.items() if found != most)


def _facts(look: HostLook) -> dict[str, str]:
    """What hosts of one plan should have in common."""
    seen = look.seen or {}
    facts = {
        "Podman": str((seen.get("podman") or {}).get("version")),
        "driver": str((seen.get("driver") or {}).get("version")),
    }
    for name in look.planned:
        each = look.of(name)
        container, server = each.get("container") or {}, each.get("server") or {}
        facts[f"{name}: image"] = str(container.get("image_id"))[:12]
        facts[f"{name}: argv"] = " ".join(container.get("argv") or ("-",))
        facts[f"{name}: vLLM"] = str(server.get("vllm_version"))
        facts[f"{name}: state"] = str(server.get("state"))
    return facts
