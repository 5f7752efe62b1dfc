"""Units of systemd that people wrote themselves: a `.container` file, or a `.service` that runs Podman or vLLM."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._quadlet.escape import split_words
from .._quadlet.keys import KEYS
from .._quadlet.unit import Section, parse_unit
from .found import Found, Option, UnreadableError, lost
from .interpolate import Interpolation, read_dotenv
from .run_line import Files, read_run_lines, read_words

# Keys that the inventory owns, and the option of `podman run` that says the same.
_OPTIONS = {
    "AddDevice": "--device",
    "DropCapability": "--cap-drop",
    "LogDriver": "--log-driver",
    "Memory": "--memory",
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
    "EnvironmentFile": "--env-file",
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


def read_unit(text: str, source: str, files: Files | None = None) -> list[Found]:
    """What a unit runs; UnreadableError where that is no container and no vLLM."""
    try:
        unit = parse_unit(text)
        container = unit.section("Container")
        if container.lines:
            return [_container(container, source, files or {}, _variables(unit.section("Service")))]
        return _service(unit.section("Service"), source, files or {})
    except UnreadableError:
        raise
    except ValueError as problem:
        raise UnreadableError(f"{source} is no unit: {problem}") from problem


def env_files_of(text: str) -> list[str]:
    """The names of the files that a unit takes its environment from."""
    try:
        unit = parse_unit(text)
    except ValueError:
        return []
    return [name.lstrip("-") for section in unit.sections for name in section.all("EnvironmentFile")]


def _container(section: Section, source: str, files: Files, variables: t.Mapping[str, str]) -> Found:
    values = Interpolation(variables)
    image, stem = section.last("Image"), _stem(source)
    options = list(_options(section))
    env: dict[str, str | None] = {}
    findings = [
        lost(f"{key}: the inventory has no word for this key of a unit")
        for key in dict(section.lines)
        if key not in {*_OPTIONS, *_SWITCHES, *_READ} and not _free(key)
    ]
    for file in env_files_of_section(section):
        env.update(read_dotenv(files.get(file, "")))
        findings += [] if file in files else [lost(f"EnvironmentFile {file} is not there, so its variables are not known")]  # fmt: skip
    pairs = [word.partition("=") for line in section.all("Environment") for word in split_words(line)]
    env.update({name: value if equals else None for name, equals, value in pairs})
    entrypoint = section.last("Entrypoint")
    name = _plain(section.last("ContainerName") or "") or None
    given = [
        "podman",
        "run",
        *(word for line in section.all("PodmanArgs") for word in split_words(line)),
        "image",
    ]
    further = read_words(given, source, files)
    return Found(
        source=source,
        tool="podman",
        image=_plain(image or "") or None,
        entrypoint=_entrypoint(entrypoint) or further.entrypoint,
        command=tuple(values.expand(word) for word in split_words(section.last("Exec") or "")),
        env={**env, **further.env},
        options=(*options, *further.options),
        name=name or stem,
        taken=tuple(each for each in (name, f"systemd-{stem}", stem) if each),
        unresolved=tuple(values.unresolved),
        findings=(*findings, *further.findings),
    )


def _variables(section: Section) -> dict[str, str]:
    """What systemd itself puts into the words of a unit."""
    words = (word.partition("=") for line in section.all("Environment") for word in split_words(line))
    return {name: value for name, equals, value in words if equals}


def env_files_of_section(section: Section) -> list[str]:
    """The same of one section."""
    return [name.lstrip("-") for name in section.all("EnvironmentFile")]


def _plain(text: str) -> str:
    return text.replace("%%", "%").replace("$$", "$").strip("\"'")


def _entrypoint(text: str | None) -> tuple[str, ...] | None:
    if not text:
        return None
    if text.startswith("["):
        return tuple(re.findall(r'"([^"]*)"', text)) or None
    return tuple(split_words(text)) or None


def _free(key: str) -> bool:
    known = KEYS.get(key)
    return known is not None and known.owner is None


def _options(section: Section) -> t.Iterator[Option]:
    for key in dict(section.lines):
        values = section.all(key)
        if key in _SWITCHES:
            if values and values[-1].lower() in ("true", "yes", "1", "on"):
                name, _space, value = _SWITCHES[key].partition(" ")
                yield Option(name, value or None)
        elif key == "EnvironmentFile":
            continue
        elif key in _OPTIONS:
            yield from (_option(_OPTIONS[key], text) for line in values for text in _texts(key, line))
        elif _free(key) and key not in _READ:
            yield from (Option(f"quadlet:{key}", line) for line in values)


def _texts(key: str, line: str) -> list[str]:
    return split_words(line) if key in _WORDS else [_plain(line)]


def _option(option: str, text: str) -> Option:
    name, _space, prefix = option.partition(" ")
    return Option(name, prefix + text)


def _stem(source: str) -> str:
    return re.sub(r"\.(container|service)$", "", source.rpartition("/")[2])


def _service(section: Section, source: str, files: Files) -> list[Found]:
    line = section.last("ExecStart")
    if not line:
        raise UnreadableError(
            f"{source}: the unit has neither a [Container] nor an ExecStart, so it starts nothing"
        )
    env = _variables(section)
    for file in env_files_of_section(section):
        env.update(read_dotenv(files.get(file, "")))
    words = split_words(line.lstrip("-@:+!"))
    text = " ".join(_quoted(word) for word in words)
    found = read_run_lines(text, source, env, files)
    return [_with(each, source, env) for each in found]


def _with(found: Found, source: str, env: t.Mapping[str, str]) -> Found:
    """A bare process has the unit's variables; a container does not get them."""
    inner = {**env, **found.env} if found.tool == "none" else found.env
    return dataclasses.replace(found, source=source, env=inner, name=found.name or _stem(source))


def _quoted(word: str) -> str:
    """For the reader of scripts, which then puts variables in as systemd would."""
    if re.fullmatch(r"\$\{?\w+\}?", word) or not re.search(r"[\s'\"\\;&|<>()#`]", word):
        return word or "''"
    return "'" + word.replace("'", "'\\''") + "'"
