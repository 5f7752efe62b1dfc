"""A plan bound to its host: the text of the unit, and the intent it stands for, as far as the facts are known."""

from __future__ import annotations

import dataclasses
import typing as t

from .._release.intent import Intent, hash_of, make_intent
from .._release.secret import secret_name
from .._settings.finding import Finding
from .._settings.version import format_release
from .facts import HostFacts
from .image import identity_of
from .instance import Instance
from .unit import Site, raw_devices, unit_text


@dataclasses.dataclass(frozen=True)
class Bound:
    """What the host's facts add to an instance."""

    unit_text: str | None = None
    intent: Intent | None = None  # None while the image's identity, or the version of a secret, is not known
    image_identity: str | None = None
    finding: Finding | None = None  # why there is no text


def bind(instance: Instance, facts: HostFacts, site: Site) -> Bound:
    """The unit for this Podman and this image."""
    if not instance.is_buildable():
        return Bound()
    identity = identity_of(instance.image or "", facts.image_digests)
    bound = Bound(None, _intent(instance, identity, facts), identity)
    if facts.podman_version is None:
        return bound
    try:
        text = unit_text(instance, facts.podman_version, identity, facts.secret_versions, site)
    except ValueError as problem:
        return dataclasses.replace(bound, finding=_not_writable(str(problem), facts))
    return dataclasses.replace(bound, unit_text=text)


def _not_writable(problem: str, facts: HostFacts) -> Finding:
    version = format_release(facts.podman_version) if facts.podman_version else ""
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


def _intent(instance: Instance, identity: str | None, facts: HostFacts) -> Intent | None:
    if identity is None or not set(instance.secrets.values()) <= set(facts.secret_versions):
        return None
    return make_intent(
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
        "image_identity": bound.image_identity,
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
        "gate": _gate(instance),
        "unit_name": instance.unit_name,
        "unit_text": bound.unit_text,
        "intent": bound.intent,
        "intent_hash": None if bound.intent is None else hash_of(bound.intent),
        "memory_share": instance.memory_share,
        "origins": dict(instance.origins),
        "fit": None if instance.fit is None else dict(instance.fit),
    }


def _gate(instance: Instance) -> dict[str, t.Any]:
    """What the gate asks for, and where."""
    if instance.state == "absent":
        return {}
    return {
        **instance.gate,
        "url": instance.url,
        "served_names": [*instance.served_names, *instance.adapter_names],
    }
