"""A plan bound to its host: the text of the unit, and the intent it stands for, as far as the facts are known."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.finding import Finding
from .facts import HostFacts
from .image import identity_of
from .instance import Instance
from .intent import intent_hash
from .unit import raw_devices, secret_name, unit_text


@dataclasses.dataclass(frozen=True)
class Bound:
    """What the host's facts add to an instance."""

    unit_text: str | None = None
    intent_hash: str | None = None
    finding: Finding | None = None  # why there is no text


def bind(instance: Instance, facts: HostFacts, fleet: str) -> Bound:
    """The unit for this Podman and this image."""
    if not instance.is_buildable():
        return Bound()
    intent = _intent(instance, facts)
    if facts.podman_version is None:
        return Bound(None, intent)
    identity = identity_of(instance.image or "", facts.image_digests)
    try:
        text = unit_text(instance, facts.podman_version, identity, facts.secret_versions, fleet)
    except ValueError as problem:
        return Bound(None, intent, _not_writable(str(problem), facts))
    return Bound(text, intent)


def _not_writable(problem: str, facts: HostFacts) -> Finding:
    version = ".".join(str(part) for part in facts.podman_version or ())
    return Finding(
        "error",
        "host",
        "unit_not_writable",
        f"Podman {version} of this host cannot be given this unit: {problem}",
        fix="change what is named, or upgrade Podman on this host",
        setting="container",
        value=version,
        origin="host_facts.podman_version",
    )


def _intent(instance: Instance, facts: HostFacts) -> str | None:
    """None while the image's identity, or the version of a secret, is not known."""
    identity = identity_of(instance.image or "", facts.image_digests)
    if identity is None or not set(instance.secrets.values()) <= set(facts.secret_versions):
        return None
    return intent_hash(
        argv=instance.argv or (),
        image=identity,
        devices=(*instance.devices, *raw_devices(instance)),
        mounts=[mount.text() for mount in instance.mounts],
        env=instance.env,
        secrets={
            variable: secret_name(instance.name, key, facts.secret_versions[key])
            for variable, key in instance.secrets.items()
        },
        limits=instance.limits,
        network={"listen": instance.listen, "port": instance.port},
        security=instance.security,
        container=instance.container,
    )


def describe(instance: Instance, bound: Bound) -> dict[str, t.Any]:
    """The instance as ``vllm_plan`` returns it."""
    return {
        "name": instance.name,
        "state": instance.state,
        "model": instance.model,
        "served_names": list(instance.served_names),
        "version": instance.version,
        "image": instance.image,
        "argv": None if instance.argv is None else list(instance.argv),
        "devices": list(instance.devices),
        "mounts": [dataclasses.asdict(mount) for mount in instance.mounts],
        "env": dict(instance.env),
        "secrets": dict(instance.secrets),
        "listen": instance.listen,
        "port": instance.port,
        "url": instance.url,
        "limits": dict(instance.limits),
        "security": dict(instance.security),
        "gate": dict(instance.gate),
        "unit_name": instance.unit_name,
        "unit_text": bound.unit_text,
        "intent_hash": bound.intent_hash,
    }
