"""Where images come from: what ``vllm_registries`` and ``vllm_image_archives`` say, and the file that tells Podman."""

from __future__ import annotations

import dataclasses
import json
import typing as t

from .._settings.finding import Finding
from .image import parse_reference
from .words import kind_of, nearest

REGISTRIES = "vllm_registries"
ARCHIVES = "vllm_image_archives"
CONF = "/etc/containers/registries.conf.d/50-vllm-fleet.conf"
MARK = "# Written by gpuops.vllm_fleet"
_KEYS = ("username", "password", "podman_secret", "auth_file", "insecure", "mirrors")
_ARCHIVE_KEYS = ("path", "on")
_EXAMPLES = {
    REGISTRIES: "{registry.example.com: {username: puller, password: registry}}",
    ARCHIVES: "{docker.io/vllm/vllm-openai:v0.26.0: /srv/images/vllm-v0.26.0.tar}",
}


@dataclasses.dataclass(frozen=True)
class Registry:
    """A registry, or a part of one; ``password`` is a key of ``vllm_secrets``."""

    location: str
    username: str | None = None
    password: str | None = None
    podman_secret: str | None = None
    auth_file: str | None = None
    insecure: bool = False
    mirrors: tuple[str, ...] = ()

    def holds(self, name: str) -> bool:
        """Whether images of that name are in it."""
        return name == self.location or name.startswith(self.location + "/")


@dataclasses.dataclass(frozen=True)
class Archive:
    """A file that holds an image, on the control node or on the host."""

    path: str
    on_host: bool = False


@dataclasses.dataclass(frozen=True)
class Source:
    """One place an image may come from, in the order in which Podman tries them."""

    location: str
    insecure: bool


def registry_of(name: str, registries: t.Iterable[Registry]) -> Registry | None:
    """The entry that fits a name best: the longest, as Podman takes it."""
    fitting = [each for each in registries if each.holds(name)]
    return max(fitting, key=lambda each: len(each.location), default=None)


def sources_of(image: str, registries: t.Sequence[Registry]) -> list[Source]:
    """The mirrors of an image and then its own registry, each as a full name."""
    name = parse_reference(image).name
    own = registry_of(name, registries)
    if own is None:
        return [Source(name, False)]
    rest = name[len(own.location) :]
    mirrors = [Source(mirror + rest, _insecure(mirror, registries)) for mirror in own.mirrors]
    return [*mirrors, Source(name, own.insecure)]


def logins_of(image: str, registries: t.Sequence[Registry]) -> list[Registry]:
    """The entries whose logins a pull of this image may need."""
    found = [registry_of(source.location, registries) for source in sources_of(image, registries)]
    wanted = [each for each in found if each and (each.username or each.auth_file)]
    return list({each.location: each for each in wanted}.values())


def registries_conf(registries: t.Sequence[Registry]) -> str | None:
    """The drop-in for Podman; None where Podman needs none."""
    entries = [_entry(each, registries) for each in registries if each.insecure or each.mirrors]
    if not entries:
        return None
    return f"{MARK}. Changes belong into {REGISTRIES} of the inventory.\n" + "".join(entries)


def _entry(registry: Registry, registries: t.Sequence[Registry]) -> str:
    lines = ["", "[[registry]]", f"location = {json.dumps(registry.location)}"]
    lines += ["insecure = true"] if registry.insecure else []
    for mirror in registry.mirrors:
        lines += ["", "[[registry.mirror]]", f"location = {json.dumps(mirror)}"]
        lines += ["insecure = true"] if _insecure(mirror, registries) else []
    return "\n".join(lines) + "\n"


def _insecure(location: str, registries: t.Iterable[Registry]) -> bool:
    registry = registry_of(location, registries)
    return registry is not None and registry.insecure


def read_registries(
    value: t.Any, secret_keys: t.Collection[str] | None = None
) -> tuple[list[Registry], list[Finding]]:
    """The registries, and what is wrong with how they are written."""
    if value is None:
        return [], []
    if not isinstance(value, dict):
        return [], [_wrong(REGISTRIES, f"must be a mapping by registry, not {kind_of(value)}", value)]
    registries, findings = [], []
    for location, given in value.items():
        wrong = _registry_problems(str(location), given or {}, secret_keys)
        findings += wrong
        if not wrong:
            told = {**(given or {}), "mirrors": tuple((given or {}).get("mirrors") or ())}
            registries.append(Registry(str(location), **told))
    return registries, findings


