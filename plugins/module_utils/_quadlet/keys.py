"""Which keys of `[Container]` which Podman knows, and how the same is asked for where it does not know them.

One unknown key makes Quadlet drop the whole unit, up to 4.4 with exit code 0. The first versions are those of the tables
of supported keys in pkg/systemd/quadlet/quadlet.go of every Podman release; eight generators were run to check them.
"""

from __future__ import annotations

import dataclasses
import difflib
import typing as t

Version = tuple[int, int, int]

OLDEST: Version = (4, 4, 0)  # the first with Quadlet


@dataclasses.dataclass(frozen=True)
class Key:
    """A key: the Podman that brought it, the `podman run` option that does the same, whether it may stand more than once.

    An option may hold a `{}` where the value goes. ``owner`` is what to write in the inventory where the key is ours.
    """

    since: Version
    option: str | None = None
    many: bool = False
    boolean: bool = False
    owner: str | None = None


@dataclasses.dataclass(frozen=True)
class KeyProblem:
    """Why a key that was asked for cannot be written."""

    key: str
    message: str
    fix: str


# Keys that an instance says with keys of its own, so that the plan can check them: since, key, what to write instead.
_OURS = """
4.4 AddDevice             gpus, or security for other devices
4.4 ContainerName         the name of the instance
4.4 DropCapability        nothing: all are dropped but what security leaves, and AddCapability adds to that
4.4 Environment           env
4.4 Exec                  settings or argv
4.4 Image                 image
4.4 NoNewPrivileges       security, where each opt-out says what it gives away
4.4 Notify                gate
4.4 PublishPort           listen and port
4.4 ReadOnly              security: {read_only: true}
4.4 Volume                volumes
4.5 LogDriver             nothing: the gate reads the journal
4.5 Rootfs                image
4.5 Secret                secrets
4.5 SecurityLabelDisable  security, where each opt-out says what it gives away
4.6 AutoUpdate            image: another one is another release, gated
4.6 Pull                  image: it is on the host before anything starts
4.7 PidsLimit             limits
4.7 ShmSize               limits
4.7 Ulimit                limits
5.0 Entrypoint            settings or argv
5.0 Pod                   an instance of its own
5.0 StopTimeout           limits
5.3 ServiceName           the name of the instance
5.3 StartWithPod          an instance of its own
5.5 Memory                limits
5.5 ReloadCmd             nothing: vLLM cannot reload
5.5 ReloadSignal          nothing: vLLM cannot reload
5.5 Retry                 nothing: units never pull
5.5 RetryDelay            nothing: units never pull
5.8 AppArmor              security, where each opt-out says what it gives away
"""

# Keys that are free: since, how many values (or yes/no), key, option of `podman run` where the key is not known yet.
_FREE = """
4.4 many  AddCapability
4.4 many  Annotation
4.4 bool  EnvironmentHost
4.4 many  EnvironmentFile
4.4 many  ExposeHostPort
4.4 many  Label
4.4 many  Network
4.4 many  PodmanArgs
4.4 many  RemapGid
4.4 many  RemapUid
4.4 one   RemapUidSize
4.4 one   RemapUsers
4.4 bool  RunInit
4.4 one   SeccompProfile
4.4 one   Timezone
4.4 bool  VolatileTmp
4.5 one   HealthCmd              --health-cmd
4.5 one   HealthInterval         --health-interval
4.5 one   HealthOnFailure        --health-on-failure
4.5 one   HealthRetries          --health-retries
4.5 one   HealthStartPeriod      --health-start-period
4.5 one   HealthStartupCmd       --health-startup-cmd
4.5 one   HealthStartupInterval  --health-startup-interval
4.5 one   HealthStartupRetries   --health-startup-retries
4.5 one   HealthStartupSuccess   --health-startup-success
4.5 one   HealthStartupTimeout   --health-startup-timeout
4.5 one   HealthTimeout          --health-timeout
4.5 one   IP                     --ip
4.5 one   IP6                    --ip6
4.5 many  Mount                  --mount
4.5 one   SecurityLabelFileType  --security-opt label=filetype:{}
4.5 one   SecurityLabelLevel     --security-opt label=level:{}
4.5 one   SecurityLabelType      --security-opt label=type:{}
4.5 many  Tmpfs                  --tmpfs
4.5 one   UserNS                 --userns
4.6 one   HostName               --hostname
4.6 many  Mask                   --security-opt mask={}
4.6 bool  SecurityLabelNested    --security-opt label=nested
4.6 many  Sysctl                 --sysctl
4.6 many  Unmask                 --security-opt unmask={}
4.6 one   WorkingDir             --workdir
4.7 many  DNS                    --dns
4.7 many  DNSOption              --dns-option
4.7 many  DNSSearch              --dns-search
4.8 many  ContainersConfModule
4.8 many  GIDMap                 --gidmap
4.8 many  GlobalArgs
4.8 one   Group
4.8 bool  ReadOnlyTmpfs          --read-only-tmpfs={}
4.8 one   SubGIDMap              --subgidname
4.8 one   SubUIDMap              --subuidname
4.8 many  UIDMap                 --uidmap
4.8 one   User                   --user
5.1 many  GroupAdd               --group-add
5.2 many  LogOpt                 --log-opt
5.2 many  NetworkAlias           --network-alias
5.2 one   StopSignal             --stop-signal
5.3 many  AddHost                --add-host
5.3 one   CgroupsMode            --cgroups
5.3 one   HealthLogDestination
5.3 one   HealthMaxLogCount
5.3 one   HealthMaxLogSize
5.7 bool  HttpProxy              --http-proxy={}
"""  # User and Group are older, but before 4.8 took numbers only


