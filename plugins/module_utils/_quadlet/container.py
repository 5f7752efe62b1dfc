"""The unit of one server: what is asked of its container, written for the Podman of its host."""

from __future__ import annotations

import dataclasses
import typing as t

from . import escape, literal, names
from .keys import KEYS, OLDEST, Version, key_problems, knows
from .unit import Section, Unit, format_unit

Lines = list[tuple[str, str]]

REFRESH = "nvidia-cdi-refresh.service"  # writes the CDI spec before each start of a unit that wants it


@dataclasses.dataclass(frozen=True)
class ContainerUnit:
    """A container that systemd keeps running. Sizes and limits are texts as Podman takes them, times are seconds."""

    container_name: str
    image: str
    exec: tuple[str, ...]
    description: str = ""
    comment: str = ""
    entrypoint: str | None = "vllm"
    devices: tuple[str, ...] = ()  # CDI names: nvidia.com/gpu=0
    env: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    secrets: t.Mapping[str, str] = dataclasses.field(
        default_factory=dict
    )  # variable: name of a Podman secret
    volumes: tuple[str, ...] = ()  # source:target[:options]
    publish: tuple[str, ...] = ()  # address:port:port
    network: str | None = None
    labels: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    shm_size: str | None = None
    memory: str | None = None
    pids_limit: int | None = None
    ulimits: tuple[str, ...] = ()  # memlock=-1:-1
    user: str | None = None
    capabilities: tuple[str, ...] | None = None  # these and no others; None: what Podman gives by default
    no_new_privileges: bool = False
    # The root of the container; Podman puts a tmpfs on /tmp, /var/tmp, /run and /dev/shm.
    read_only: bool = False
    container: t.Mapping[str, t.Any] = dataclasses.field(
        default_factory=dict
    )  # further keys, as Quadlet takes them
    # What gives something away:
    raw_devices: tuple[str, ...] = ()  # /dev/nvidia0
    gpus: str | None = None  # podman run --gpus
    sys_admin: bool = False
    label_disable: bool = False
    apparmor_unconfined: bool = False
    # How systemd treats it:
    start_timeout: int = 300
    stop_timeout: int = 60
    restart: str = "on-failure"
    restart_delay: int = 10
    wanted_by: tuple[str, ...] = ("multi-user.target",)  # empty: not started at boot


def render_container(unit: ContainerUnit, podman_version: Version) -> str:
    """The text of the `.container` file for this Podman; ValueError says what cannot be written."""
    if podman_version < OLDEST:
        raise ValueError(f"Podman {_dotted(podman_version)} has no Quadlet; it came with {_dotted(OLDEST)}")
    container = _container_lines(unit, podman_version)
    _refuse_long_lines(container)
    sections = (
        Section("Unit", tuple(_unit_lines(unit))),
        Section("Container", tuple(container)),
        Section("Service", tuple(_service_lines(unit, "\n".join(text for _key, text in container)))),
        Section("Install", tuple(("WantedBy", target) for target in unit.wanted_by)),
    )
    return format_unit(Unit(tuple(section for section in sections if section.lines), unit.comment))


def _unit_lines(unit: ContainerUnit) -> Lines:
    before = ["network-online.target"]
    if unit.gpus or any(name.startswith("nvidia.com/") for name in unit.devices):
        before.append(REFRESH)
    lines = [("Description", escape.description(unit.description))] if unit.description else []
    lines += [(key, name) for name in before for key in ("Wants", "After")]
    # A GPU's driver may come late, and a start that a rollout asks for must not be refused: no limit, but a pause.
    return [*lines, ("StartLimitIntervalSec", "0")]


def _service_lines(unit: ContainerUnit, container: str) -> Lines:
    carried = escape.carriers_in(container).items()
    return [
        *(("Environment", escape.service_assignment(name, text)) for name, text in carried),
        ("Restart", unit.restart),
        ("RestartSec", str(unit.restart_delay)),
        ("TimeoutStartSec", str(unit.start_timeout)),
        (
            "TimeoutStopSec",
            str(unit.stop_timeout + 30),
        ),  # podman kills after its own time, systemd only after that
    ]


def _container_lines(unit: ContainerUnit, version: Version) -> Lines:
    lines: Lines = [
        ("ContainerName", names.name(unit.container_name, "a container")),
        ("Image", names.image(unit.image)),
    ]
    lines += _key("Pull", "never", version)
    lines += _entrypoint(unit, version)
    lines += [("Exec", escape.words(unit.exec))] if unit.exec else []
    lines += _devices(unit)
    lines += [("Environment", _assignment(name, text)) for name, text in sorted(unit.env.items())]
    lines += [
        line
        for variable, secret in sorted(unit.secrets.items())
        for line in _secret(variable, secret, version)
    ]
    lines += [("Volume", escape.value(volume)) for volume in unit.volumes]
    lines += [("Network", escape.value(unit.network))] if unit.network else []
    lines += [("PublishPort", escape.value(port)) for port in unit.publish]
    lines += _limits(unit, version)
    lines += _security(unit, version)
    lines += _key(
        "LogDriver", "journald", version
    )  # whatever containers.conf says: the gate reads the unit's journal
    lines += [("Label", escape.word(f"{name}={text}")) for name, text in sorted(unit.labels.items())]
    return lines + _further(unit, version)


def _entrypoint(unit: ContainerUnit, version: Version) -> Lines:
    return _key("Entrypoint", unit.entrypoint, version) if unit.entrypoint is not None else []