def _registry_problems(location: str, given: t.Any, secret_keys: t.Collection[str] | None) -> list[Finding]:
    place = f"{REGISTRIES}.{location}"
    if "://" in location or location.endswith("/"):
        bare = location.rpartition("://")[2].rstrip("/")
        return [_wrong(place, "is a registry as images name it, without scheme and slash", location, bare)]
    if not isinstance(given, dict):
        return [_wrong(place, f"must be a mapping of {', '.join(_KEYS)}, not {kind_of(given)}", given)]
    unknown = [_unknown(place, str(key), _KEYS) for key in given if key not in _KEYS]
    return unknown or [*_types(place, given), *_login(place, given, secret_keys)]


def _types(place: str, given: t.Mapping[str, t.Any]) -> list[Finding]:
    findings = []
    for key, value in given.items():
        if key == "insecure":
            fits, wanted = isinstance(value, bool), "true or false"
        elif key == "mirrors":
            fits = isinstance(value, list) and all(isinstance(each, str) and each for each in value)
            wanted = "a list of locations"
        else:
            fits, wanted = isinstance(value, str) and bool(value), "a text"
        if not fits:
            findings.append(_wrong(f"{place}.{key}", f"must be {wanted}, not {kind_of(value)}", value))
    return findings


def _login(place: str, given: t.Mapping[str, t.Any], secret_keys: t.Collection[str] | None) -> list[Finding]:
    ways = [key for key in ("password", "podman_secret") if given.get(key)]
    if given.get("auth_file") and (ways or given.get("username")):
        return [_wrong(place, "has both auth_file and another login", None, "keep one of them")]
    if bool(given.get("username")) != bool(ways) or len(ways) > 1:
        message = "needs username and one of password (a key of vllm_secrets) and podman_secret, or neither"
        return [_wrong(place, message, None, "{username: puller, password: registry}")]
    key = given.get("password")
    if not isinstance(key, str) or secret_keys is None or key in secret_keys:
        return []
    guess = nearest(key, secret_keys)
    there = f"it has {', '.join(sorted(secret_keys))}" if secret_keys else "which is empty or not set"
    fix = f"password: {guess}" if guess else f"vllm_secrets: {{{key}: …}}"
    message = f"vllm_secrets has no key {key}; {there}"
    return [
        Finding(
            "error",
            "plan",
            "unknown_secret",
            message,
            fix,
            setting=REGISTRIES,
            value=key,
            origin=f"{place}.password",
        )
    ]


def read_archives(value: t.Any) -> tuple[dict[str, Archive], list[Finding]]:
    """The archives by the reference they bring, and what is wrong with how they are written."""
    if value is None:
        return {}, []
    if not isinstance(value, dict):
        return {}, [_wrong(ARCHIVES, f"must be a mapping by image, not {kind_of(value)}", value)]
    archives, findings = {}, []
    for reference, given in value.items():
        archive, wrong = _archive(str(reference), {"path": given} if isinstance(given, str) else given)
        findings += wrong
        if archive:
            archives[str(reference)] = archive
    return archives, findings


def _archive(reference: str, given: t.Any) -> tuple[Archive | None, list[Finding]]:
    place = f"{ARCHIVES}.{reference}"
    if not isinstance(given, dict) or not isinstance(given.get("path"), str):
        return None, [
            _wrong(place, "must be a path, or a mapping of path and on (controller or host)", given)
        ]
    unknown = [_unknown(place, str(key), _ARCHIVE_KEYS) for key in given if key not in _ARCHIVE_KEYS]
    if given.get("on", "controller") not in ("controller", "host"):
        unknown.append(_wrong(f"{place}.on", "is controller or host", given["on"]))
    if given.get("on") == "host" and not given["path"].startswith("/"):
        unknown.append(
            _wrong(f"{place}.path", "must be absolute on the host", given["path"], "/srv/images/vllm.tar")
        )
    if parse_reference(reference).digest:
        message = "an archive has no registry's digest: name the image by a tag"
        unknown.append(_wrong(place, message, reference, reference.partition("@")[0]))
    if unknown:
        return None, unknown
    return Archive(given["path"], given.get("on") == "host"), []


def _unknown(place: str, key: str, known: t.Sequence[str]) -> Finding:
    guess = nearest(key, known)
    message = f"{place} has no key {key}; it has {', '.join(known)}"
    return Finding(
        "error",
        "plan",
        "unknown_key",
        message,
        f"{guess}: …" if guess else f"remove {key}",
        setting=place.partition(".")[0],
        value=key,
        origin=f"{place}.{key}",
    )


def _wrong(place: str, message: str, value: t.Any, fix: str | None = None) -> Finding:
    variable = place.partition(".")[0]
    example = fix or f"{variable}: {_EXAMPLES[variable]}"
    return Finding(
        "error",
        "plan",
        "bad_type",
        f"{place} {message}",
        example,
        setting=variable,
        value=value,
        origin=place,
    )