def _read_table() -> dict[str, Key]:
    table = {}
    for line in _OURS.strip().splitlines():
        since, name, owner = line.split(None, 2)
        table[name] = Key(_since(since), owner=owner)
    for line in _FREE.strip().splitlines():
        since, kind, name, option = [*line.split(None, 3), ""][:4]
        table[name] = Key(_since(since), option or None, many=kind == "many", boolean=kind == "bool")
    return table


def _since(text: str) -> Version:
    major, minor = text.split(".")
    return int(major), int(minor), 0


KEYS: t.Mapping[str, Key] = _read_table()


def knows(version: Version, key: str) -> bool:
    """Whether a Podman of this version writes a unit that holds the key."""
    return version >= KEYS[key].since


def key_problems(keys: t.Mapping[str, t.Any], version: Version | None = None) -> list[KeyProblem]:
    """What is wrong with the further keys of an instance; without a version as far as that can be known."""
    problems = (_problem(key, given, version) for key, given in keys.items())
    return [problem for problem in problems if problem is not None]


def _problem(key: str, given: t.Any, version: Version | None) -> KeyProblem | None:
    known = KEYS.get(key)
    if known is None:
        nearest = difflib.get_close_matches(key, KEYS, 1, 0.6) or [
            name for name in KEYS if name.lower() == key.lower()
        ]
        fix = f"write {nearest[0]}" if nearest else "see podman-systemd.unit(5) for the keys of [Container]"
        return KeyProblem(
            key, f"Quadlet has no key {key!r} in [Container]; it would drop the whole unit", fix
        )
    if known.owner is not None:
        return KeyProblem(key, f"{key} is written by the collection itself", f"use {known.owner}")
    if version is not None and version < known.since and known.option is None:
        since, have = (".".join(str(part) for part in v[:2]) for v in (known.since, version))
        message = (
            f"{key} came with Podman {since}, this host has {have}, and no option of podman run does the same"
        )
        return KeyProblem(key, message, f"leave {key} out, or upgrade Podman on this host")
    return _value_problem(key, known, given)


def _value_problem(key: str, known: Key, given: t.Any) -> KeyProblem | None:
    values = given if isinstance(given, (list, tuple)) else [given]
    if isinstance(given, (list, tuple)) and not known.many:
        return KeyProblem(key, f"{key} takes one value, not a list", f"write {key} with its one value")
    if any(
        isinstance(item, bool) is not known.boolean or not isinstance(item, (str, int)) for item in values
    ):
        kind = (
            "true or false"
            if known.boolean
            else "text or a number" + (", or a list of those" if known.many else "")
        )
        return KeyProblem(key, f"{key} takes {kind}, not {given!r}", f"write {key} as {kind}")
    return _forbidden(key, [str(item) for item in values])


def _forbidden(key: str, values: list[str]) -> KeyProblem | None:
    for text in values:
        if not text.strip() or any(ord(char) < 32 or ord(char) == 127 for char in text):
            return KeyProblem(key, f"{key} is empty or holds a line break", "write it on one line")
        if key == "PodmanArgs" and "--privileged" in text:
            return KeyProblem(
                key,
                "no container of this collection is privileged",
                "use security, where each opt-out says what it gives away",
            )
        if key == "Label" and "io.gpuops." in text:
            return KeyProblem(
                key, "labels of io.gpuops.* tell the collection what is its own", "choose another name"
            )
        if key == "AddCapability" and {"sys_admin", "cap_sys_admin", "all"} & set(text.lower().split()):
            return KeyProblem(
                key,
                f"{text} gives the container the host",
                "use security, where each opt-out says what it gives away",
            )
    return None
