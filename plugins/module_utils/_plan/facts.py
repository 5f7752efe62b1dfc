"""What is known of a host when it is planned, as the option ``host_facts`` brings it."""

from __future__ import annotations

import dataclasses
import re
import typing as t

KEYS = (
    "podman_version",
    "image_digests",
    "gpu_facts",
    "gpu_problem",
    "driver_version",
    "host_memory_mib",
    "model_facts",
    "secret_versions",
    "model_revisions",
)
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


@dataclasses.dataclass(frozen=True)
class HostFacts:
    """Facts of one host; what is not known is None or empty."""

    podman_version: tuple[int, int, int] | None = None
    image_digests: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    gpus: tuple[t.Mapping[str, t.Any], ...] | None = None
    model_facts: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    secret_versions: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    gpu_problem: t.Mapping[str, t.Any] | None = None  # why the GPUs cannot be used: code, message, fix
    driver_version: str | None = None
    host_memory_mib: int | None = None
    model_revisions: t.Mapping[str, str] = dataclasses.field(default_factory=dict)  # commits on its disk


def read_facts(given: t.Mapping[str, t.Any] | None) -> HostFacts:
    """The facts out of the option; ValueError says what is wrong with it."""
    given = given or {}
    unknown = sorted(set(given) - set(KEYS))
    if unknown:
        raise ValueError(f"host_facts has no key {unknown[0]}; it has {', '.join(KEYS)}")
    gpus = given.get("gpu_facts")
    if gpus is not None and not is_list_of_mappings(gpus):
        raise ValueError("host_facts.gpu_facts must be a list of mappings, as nvidia_gpu_info returns it")
    return HostFacts(
        podman_version=_podman_version(given.get("podman_version")),
        image_digests=_texts(given, "image_digests"),
        gpus=None if gpus is None else tuple(gpus),
        gpu_problem=_mapping(given, "gpu_problem") or None,
        driver_version=_driver_version(given.get("driver_version")),
        host_memory_mib=_memory(given.get("host_memory_mib")),
        model_facts=_mapping(given, "model_facts"),
        secret_versions=_texts(given, "secret_versions"),
        model_revisions=_texts(given, "model_revisions"),
    )


def is_list_of_mappings(value: t.Any) -> bool:
    """Whether a value may be facts of GPUs."""
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


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


def _driver_version(text: t.Any) -> str | None:
    if text is None or text == "":
        return None
    if not isinstance(text, str) or not text[0].isdigit():
        raise ValueError(f'host_facts.driver_version must be a text like "580.95.05", not {text!r}')
    return text


def _memory(value: t.Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(f"host_facts.host_memory_mib must be a number of MiB, not {value!r}")
    return value
