"""A planned instance and the facts of its host: the text of its unit."""

from __future__ import annotations

import dataclasses
import typing as t

from .._quadlet.container import ContainerUnit, render_container
from .._release.ownership import LABEL
from .._release.secret import secret_name
from .image import KNOWN_AFTER_FETCH, UNKNOWN, pinned
from .instance import Instance

Version = tuple[int, int, int]

# Podman's words for "no limit".
_UNLIMITED = {"unlimited": "-1"}


@dataclasses.dataclass(frozen=True)
class Site:
    """What the instances of an inventory share on each host."""

    fleet: str = "default"
    state_dir: str = "/var/lib/vllm-fleet"


def unit_text(
    instance: Instance,
    podman_version: Version,
    identity: str | None,
    secret_versions: t.Mapping[str, str],
    site: Site,
) -> str:
    """The text of the `.container` file; ValueError says what this Podman cannot be asked for."""
    text = render_container(container_unit(instance, identity, secret_versions, site), podman_version)
    return text.replace(UNKNOWN, KNOWN_AFTER_FETCH)


def container_unit(
    instance: Instance, identity: str | None, secret_versions: t.Mapping[str, str], site: Site
) -> ContainerUnit:
    """What Quadlet is asked for."""
    security = instance.security
    return ContainerUnit(
        container_name=f"vllm-{instance.name}",
        description=f"vLLM server {instance.name}",
        comment="Written by gpuops.vllm_fleet. Changes belong into the inventory.",
        image=pinned(instance.image or "", identity),
        exec=("serve", *(instance.argv or ())),
        devices=instance.devices,
        env=instance.env,
        secrets=_secrets(instance, secret_versions),
        volumes=tuple(mount.text() for mount in instance.mounts),
        publish=_published(instance),
        labels=_labels(instance, site),
        shm_size=instance.limits.get("shm"),
        memory=instance.limits.get("memory"),
        pids_limit=instance.limits.get("pids") or None,  # 0 leaves it to Podman
        ulimits=_ulimits(instance.limits),
        container=instance.container,
        raw_devices=raw_devices(instance),
        capabilities=_capabilities(instance),
        no_new_privileges=not security.get("new_privileges"),
        read_only=bool(security.get("read_only")),
        gpus="all" if security.get("gpus_flag") else None,
        sys_admin=bool(security.get("sys_admin")),
        label_disable=bool(security.get("label_disable")),
        apparmor_unconfined=bool(security.get("apparmor_unconfined")),
        start_timeout=300,
        stop_timeout=_stop_timeout(instance),
    )


_STOP_SECONDS = 60  # for a server that only has to end
_STOP_MARGIN = 30  # and what comes after its last request


def _stop_timeout(instance: Instance) -> int:
    """Longer than the server gives to the requests that run when it is told to stop (`--shutdown-timeout`)."""
    given = instance.option("--shutdown-timeout")
    try:
        seconds = int(float(given[0])) if given else 0
    except ValueError:
        seconds = 0
    return max(_STOP_SECONDS, seconds + _STOP_MARGIN if seconds else 0)


def _labels(instance: Instance, site: Site) -> dict[str, str]:
    return {f"{LABEL}.managed": "true", f"{LABEL}.fleet": site.fleet, f"{LABEL}.instance": instance.name}


def _secrets(instance: Instance, versions: t.Mapping[str, str]) -> dict[str, str]:
    return {
        variable: secret_name(instance.name, key, versions.get(key, UNKNOWN))
        for variable, key in instance.secrets.items()
    }


# Files of a model or a cache often belong to somebody else than the container's root, who must read them all the same.
_ANY_FILE = "DAC_OVERRIDE"
_LOW_PORT = "NET_BIND_SERVICE"
_LOW_PORTS = 1024


def _capabilities(instance: Instance) -> tuple[str, ...] | None:
    """What a server needs of the eleven that Podman would give; docs/security.md shows how that was found."""
    if instance.security.get("all_capabilities"):
        return None
    files = () if instance.security.get("own_files_only") else (_ANY_FILE,)
    return (*files, _LOW_PORT) if 0 < instance.port < _LOW_PORTS else files


def _published(instance: Instance) -> tuple[str, ...]:
    if instance.shares_network:
        return ()
    address = f"[{instance.listen}]" if ":" in instance.listen else instance.listen
    return (f"{address}:{instance.port}:{instance.port}",)


def raw_devices(instance: Instance) -> tuple[str, ...]:
    """Device files instead of CDI, for who asked for them; only an index names one."""
    if not instance.security.get("raw_devices"):
        return ()
    cards = tuple(f"/dev/nvidia{name}" for name in instance.gpus if name.isdigit())
    return ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", *cards)


def _ulimits(limits: t.Mapping[str, t.Any]) -> tuple[str, ...]:
    found = []
    for name in ("memlock", "stack", "nofile"):
        if limits.get(name) is not None:
            value = _ulimit(limits[name])
            found.append(f"{name}={value}:{value}")
    return tuple(found)


def _ulimit(value: t.Any) -> str:
    """Podman wants plain bytes here."""
    text = _UNLIMITED.get(str(value), str(value))
    powers = {"k": 1, "m": 2, "g": 3, "t": 4}
    if text[-1:] in powers:
        return str(int(text[:-1]) * 1024 ** powers[text[-1]])
    return text
