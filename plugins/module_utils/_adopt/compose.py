"""The services of a compose file. What a service says becomes the options that `podman run` has for it."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding
from .extends import extended
from .files import Files, no_files, read_env_files
from .found import Found, Option, UnreadableError, dropped, lost
from .interpolate import Interpolation
from .shell import read_script

Data = t.Mapping[str, t.Any]

# Keys whose one value is an option's, as it stands.
_ONE = {
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
_MANY = {
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
_SWITCHES = {"privileged": "--privileged", "read_only": "--read-only", "init": "--init"}
_READ = ("image", "command", "entrypoint", "environment", "env_file", "container_name", "volumes", "ports")
_ELSEWHERE = ("deploy", "gpus", "ulimits", "networks", "build", "healthcheck", "logging")
_NOTHING = {
    "build": "an image that is built is brought to the hosts as an archive (vllm_image_archives) or through a registry",
    "depends_on": "the server does not wait for other services; vLLM starts without them",
    "healthcheck": "the gate asks the server for tokens, and systemd watches its process",
    "logging": "logs go to the journal of the host",
    "profiles": "hosts and groups of the inventory say where a server runs",
    "scale": "each server is an instance of its own",
    "stdin_open": "no terminal is attached to a service",
    "tty": "no terminal is attached to a service",
    "develop": "it is for development only",
    "attach": "logs go to the journal of the host",
}


def services_of(document: t.Any, source: str) -> dict[str, Data]:
    """The services by name; UnreadableError where there are none."""
    services = document.get("services") if isinstance(document, dict) else None
    if not isinstance(services, dict) or not services:
        raise UnreadableError(f"{source}: there are no services in it, so it is no compose file")
    wrong = next((name for name, each in services.items() if not isinstance(each, dict)), None)
    if wrong is not None:
        raise UnreadableError(f"{source}: the service {wrong} is not a mapping")
    return {str(name): extended(each, services) for name, each in services.items()}


def _env_files(service: Data) -> list[str]:
    named = service.get("env_file") or []
    named = named if isinstance(named, list) else [named]
    return [str(each.get("path") if isinstance(each, dict) else each) for each in named]


def read_compose(
    document: t.Any,
    source: str,
    variables: t.Mapping[str, str] | None = None,
    files: Files = no_files,
    only: str | None = None,
) -> list[Found]:
    """The services that serve a model. ``variables`` are those of ``.env``."""
    services = services_of(document, source)
    if only is not None and only not in services:
        raise UnreadableError(f"{source}: there is no service {only}; it has {', '.join(sorted(services))}")
    names = [only] if only is not None else [each for each in services if _is_vllm(each, services[each])]
    if not names:
        raise UnreadableError(
            f"{source}: no service looks like vLLM among {', '.join(sorted(services))}; choose one with vllm_adopt_service"
        )
    return [_service(name, services[name], source, dict(variables or {}), files) for name in names]


def _is_vllm(name: str, service: Data) -> bool:
    told = [service.get(key) for key in ("image", "command", "entrypoint", "build")]
    told += [] if service.get("image") else [name, service.get("container_name")]  # built beside the file
    return "vllm" in str(told).lower()


def _service(name: str, raw: Data, source: str, variables: t.Mapping[str, str], files: Files) -> Found:
    values = Interpolation(variables, doubled=True)
    service = values.deep(dict(raw))
    of_files, missing = read_env_files(_env_files(service), "env_file", files)
    findings = [*_unknown_keys(service), *missing]
    env: dict[str, str | None] = {**of_files}
    env.update(_environment(service.get("environment"), variables))
    container = _text(service.get("container_name")) or None
    return Found(
        source=f"{source}: service {name}",
        tool="docker",
        image=_text(service.get("image")) or None,
        entrypoint=_command(service.get("entrypoint")) or None,
        command=_command(service.get("command")) or (),
        env=env,
        options=tuple(_options(service)),
        name=container or name,
        taken=(container,) if container else (),
        unresolved=tuple(values.unresolved),
        findings=tuple(findings),
    )


def _unknown_keys(service: Data) -> t.Iterator[Finding]:
    known = {*_ONE, *_MANY, *_SWITCHES, *_READ, *_ELSEWHERE, *_NOTHING}
    for key in service:
        if key in _NOTHING:
            yield dropped(f"{key}: {_NOTHING[key]}")
        elif key not in known and not str(key).startswith("x-"):
            yield lost(f"{key} of the service is not taken over: the inventory has no word for it")


def _command(value: t.Any) -> tuple[str, ...] | None:
    """A list as it stands; a text as compose splits it, without a shell."""
    if value is None:
        return None
    if isinstance(value, list):
        return tuple(_text(each) for each in value)
    commands = read_script(_text(value).replace("\n", " "), {}).commands
    return tuple(word for words in commands for word in words)


def _environment(value: t.Any, variables: t.Mapping[str, str]) -> dict[str, str | None]:
    """A mapping, or a list of NAME=value; a name alone takes the value that compose itself was given."""
    if isinstance(value, dict):
        pairs = [(str(name), None if text is None else _text(text)) for name, text in value.items()]
    else:
        split = [_text(each).partition("=") for each in _listed(value)]
        pairs = [(name, text if equals else None) for name, equals, text in split]
    return {name: variables.get(name) if text is None else text for name, text in pairs}


def _text(value: t.Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _listed(value: t.Any) -> list[t.Any]:
    """A list; a mapping as NAME=value."""
    if isinstance(value, dict):
        return [f"{name}={_text(each)}" for name, each in value.items()]
    return [] if value is None else value if isinstance(value, list) else [value]


def _options(service: Data) -> t.Iterator[Option]:
    yield from (Option(option, _text(service[key])) for key, option in _ONE.items() if service.get(key) is not None)  # fmt: skip
    for key, option in _MANY.items():
        yield from (Option(option, _listed_text(each)) for each in _listed(service.get(key)))
    for key, option in _SWITCHES.items():
        if str(service.get(key)).lower() == "true":
            yield Option(option)
    yield from (Option("--volume", each) for each in map(_volume, _listed(service.get("volumes"))) if each)
    yield from (Option("--publish", each) for each in map(_port, _listed(service.get("ports"))) if each)
    yield from _networks(service)
    yield from _ulimits(service.get("ulimits"))
    yield from _gpus(service)
    limits = _below(service, "deploy", "resources", "limits")
    yield from (
        Option(option, _text(limits[key]))
        for key, option in (("memory", "--memory"), ("cpus", "--cpus"), ("pids", "--pids-limit"))
        if limits.get(key)
    )


def _listed_text(each: t.Any) -> str:
    if isinstance(each, dict):
        return _text(each.get("source") or each.get("name") or next(iter(each.values()), ""))
    return _text(each)


def _below(data: t.Any, *path: str) -> Data:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _volume(each: t.Any) -> str | None:
    if not isinstance(each, dict):
        return _text(each)
    if each.get("type") == "tmpfs":
        return None
    source, target = _text(each.get("source")), _text(each.get("target"))
    if not source:
        return target
    return f"{source}:{target}" + (":ro" if each.get("read_only") else "")


def _port(each: t.Any) -> str:
    if not isinstance(each, dict):
        return _text(each)
    parts = [_text(each.get("host_ip")), _text(each.get("published")), _text(each.get("target"))]
    return ":".join(part for part in parts if part)


def _networks(service: Data) -> t.Iterator[Option]:
    named = service.get("networks")
    names = list(named) if isinstance(named, (dict, list)) else []
    yield from (Option("--network", _text(name)) for name in names if name != "default")


def _ulimits(value: t.Any) -> t.Iterator[Option]:
    for name, limit in (value if isinstance(value, dict) else {}).items():
        text = f"{limit.get('soft')}:{limit.get('hard')}" if isinstance(limit, dict) else _text(limit)
        yield Option("--ulimit", f"{name}={text}")


def _gpus(service: Data) -> t.Iterator[Option]:
    """``gpus: all``, or devices under ``deploy`` or ``gpus`` with a count or IDs."""
    reserved = _below(service, "deploy", "resources", "reservations").get("devices")
    asked = service.get("gpus")
    if isinstance(asked, (str, int)):
        yield Option("--gpus", _text(asked))
    for each in [*_listed(reserved), *(asked if isinstance(asked, list) else [])]:
        device = each if isinstance(each, dict) else {}
        capabilities = device.get("capabilities") or ["gpu"]
        if "gpu" not in str(capabilities) and device.get("driver") not in ("nvidia", "cdi"):
            continue
        identities = device.get("device_ids")
        names = ",".join(_text(name) for name in _listed(identities))
        if device.get("driver") == "cdi":
            yield from (Option("--device", _text(name)) for name in _listed(identities))
        else:
            yield Option("--gpus", f"device={names}" if names else _text(device.get("count", "all")))
