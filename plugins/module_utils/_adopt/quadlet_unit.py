"""Units of systemd that people wrote themselves: a `.container` file, or a `.service` that runs Podman or vLLM."""

from __future__ import annotations

import dataclasses
import re
import shlex
import typing as t

from .._quadlet.keys import KEYS
from .._quadlet.unit import Section, parse_unit
from .._settings.finding import Finding
from .files import Files, no_files, read_env_files
from .found import Found, Option, UnreadableError, lost
from .run_line import read_words
from .script import read_run_lines
from .systemd_words import Manager

# Keys that the inventory owns, and the option of `podman run` that says the same.
_OPTIONS = {
    "AddDevice": "--device",
    "DropCapability": "--cap-drop",
    "LogDriver": "--log-driver",
    "Memory": "--memory",
    "Mount": "--mount",
    "PidsLimit": "--pids-limit",
    "PublishPort": "--publish",
    "Pull": "--pull",
    "ShmSize": "--shm-size",
    "StopTimeout": "--stop-timeout",
    "Ulimit": "--ulimit",
    "Volume": "--volume",
    "Secret": "--secret",
    "Pod": "--pod",
    "AutoUpdate": "--autoupdate",
    "Notify": "--sdnotify",
    "AppArmor": "--security-opt apparmor=",
    # free keys that have an option in every Podman
    "AddCapability": "--cap-add",
    "Annotation": "--annotation",
    "Label": "--label",
    "Network": "--network",
    "HealthCmd": "--health-cmd",
    "User": "--user",
    "Timezone": "--tz",
    "SeccompProfile": "--security-opt seccomp=",
    "ExposeHostPort": "--expose",
}
_SWITCHES = {
    "ReadOnly": "--read-only",
    "RunInit": "--init",
    "SecurityLabelDisable": "--security-opt label=disable",
    "NoNewPrivileges": "--security-opt no-new-privileges",
    "VolatileTmp": "--tmpfs /tmp",
}
_READ = (
    "ContainerName",
    "Image",
    "Exec",
    "Entrypoint",
    "Environment",
    "PodmanArgs",
    "EnvironmentFile",
    "GlobalArgs",
)
_WORDS = ("Label", "Annotation", "Sysctl", "AddCapability", "DropCapability", "Secret")  # several on one line


def read_unit(
    text: str, source: str, files: Files = no_files, variables: t.Mapping[str, str] | None = None
) -> list[Found]:
    """What a unit runs; UnreadableError where that is no container and no vLLM. ``variables`` may know HOME."""
    try:
        unit = parse_unit(text)
        service = unit.section("Service")
        manager = Manager(_stem(source), {}, (variables or {}).get("HOME"))
        manager.variables, findings = _variables(service, manager, files)
        container = unit.section("Container")
        read = _container if container.lines else _service
        found = read(container if container.lines else service, source, files, manager)
    except UnreadableError:
        raise
    except ValueError as problem:
        raise UnreadableError(f"{source} is no unit: {_why(problem)}") from problem
    unresolved = tuple(manager.unresolved)
    return [
        dataclasses.replace(
            each, unresolved=(*each.unresolved, *unresolved), findings=(*findings, *each.findings)
        )
        for each in found
    ]


def _why(problem: ValueError) -> str:
    """With the beginning of the line alone, which may hold a secret."""
    reason, _quote, line = re.sub("['\"]", "'", str(problem)).partition("'")
    begins = re.split(r"[^\w.-]", line)[0][:30]
    return f"{reason}{begins!r}" if begins else reason.rstrip()


def _variables(section: Section, manager: Manager, files: Files) -> tuple[dict[str, str], list[Finding]]:
    """What systemd itself puts into the words of a unit."""
    pairs = (
        word.partition("=") for line in section.all("Environment") for word in _assignments(line, manager)
    )
    own = {name: value for name, equals, value in pairs if equals}
    of_files, findings = read_env_files(_env_files(section, manager), "EnvironmentFile", files)
    return {**own, **of_files}, findings


def _assignments(line: str, manager: Manager) -> list[str]:
    """Words of `Environment=`, where a dollar means nothing to systemd."""
    return manager.words(line.replace("$", "$$"))


