"""A container as `podman inspect` or `docker inspect` describes it, beside what its image says by itself."""

from __future__ import annotations

import typing as t

from .._plan.image import parse_reference
from .._settings.finding import Finding
from .._settings.version import parse_release
from .found import Found, Option, Tool, UnreadableError, otherwise
from .run_line import read_words

Data = t.Mapping[str, t.Any]

# What a container has without anybody having asked for it.
_OF_ITSELF = ("PATH", "HOME", "HOSTNAME", "TERM", "container")
# Of the command line that made it, what `inspect` tells less well, or in the words of the host.
_FROM_LINE = (
    "--device",
    "--gpus",
    "--runtime",
    "--security-opt",
    "--ulimit",
    "--secret",
    "--shm-size",
    "--memory",
)


def read_inspect(
    container: t.Any, image: t.Any, tool: Tool, host: str | None = None, version: str | None = None
) -> Found:
    """What runs in a container; ``image`` is the description of its image, {} where that is gone."""
    if not isinstance(container, dict) or not isinstance(container.get("Config"), dict):
        raise UnreadableError("this is no description of a container")
    config, host_config = container["Config"], _mapping(container.get("HostConfig"))
    own = _mapping(_mapping(image).get("Config"))
    name = str(container.get("Name") or "").lstrip("/") or None
    line = _line(config)
    reference, findings = _pinned(_image(container, config, _mapping(image)), image)
    return Found(
        source=f"container {name}" + (f" of {host}" if host else ""),
        tool=tool,
        image=reference,
        entrypoint=_entrypoint(config, own),
        command=_words(config.get("Cmd")),
        env=_environment(config, own),
        options=tuple(_options(container, host_config, line)),
        name=name,
        taken=(name,) if name else (),
        version=version,
        findings=tuple(findings),
    )


def _mapping(value: t.Any) -> Data:
    return value if isinstance(value, dict) else {}


