"""The services of a compose file. What a service says becomes the options that `podman run` has for it."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.finding import Finding
from .compose_options import MANY, ONE, SWITCHES, gpus_of_service, listed, options_of, text_of
from .extends import extended
from .files import Files, no_files, read_env_files
from .found import Found, UnreadableError, dropped, lost
from .interpolate import Interpolation
from .shell import read_script

Data = t.Mapping[str, t.Any]

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
    names = [only] if only is not None else _serving(services)
    if not names:
        raise UnreadableError(
            f"{source}: no service looks like vLLM among {', '.join(sorted(services))}; choose one with vllm_adopt_service"
        )
    found = [_service(name, services[name], source, dict(variables or {}), files) for name in names]
    left = [name for name in services if _is_vllm(name, services[name]) and name not in names]
    if only is None and left:
        message = f"{', '.join(left)}: no GPU is asked for and no command of vLLM given, so it is left out"
        said = dropped(message, "-e vllm_adopt_service=… takes one service over")
        found[0] = dataclasses.replace(found[0], findings=(*found[0].findings, said))
    return found


def _serving(services: t.Mapping[str, Data]) -> list[str]:
    """Those that look like vLLM; of several of them those that ask for a GPU, or say what they start."""
    likely = [name for name, service in services.items() if _is_vllm(name, service)]
    starts = [name for name in likely if _starts_vllm(services[name])]
    return starts or likely


def _starts_vllm(service: Data) -> bool:
    words = str((service.get("command"), service.get("entrypoint"), service.get("image"))).lower()
    asks = [*gpus_of_service(service), service.get("runtime"), service.get("devices")]
    return any(asks) or "vllm-openai" in words or "vllm serve" in words or "--model" in words


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
    container = text_of(service.get("container_name")) or None
    return Found(
        source=f"{source}: service {name}",
        tool="docker",
        image=text_of(service.get("image")) or None,
        entrypoint=_command(service.get("entrypoint")) or None,
        command=_command(service.get("command")) or (),
        env=env,
        options=tuple(options_of(service)),
        name=container or name,
        taken=(container,) if container else (),
        unresolved=tuple(values.unresolved),
        findings=tuple(findings),
    )


def _unknown_keys(service: Data) -> t.Iterator[Finding]:
    known = {*ONE, *MANY, *SWITCHES, *_READ, *_ELSEWHERE, *_NOTHING}
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
        return tuple(text_of(each) for each in value)
    commands = read_script(text_of(value).replace("\n", " "), {}).commands
    return tuple(word for words in commands for word in words)


def _environment(value: t.Any, variables: t.Mapping[str, str]) -> dict[str, str | None]:
    """A mapping, or a list of NAME=value; a name alone takes the value that compose itself was given."""
    if isinstance(value, dict):
        pairs = [(str(name), None if text is None else text_of(text)) for name, text in value.items()]
    else:
        split = [text_of(each).partition("=") for each in listed(value)]
        pairs = [(name, text if equals else None) for name, equals, text in split]
    return {name: variables.get(name) if text is None else text for name, text in pairs}