def _devices(unit: ContainerUnit) -> Lines:
    for device in (*unit.devices, *unit.raw_devices):
        if device.startswith("-"):
            raise ValueError(
                f"device {device!r}: Podman takes a leading '-' for 'only if it exists' and drops the GPU silently"
            )
    lines = [("AddDevice", escape.value(device)) for device in (*unit.devices, *unit.raw_devices)]
    return lines + ([("PodmanArgs", escape.words(["--gpus", unit.gpus]))] if unit.gpus else [])


def _secret(variable: str, secret: str, version: Version) -> Lines:
    target = f"{names.name(secret, 'a secret')},type=env,target={names.variable(variable)}"
    return [("Secret", target)] if knows(version, "Secret") else [("PodmanArgs", f"--secret {target}")]


def _limits(unit: ContainerUnit, version: Version) -> Lines:
    lines = [
        line
        for name, text in (
            ("ShmSize", unit.shm_size),
            ("Memory", unit.memory),
            ("PidsLimit", unit.pids_limit),
            ("StopTimeout", unit.stop_timeout),
        )
        if text is not None
        for line in _key(name, str(text), version)
    ]
    # Before 5.0 the last of several Ulimit= is the only one that counts.
    together = knows(version, "Ulimit") and (len(unit.ulimits) < 2 or version >= (5, 0, 0))
    for ulimit in unit.ulimits:
        lines += [("Ulimit", escape.value(ulimit))] if together else _option("--ulimit", ulimit)
    return lines


def _security(unit: ContainerUnit, version: Version) -> Lines:
    lines: Lines = [("User", escape.value(unit.user))] if unit.user and knows(version, "User") else []
    lines += _option("--user", unit.user) if unit.user and not lines else []
    lines += [("DropCapability", "all")] if unit.capabilities is not None else []
    lines += [("AddCapability", names.name(each, "a capability")) for each in unit.capabilities or ()]
    lines += [("AddCapability", "SYS_ADMIN")] if unit.sys_admin else []
    lines += [("NoNewPrivileges", "true")] if unit.no_new_privileges else []
    lines += [("ReadOnly", "true")] if unit.read_only else []
    if unit.label_disable:
        known = knows(version, "SecurityLabelDisable")
        lines += [("SecurityLabelDisable", "true")] if known else _option("--security-opt", "label=disable")
    if unit.apparmor_unconfined:
        known = knows(version, "AppArmor")
        lines += [("AppArmor", "unconfined")] if known else _option("--security-opt", "apparmor=unconfined")
    return lines


_OPTIONS = {
    "Pull": "--pull",
    "Entrypoint": "--entrypoint",
    "LogDriver": "--log-driver",
    "ShmSize": "--shm-size",
    "Memory": "--memory",
    "PidsLimit": "--pids-limit",
    "StopTimeout": "--stop-timeout",
}


def _key(name: str, text: str, version: Version) -> Lines:
    """A key of ours, or the option of `podman run` that does the same where this Podman does not know the key."""
    return [(name, escape.value(text))] if knows(version, name) else _option(_OPTIONS[name], text)


def _option(option: str, text: str) -> Lines:
    return [("PodmanArgs", f"{option} {escape.word(text)}")]


def _further(unit: ContainerUnit, version: Version) -> Lines:
    """The keys a user added. Their values are Quadlet's own language: `%` and `$` stay what they are there."""
    for problem in key_problems(unit.container, version):
        raise ValueError(f"container.{problem.key}: {problem.message}; {problem.fix}")
    for key, field in (("Network", unit.network), ("User", unit.user)):
        if key in unit.container and field is not None:
            raise ValueError(f"container.{key}: the instance already says {field!r}; write it once")
    lines: Lines = []
    for key, given in unit.container.items():
        values = given if isinstance(given, (list, tuple)) else [given]
        lines += [line for item in values for line in _further_lines(key, _text(item), version)]
    return lines


def _further_lines(key: str, text: str, version: Version) -> Lines:
    known = KEYS[key]
    if version >= known.since or known.option is None:
        return [(key, text)]
    if known.boolean and "{}" not in known.option:
        return [("PodmanArgs", known.option)]  # a switch: false is what Podman does anyway
    return [("PodmanArgs", _as_option(known.option, part)) for part in literal.parts(key, text)]


def _as_option(pattern: str, text: str) -> str:
    joined = pattern.format(text) if "{}" in pattern else f"{pattern} {text}"
    option, _space, rest = joined.partition(" ")
    return f"{option} {escape.quoted(rest)}" if rest else option


def _text(item: t.Any) -> str:
    return str(item).lower() if isinstance(item, bool) else str(item)


def _assignment(name: str, text: str) -> str:
    if "\r\n" in text:
        # Its command line keeps --env as CSV inside, which knows no such line end: measured with 5.4.2.
        raise ValueError(f"env.{name}: Podman would turn the line ends \\r\\n into \\n; write \\n alone")
    return escape.word(f"{names.variable(name)}={text}")


def _refuse_long_lines(lines: Lines) -> None:
    # The words of all lines end up on one line of the generated service, where Quadlet may write a space as "\\x20".
    size = sum(len(text.encode()) + 3 * text.count(" ") for _key, text in lines)
    if size > escape.MAX_LINE_BYTES:
        raise ValueError(f"the unit's command would be {size} bytes long; systemd reads lines of up to 1 MiB")


def _dotted(version: Version) -> str:
    return ".".join(str(part) for part in version)