def _words(value: t.Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(str(each) for each in value or ())


def _listed(value: t.Any) -> list[t.Any]:
    return value if isinstance(value, list) else []


def _entrypoint(config: Data, own: Data) -> tuple[str, ...] | None:
    """None where it is the image's own, which starts vLLM."""
    words = _words(config.get("Entrypoint"))
    return None if not words or words == _words(own.get("Entrypoint")) else words


def _environment(config: Data, own: Data) -> dict[str, str | None]:
    """What somebody set: without the image's own, and what the tool sets in each container."""
    of_image = set(_listed(own.get("Env")))
    pairs = [str(each).partition("=") for each in _listed(config.get("Env")) if each not in of_image]
    return {name: value for name, _equals, value in pairs if name not in _OF_ITSELF}


def _image(container: Data, config: Data, image: Data) -> str | None:
    """Its reference; where the tag may move, the digest under which the registry knows it."""
    reference = str(container.get("ImageName") or config.get("Image") or "")
    if not reference or reference.startswith("sha256:"):
        tags = _listed(image.get("RepoTags")) or _listed(image.get("RepoDigests"))
        reference = str(tags[0]) if tags else reference
    return reference or None


def _pinned(reference: str | None, image: t.Any) -> tuple[str | None, list[Finding]]:
    """Where the tag names no release it may move: the digest names what runs."""
    parts = parse_reference(reference or "")
    digest = digest_of(reference or "", image)
    if parts.digest or digest is None or parse_release(parts.tag or ""):
        return reference, []
    message = f"{reference} is named by its digest, for its tag may name another image by now"
    return digest, [otherwise(message, "image")]


def digest_of(reference: str, image: t.Any) -> str | None:
    """The reference by the digest of its registry, where the image has one."""
    name = parse_reference(reference).name
    if name.startswith("localhost/"):
        return None  # no registry knows it
    digests = [str(each) for each in _listed(_mapping(image).get("RepoDigests"))]
    same = [
        each
        for each in digests
        if each.partition("@")[0] == name or name.endswith("/" + each.partition("@")[0])
    ]
    return same[0] if same else None


def _line(config: Data) -> list[Option]:
    """The options of the command line that made it; Podman remembers it."""
    words = [str(each) for each in _listed(config.get("CreateCommand"))]
    try:
        return list(read_words(words, "it").options) if len(words) > 2 else []
    except (UnreadableError, IndexError):
        return []


def _options(container: Data, host: Data, line: t.Sequence[Option]) -> t.Iterator[Option]:
    yield from (each for each in line if each.name in _FROM_LINE)
    told = {each.name for each in line}
    yield from _mounts(container)
    yield from _ports(container, host)
    mode = str(host.get("NetworkMode") or "")
    names = _mapping(_mapping(container.get("NetworkSettings")).get("Networks"))
    chosen = [mode] if mode in ("host", "none") else [name for name in names if name not in ("bridge", "podman", "pasta", "slirp4netns")]  # fmt: skip
    yield from (Option("--network", name) for name in chosen)
    if not {"--device", "--gpus"} & told:
        yield from _gpus(host)
    yield from _limits(host, told)
    yield from _security(host, told)
    restart = str(_mapping(host.get("RestartPolicy")).get("Name") or "")
    yield from ([Option("--restart", restart)] if restart not in ("", "no") else [])
    yield from (Option("--add-host", str(each)) for each in _listed(host.get("ExtraHosts")))


def _mounts(container: Data) -> t.Iterator[Option]:
    for each in map(_mapping, _listed(container.get("Mounts"))):
        source, target = each.get("Source"), str(each.get("Destination") or "")
        if each.get("Type") == "tmpfs" or not source or not target:
            continue
        read_only = ":ro" if each.get("RW") is False else ""
        yield Option("--volume", f"{source}:{target}{read_only}")


def _ports(container: Data, host: Data) -> t.Iterator[Option]:
    bound = _mapping(host.get("PortBindings")) or _mapping(
        _mapping(container.get("NetworkSettings")).get("Ports")
    )
    for inside, places in bound.items():
        for place in map(_mapping, _listed(places)):
            address, outside = str(place.get("HostIp") or ""), str(place.get("HostPort") or "")
            shown = f"[{address}]" if ":" in address else address
            yield Option("--publish", ":".join(part for part in (shown, outside, str(inside)) if part))


def _gpus(host: Data) -> t.Iterator[Option]:
    for each in map(_mapping, _listed(host.get("DeviceRequests"))):
        names = [str(name) for name in _listed(each.get("DeviceIDs"))]
        if each.get("Driver") == "cdi":
            yield from (Option("--device", name) for name in names)
        elif names:
            yield Option("--gpus", "device=" + ",".join(names))
        else:
            count = each.get("Count")
            yield Option("--gpus", "all" if count in (None, -1) else str(count))
    for each in map(_mapping, _listed(host.get("Devices"))):
        yield Option("--device", str(each.get("PathOnHost") or ""))
    if str(host.get("Runtime") or "") == "nvidia":
        yield Option("--runtime", "nvidia")


def _limits(host: Data, told: t.Collection[str]) -> t.Iterator[Option]:
    numbers = (("ShmSize", "--shm-size"), ("Memory", "--memory"))
    for key, option in numbers:
        value = host.get(key)
        usual = key == "ShmSize" and value == 64 << 20  # what docker gives, podman about the same
        if value and option not in told and not usual and not (key == "ShmSize" and value == 65536000):
            yield Option(option, str(value))
    if str(host.get("IpcMode")) == "host":
        yield Option("--ipc", "host")
    if str(host.get("PidMode")) == "host":
        yield Option("--pid", "host")
    if "--ulimit" not in told:
        for each in map(_mapping, _listed(host.get("Ulimits"))):
            name = str(each.get("Name") or "").lower().replace("rlimit_", "")
            if name in ("memlock", "stack"):
                yield Option("--ulimit", f"{name}={each.get('Soft')}:{each.get('Hard')}")


def _security(host: Data, told: t.Collection[str]) -> t.Iterator[Option]:
    if host.get("Privileged") is True:
        yield Option("--privileged")
    if host.get("ReadonlyRootfs") is True:
        yield Option("--read-only")
    yield from (Option("--cap-add", str(each)) for each in _listed(host.get("CapAdd")))
    if "--security-opt" not in told:
        yield from (Option("--security-opt", str(each)) for each in _listed(host.get("SecurityOpt")))