def _env_files(section: Section, manager: Manager) -> list[str]:
    return [manager.text(name.removeprefix("-")) for name in section.all("EnvironmentFile")]


def _container(section: Section, source: str, files: Files, manager: Manager) -> list[Found]:
    image, stem = section.last("Image"), _stem(source)
    options = list(_options(section, manager))
    unknown = [
        lost(f"{key}: the inventory has no word for this key of a unit")
        for key in dict(section.lines)
        if key not in {*_OPTIONS, *_SWITCHES, *_READ} and not _free(key)
    ]
    of_files, missing = read_env_files(_env_files(section, manager), "EnvironmentFile", files)
    env: dict[str, str | None] = {**of_files}
    pairs = [word.partition("=") for line in section.all("Environment") for word in manager.words(line)]
    env.update({name: value if equals else None for name, equals, value in pairs})
    name = _plain(section.last("ContainerName") or "", manager) or None
    args = [word for line in section.all("PodmanArgs") for word in manager.words(line)]
    further = read_words(["podman", "run", *args, "image"], source, files)
    found = Found(
        source=source,
        tool="podman",
        image=_plain(image or "", manager) or None,
        entrypoint=_entrypoint(section.last("Entrypoint"), manager) or further.entrypoint,
        command=tuple(manager.words(section.last("Exec") or "")),
        env={**env, **further.env},
        options=(*options, *further.options),
        name=name or stem,
        taken=tuple(each for each in (name, f"systemd-{stem}", stem) if each),
        findings=(*unknown, *missing, *further.findings),
    )
    return [found]


def _plain(text: str, manager: Manager) -> str:
    return manager.text(text).strip("\"'")


def _entrypoint(text: str | None, manager: Manager) -> tuple[str, ...] | None:
    if not text:
        return None
    if text.startswith("["):
        return tuple(re.findall(r'"([^"]*)"', manager.text(text))) or None
    return tuple(manager.words(text)) or None


def _free(key: str) -> bool:
    known = KEYS.get(key)
    return known is not None and known.owner is None


def _options(section: Section, manager: Manager) -> t.Iterator[Option]:
    for key in dict(section.lines):
        values = section.all(key)
        if key in _SWITCHES:
            if values and values[-1].lower() in ("true", "yes", "1", "on"):
                name, _space, value = _SWITCHES[key].partition(" ")
                yield Option(name, value or None)
        elif key in _OPTIONS:
            texts = (text for line in values for text in _texts(key, line, manager))
            yield from (_option(_OPTIONS[key], text) for text in texts)
        elif _free(key) and key not in _READ:
            yield from (Option(f"quadlet:{key}", manager.in_quadlets_words(line)) for line in values)


def _texts(key: str, line: str, manager: Manager) -> list[str]:
    return manager.words(line) if key in _WORDS else [_plain(line, manager)]


def _option(option: str, text: str) -> Option:
    name, _space, prefix = option.partition(" ")
    return Option(name, prefix + text)


def _stem(source: str) -> str:
    return re.sub(r"\.(container|service)$", "", source.rpartition("/")[2])


def _service(section: Section, source: str, files: Files, manager: Manager) -> list[Found]:
    line = section.last("ExecStart")
    if not line:
        raise UnreadableError(
            f"{source}: the unit has neither a [Container] nor an ExecStart, so it starts nothing"
        )
    words = manager.words(line.lstrip("-@:+!"))
    try:
        found = read_run_lines(shlex.join(words), source, {}, files)
    except UnreadableError as problem:
        raise UnreadableError(f"{problem}{_of_script(words)}") from problem
    return [_with(each, source, manager.variables) for each in found]


def _of_script(words: t.Sequence[str]) -> str:
    """What to take over instead, where a unit starts a script."""
    named = re.findall(r"[\w./~-]+\.(?:ba)?sh\b", " ".join(words))
    named += [word for word in words if word.startswith(("/usr/local/", "/opt/", "/home/", "/srv/"))]
    return f"; take {named[0]} over, if that starts the server" if named else ""


def _with(found: Found, source: str, env: t.Mapping[str, str]) -> Found:
    """A bare process has the unit's variables; a container does not get them."""
    inner = {**env, **found.env} if found.tool == "none" else found.env
    return dataclasses.replace(found, source=source, env=inner, name=found.name or _stem(source))
