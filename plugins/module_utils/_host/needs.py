"""What a host lacks of what its plan needs, as findings that name who needs it."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding

CODES: dict[str, str] = {
    "image_missing": "The image is not on the host, and could not be pulled or is not to be.",
    "device_unresolved": "Podman does not resolve a GPU of the instance; the message holds the reason.",
}

Instances = t.Mapping[str, t.Mapping[str, t.Any]]  # as vllm_plan returns them


def missing_images(instances: Instances, missing: t.Sequence[str]) -> list[Finding]:
    """The images that are not there, of instances that are about to start."""
    return [
        _finding(
            instance,
            "image_missing",
            *_not_there(instance["image"]),
            setting="image",
            value=instance["image"],
        )
        for instance in _present(instances)
        if instance["image"] in missing
    ]


def _not_there(image: str) -> tuple[str, str]:
    """What is said of it, and what to do."""
    bring = "podman load, or vllm_image_archives"
    if image.startswith("localhost/"):
        return (
            "the image is not on the host, and localhost/ has no registry to pull it from",
            f"bring it: {bring}",
        )
    return (
        "the image is not on the host",
        f"fetch it first: fetch.yml, or role vllm_image; or bring it: {bring}",
    )


def image_troubles(instances: Instances, troubles: t.Mapping[str, t.Mapping[str, t.Any]]) -> list[Finding]:
    """The images that did not come; a trouble has code, message, fix, and where the image was to come from."""
    return [
        _finding(
            instance,
            trouble["code"],
            f"{instance['image']} (from {trouble['where']}): {trouble['message']}",
            trouble["fix"],
            setting="image",
            value=instance["image"],
        )
        for instance in _present(instances)
        for trouble in [troubles.get(instance["image"])]
        if trouble
    ]


def unresolved_devices(instances: Instances, unresolved: t.Sequence[t.Mapping[str, str]]) -> list[Finding]:
    """The devices that Podman does not resolve, each with its reason, as ``vllm_host_info`` returns them."""
    return [
        _finding(
            instance,
            "device_unresolved",
            f"Podman does not resolve the device {device['name']}: {device['message']}",
            device["fix"],
            setting="gpus",
            value=device["name"].partition("=")[2],
        )
        for instance in _present(instances)
        for device in unresolved
        if device["name"] in instance["devices"]
    ]


def _present(instances: Instances) -> list[t.Mapping[str, t.Any]]:
    return [instance for instance in instances.values() if instance["state"] == "present"]


def _finding(
    instance: t.Mapping[str, t.Any], code: str, message: str, fix: str, setting: str, value: str
) -> Finding:
    name = instance["name"]
    written = instance.get("origins") or {}
    origin = written.get(setting) or f"vllm_instances.{name}.{setting}, or a layer that sets it"
    return Finding(
        "error", "host", code, message, fix, instance=name, setting=setting, value=value, origin=origin
    )
