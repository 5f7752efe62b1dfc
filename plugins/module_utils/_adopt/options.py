"""What becomes of each option of a container that is neither image, GPU, mount, port nor variable."""

from __future__ import annotations

import dataclasses
import math
import re
import typing as t

from .._quadlet.keys import KEYS as QUADLET
from .._quadlet.keys import key_problems
from .._quadlet.literal import literal
from .._settings.finding import Finding
from .fates import DROPPED, KEPT, KEYS, OF_THE_CALL, READ, SECURITY
from .found import Found, Option, dropped, lost, otherwise

_NOT_OURS = re.compile(
    r"com\.docker\.|io\.podman\.|io\.containers\.|PODMAN_SYSTEMD_UNIT|org\.opencontainers\.|io\.gpuops\."
)
_SIZE = re.compile(r"([\d.]+)\s*([bkmgt]?)(?:i?b)?", re.IGNORECASE)
_LIMITS = {"memlock": True, "stack": True, "nofile": False}  # whether it is a size


@dataclasses.dataclass
class Rest:
    """Keys of an instance that options say, and what is to be said about the others."""

    limits: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    security: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    container: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    findings: list[Finding] = dataclasses.field(default_factory=list)

    def add(self, key: str, value: t.Any) -> None:
        """One more value of a key of Quadlet."""
        if _is_many(key):
            kept = self.container.setdefault(key, [])
            kept += [] if value in kept else [value]
        else:
            self.container[key] = value

    def say(self, key: str, option: str, text: str) -> None:
        """What an option of a command line says, as a key of Quadlet, or in Podman's own words where a key cannot."""
        try:
            written = literal(key, text)
        except ValueError:
            self.in_podmans_words(f"{option}={text}")
            return
        self.put(key, written, f"{option} {text}")

    def put(self, key: str, value: t.Any, shown: str) -> None:
        """A value in Quadlet's own language, unless the key may not be one."""
        problems = key_problems({key: [value] if _is_many(key) else value})
        if problems:
            self.findings.append(lost(f"{shown}: {problems[0].message}", problems[0].fix, f"container.{key}"))
        else:
            self.add(key, value)

    def in_podmans_words(self, word: str) -> None:
        """One word of `podman run` as it stands."""
        try:
            self.add("PodmanArgs", literal("PodmanArgs", word))
        except ValueError as problem:
            self.findings.append(lost(f"{word[:80]!r}: {problem}", None, "container.PodmanArgs"))
            return
        self.findings.append(otherwise(f"{word} stays, in Podman's own words", "container.PodmanArgs"))


def rest_of(found: Found, devices: t.Sequence[str], tmpfs: t.Sequence[str]) -> Rest:
    """Everything that is left. ``devices`` are device files that are no GPU's."""
    rest = Rest()
    for option in found.options:
        if option.name not in READ and not _is_of_the_call(option.name):
            _one(option, rest)
    for device in devices:
        rest.in_podmans_words(f"--device={device}")
    for text in tmpfs:
        rest.say("Tmpfs", "--tmpfs", text)
    called = [each.name for each in found.options if _is_of_the_call(each.name)]
    if called:
        names = ", ".join(dict.fromkeys(called))
        rest.findings.append(
            dropped(
                f"{names}: systemd starts the server, at boot and after a failure, under the instance's name"
            )
        )
    return rest


def _is_of_the_call(name: str) -> bool:
    return name in OF_THE_CALL or re.fullmatch(r"-[ditqP]+", name) is not None


def _is_many(key: str) -> bool:
    """Whether Quadlet takes the key more than once."""
    return key in QUADLET and QUADLET[key].many


def _one(option: Option, rest: Rest) -> None:
    name, value = option.name, option.value or ""
    handler = _HANDLERS.get(name)
    if handler:
        handler(value, rest)
    elif name in DROPPED:
        why, fix = DROPPED[name]
        rest.findings.append(dropped(f"{option.text()}: {why}", fix))
    elif name.startswith("quadlet:"):
        _key(name.partition(":")[2], value, rest)
    elif name in KEYS:
        _said(KEYS[name], option, rest)
    elif name in KEPT or name.startswith(("--cpu", "--device-")):
        rest.in_podmans_words(f"{name}={value}" if value else name)
    elif name.startswith("--health"):
        rest.findings.append(dropped(f"{name}: {DROPPED['--health-cmd'][0]}"))
    else:
        rest.findings.append(
            lost(
                f"{option.text()}: not taken over, the inventory has no word for it",
                "see docs/inventory.md for what it has",
            )
        )


