"""What is known of a host when it is planned, as the option ``host_facts`` brings it."""

from __future__ import annotations

import dataclasses
import re
import typing as t

KEYS = ("podman_version", "image_digests", "gpu_facts", "model_facts", "secret_versions")
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


@dataclasses.dataclass(frozen=True)
class HostFacts:
    """Facts of one host; what is not known is None or empty."""

    podman_version: tuple[int, int, int] | None = None
    image_digests: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    gpus: tuple[t.Mapping[str, t.Any], ...] | None = None
    model_facts: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    secret_versions: t.Mapping[str, str] = dataclasses.field(default_factory=dict)


def read_facts(given: t.Mapping[str, t.Any] | None) -> HostFacts:
    """The facts out of the option; ValueError says what is wrong with it."""
    given = given or {}
    unknown = sorted(set(given) - set(KEYS))
    if unknown:
        raise ValueError(f"host_facts has no key {unknown[0]}; it has {', '.join(KEYS)}")
    gpus = given.get("gpu_facts")
    if gpus is not None and not (isinstance(gpus, list) and all(isinstance(gpu, dict) for gpu in gpus)):
        raise ValueError("host_facts.gpu_facts must be a list of mappings, as nvidia_gpu_info returns it")
    return HostFacts(
        podman_version=_podman_version(given.get("podman_version")),
        image_digests=_texts(given, "image_digests"),
        gpus=None if gpus is None else tuple(gpus),
        model_facts=_mapping(given, "model_facts"),
        secret_versions=_texts(given, "secret_versions"),
    )


def _mapping(given: t.Mapping[str, t.Any], key: str) -> dict[str, t.Any]:
    value = given.get(key) or {}
    if isinstance(value, dict):
        return {name: each for name, each in value.items() if each is not None}
    raise ValueError(f"host_facts.{key} must be a mapping")


def _texts(given: t.Mapping[str, t.Any], key: str) -> dict[str, str]:
    found = _mapping(given, key)
    wrong = [name for name, each in found.items() if not isinstance(each, str) or not each]
    if wrong:
        raise ValueError(f"host_facts.{key}.{wrong[0]} must be a text")
    return found


def _podman_version(text: t.Any) -> tuple[int, int, int] | None:
    """``5.4.2``, also with a suffix (``5.5.0-rc1``)."""
    if text is None or text == "":
        return None
    found = _VERSION.match(str(text))
    if isinstance(text, float) or not found:
        raise ValueError(f'host_facts.podman_version must be a text like "5.4.2", not {text!r}')
    major, minor, patch = found.groups(default="0")
    return int(major), int(minor), int(patch)
