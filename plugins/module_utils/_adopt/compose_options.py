"""What a service of a compose file says, as the options that `podman run` has for it."""

from __future__ import annotations

import typing as t

from .found import Option

Data = t.Mapping[str, t.Any]

# Keys whose one value is an option's, as it stands.
ONE = {
    "cpus": "--cpus",
    "cpuset": "--cpuset-cpus",
    "hostname": "--hostname",
    "ipc": "--ipc",
    "mem_limit": "--memory",
    "network_mode": "--network",
    "pid": "--pid",
    "pids_limit": "--pids-limit",
    "platform": "--platform",
    "pull_policy": "--pull",
    "restart": "--restart",
    "runtime": "--runtime",
    "shm_size": "--shm-size",
    "stop_grace_period": "--stop-timeout",
    "stop_signal": "--stop-signal",
    "user": "--user",
    "userns_mode": "--userns",
    "uts": "--uts",
    "working_dir": "--workdir",
}
MANY = {
    "annotations": "--annotation",
    "cap_add": "--cap-add",
    "cap_drop": "--cap-drop",
    "device_cgroup_rules": "--device-cgroup-rule",
    "devices": "--device",
    "dns": "--dns",
    "dns_search": "--dns-search",
    "expose": "--expose",
    "extra_hosts": "--add-host",
    "group_add": "--group-add",
    "labels": "--label",
    "links": "--link",
    "secrets": "--secret",
    "security_opt": "--security-opt",
    "sysctls": "--sysctl",
    "tmpfs": "--tmpfs",
}
SWITCHES = {"privileged": "--privileged", "read_only": "--read-only", "init": "--init"}


def text_of(value: t.Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def listed(value: t.Any) -> list[t.Any]:
    """A list; a mapping as NAME=value."""
    if isinstance(value, dict):
        return [f"{name}={text_of(each)}" for name, each in value.items()]
    return [] if value is None else value if isinstance(value, list) else [value]


def options_of(service: Data) -> t.Iterator[Option]:
    yield from (Option(option, text_of(service[key])) for key, option in ONE.items() if service.get(key) is not None)  # fmt: skip
    for key, option in MANY.items():
        yield from (Option(option, _listed_text(each)) for each in listed(service.get(key)))
    for key, option in SWITCHES.items():
        if str(service.get(key)).lower() == "true":
            yield Option(option)
    yield from (Option("--volume", each) for each in map(_volume, listed(service.get("volumes"))) if each)
    yield from (Option("--publish", each) for each in map(_port, listed(service.get("ports"))) if each)
    yield from _networks(service)
    yield from _ulimits(service.get("ulimits"))
    yield from gpus_of_service(service)
    limits = _below(service, "deploy", "resources", "limits")
    yield from (
        Option(option, text_of(limits[key]))
        for key, option in (("memory", "--memory"), ("cpus", "--cpus"), ("pids", "--pids-limit"))
        if limits.get(key)
    )


def _listed_text(each: t.Any) -> str:
    if isinstance(each, dict):
        return text_of(each.get("source") or each.get("name") or next(iter(each.values()), ""))
    return text_of(each)


def _below(data: t.Any, *path: str) -> Data:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _volume(each: t.Any) -> str | None:
    if not isinstance(each, dict):
        return text_of(each)
    if each.get("type") == "tmpfs":
        return None
    source, target = text_of(each.get("source")), text_of(each.get("target"))
    if not source:
        return target
    return f"{source}:{target}" + (":ro" if each.get("read_only") else "")


def _port(each: t.Any) -> str:
    if not isinstance(each, dict):
        return text_of(each)
    parts = [text_of(each.get("host_ip")), text_of(each.get("published")), text_of(each.get("target"))]
    return ":".join(part for part in parts if part)


def _networks(service: Data) -> t.Iterator[Option]:
    named = service.get("networks")
    names = list(named) if isinstance(named, (dict, list)) else []
    yield from (Option("--network", text_of(name)) for name in names if name != "default")


def _ulimits(value: t.Any) -> t.Iterator[Option]:
    for name, limit in (value if isinstance(value, dict) else {}).items():
        text = f"{limit.get('soft')}:{limit.get('hard')}" if isinstance(limit, dict) else text_of(limit)
        yield Option("--ulimit", f"{name}={text}")


def gpus_of_service(service: Data) -> t.Iterator[Option]:
    """``gpus: all``, or devices under ``deploy`` or ``gpus`` with a count or IDs."""
    reserved = _below(service, "deploy", "resources", "reservations").get("devices")
    asked = service.get("gpus")
    if isinstance(asked, (str, int)):
        yield Option("--gpus", text_of(asked))
    for each in [*listed(reserved), *(asked if isinstance(asked, list) else [])]:
        device = each if isinstance(each, dict) else {}
        if device.get("driver") not in (None, "", "nvidia", "cdi"):
            continue
        capabilities = device.get("capabilities") or ["gpu"]
        if "gpu" not in str(capabilities) and device.get("driver") not in ("nvidia", "cdi"):
            continue
        identities = device.get("device_ids")
        names = ",".join(text_of(name) for name in listed(identities))
        if device.get("driver") == "cdi":
            yield from (Option("--device", text_of(name)) for name in listed(identities))
        else:
            yield Option("--gpus", f"device={names}" if names else text_of(device.get("count", "all")))