def _is_default(key: str, value: str) -> bool:
    """Whether it says only what a unit of ours says anyway."""
    return key in ("User", "UserNS") and value in ("", "root", "0", "0:0", "host")


def _said(key: str, option: Option, rest: Rest) -> None:
    """An option that a free key says, unless it says nothing."""
    value = option.value or ""
    if key == "Label" and _NOT_OURS.match(value):
        return
    if _is_default(key, value):
        return
    if QUADLET[key].boolean:
        _key(key, value or "true", rest)
    else:
        rest.say(key, option.name, value)


def _key(key: str, value: str, rest: Rest) -> None:
    """A free key of Quadlet in Quadlet's own language, unless it may not be one."""
    if _is_default(key, value):
        return
    known = QUADLET.get(key)
    typed: t.Any = value
    if value.lower() in ("true", "false") and known and known.boolean:
        typed = value.lower() == "true"
    rest.put(key, typed, f"{key}={value}")


def _capability(value: str, rest: Rest) -> None:
    name = value.upper().removeprefix("CAP_")
    if name in ("SYS_ADMIN", "ALL"):
        key = "sys_admin" if name == "SYS_ADMIN" else "all_capabilities"
        rest.findings.append(
            dropped(
                f"--cap-add {value}: it gives the container the host",
                f"security: {{{key}: true}} where nothing else helps",
            )
        )
        return
    rest.say("AddCapability", "--cap-add", name)


def _security(value: str, rest: Rest) -> None:
    kind = re.split(r"[=:]", value)[0]
    why, fix = SECURITY.get(
        kind, ("the inventory has no word for it", 'container: {PodmanArgs: "--security-opt …"}')
    )
    say = dropped if kind in SECURITY else lost
    rest.findings.append(say(f"--security-opt {value}: {why}", fix))


def _ulimit(value: str, rest: Rest) -> None:
    name, _equals, limit = value.partition("=")
    soft = limit.partition(":")[0]
    if name not in _LIMITS or not re.fullmatch(r"-?\d+", soft):
        if name == "core":
            rest.findings.append(dropped(f"--ulimit {value}: {DROPPED['--ulimit core'][0]}"))
            return
        rest.in_podmans_words(f"--ulimit={value}")
        return
    number = int(soft)
    if number > 0 or (_LIMITS[name] and number < 0):
        rest.limits[name] = ("unlimited" if number < 0 else size_text(soft)) if _LIMITS[name] else number


def _size(name: str) -> t.Callable[[str, Rest], None]:
    def read(value: str, rest: Rest) -> None:
        size = size_text(value)
        if size is None:
            rest.findings.append(lost(f"{value} is no size", f"limits: {{{name}: 16g}}", f"limits.{name}"))
        else:
            rest.limits[name] = size

    return read


def size_text(value: str) -> str | None:
    """``16gb``, ``10.24gb``, bytes: as limits take it."""
    match = _SIZE.fullmatch(value.strip())
    if match is None or match[1].count(".") > 1 or not match[1].strip("."):
        return None
    unit = match[2].lower().strip("b")
    number = float(match[1])
    if number <= 0:
        return None
    if number != int(number):
        steps = " kmgt"
        below = steps[steps.index(unit or " ") - 1] if unit else ""
        number, unit = math.ceil(number * 1024) if unit else math.ceil(number), below.strip()
    for larger in "kmgt"["kmgt".find(unit) + 1 if unit else 0 :]:  # 17179869184 is 16g
        if number % 1024:
            break
        number, unit = number / 1024, larger
    return f"{int(number)}{unit}"


def _pids(value: str, rest: Rest) -> None:
    if re.fullmatch(r"-?\d+", value):
        rest.limits["pids"] = max(int(value), -1)


def _read_only(_value: str, rest: Rest) -> None:
    rest.security["read_only"] = True


_HANDLERS: dict[str, t.Callable[[str, Rest], None]] = {
    "--cap-add": _capability,
    "--memory": _size("memory"),
    "--pids-limit": _pids,
    "--read-only": _read_only,
    "--security-opt": _security,
    "--shm-size": _size("shm"),
    "--ulimit": _ulimit,
}
