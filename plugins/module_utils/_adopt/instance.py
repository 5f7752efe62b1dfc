"""An instance of the inventory out of what somebody runs."""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t

from .._plan.compound import VARIABLE
from .._settings.finding import Finding
from .found import Found, Secret, dropped, guessed, lost, otherwise, said
from .gpus import OWN_VARIABLES, gpus_of
from .image_name import full_name
from .inside import inside_of
from .mounts import Mounts, absolute, mounts_of
from .name import instance_name
from .network import LOOPBACK, place_of
from .options import rest_of
from .process import as_container, leaves
from .secrets import (
    key_of,
    keyed,
    secret_setting,
    secrets_as_files,
    secrets_in_env,
    secrets_of_podman,
    veiled_settings,
)
from .serve import Served, served_by

# Variables of a cache of the hub that was left out.
_OF_THE_HUB = (
    "HF_HOME",
    "HF_HUB_CACHE",
    "HUGGINGFACE_HUB_CACHE",
    "TRANSFORMERS_CACHE",
    "HF_HUB_OFFLINE",
    "TRANSFORMERS_OFFLINE",
)


@dataclasses.dataclass(frozen=True)
class Taken:
    """An instance as the inventory writes it, its secrets, and what is to be said about the way there."""

    name: str
    source: str
    instance: dict[str, t.Any]
    secrets: tuple[Secret, ...]
    findings: tuple[Finding, ...]
    refused: tuple[Finding, ...] = ()  # words that no setting could be made of


def take(
    found: Found, places: t.Mapping[str, str], known: t.Mapping[str, str | None], used: t.Collection[str]
) -> Taken:
    """Take one server over. ``known`` are keys of secrets and their values so far, ``used`` the names of instances."""
    inside = inside_of(found)
    found = dataclasses.replace(
        found, env={**found.env, **inside.env}, unresolved=(*found.unresolved, *inside.unresolved)
    )
    served = served_by(found, inside)
    found = as_container(found, served, places)
    findings = [*found.findings, *inside.findings, *served.findings, *secrets_as_files(found)]
    secrets = [*secrets_in_env(found), *secrets_of_podman(found), *_from_settings(served, found, findings)]
    name = instance_name(
        found.name, served.model, served.settings.get("served_model_name"), found.taken, used
    )
    own = keyed(secrets, name, known)
    instance = _instance(found, served, own, places, findings)
    findings += _unresolved(found, instance)
    findings += [_secret(each) for each in own]
    refused, said = (tuple(each.at(instance=name) for each in some) for some in (served.refused, findings))
    return Taken(name, found.source, instance, tuple(own), said, refused)


def _instance(
    found: Found,
    served: Served,
    secrets: t.Sequence[Secret],
    places: t.Mapping[str, str],
    findings: list[Finding],
) -> dict[str, t.Any]:
    """The keys of the instance, each with what is to be said about it."""
    gpus, devices, told = gpus_of(found)
    mounts = mounts_of(found, places, _texts(served, found))
    rest = rest_of(found, devices, mounts.tmpfs)
    place = place_of(found, served.host, served.port, served.settings)
    _leave_download(served, mounts, findings)
    model = _model(_absolute(served, found, places, findings), found, mounts, findings)
    findings += [*told, *mounts.findings, *place.findings, *rest.findings]
    written = {
        "model": model,
        "image": _image(found, findings),
        "version": served.version,
        "gpus": gpus,
        "listen": place.listen if place.listen != LOOPBACK else None,
        "port": place.port,
        "settings": _with_one_name(served.settings),
        "env": _environment(found, secrets, mounts, findings),
        "secrets": {each.variable: each.key for each in secrets},
        "volumes": [each.text() for each in mounts.kept],
        "limits": rest.limits,
        "security": rest.security,
        "container": {**rest.container, **({"Network": place.network} if place.network else {})},
    }
    return {key: value for key, value in written.items() if value or key == "gpus"}


def _with_one_name(settings: dict[str, t.Any]) -> dict[str, t.Any]:
    names = settings.get("served_model_name")
    if isinstance(names, list) and len(names) == 1:
        return {**settings, "served_model_name": names[0]}
    return settings


def _from_settings(served: Served, found: Found, findings: list[Finding]) -> list[Secret]:
    """Secrets on the command line; those inside JSON options become templates."""
    secrets = []
    for name in list(served.settings):
        secret = secret_setting(name, served.settings[name], found)
        if secret is None:
            continue
        value = served.settings.pop(name)
        secrets.append(secret)
        if isinstance(value, list) and len(value) > 1:
            findings.append(
                lost(
                    f"--{name.replace('_', '-')} had {len(value)} keys, and {secret.variable} holds one",
                    None,
                    "secrets",
                )
            )
    veiled = {name: veiled_settings(value, name) for name, value in served.settings.items()}
    served.settings = {name: value for name, (value, _hidden) in veiled.items()}
    for name, (_value, hidden) in veiled.items():
        for each in hidden:
            message = f"{name} held the secret {each}, which is left out: the server takes it from its command line alone"
            fix = f"vault_{key_of(each)}, and think of who reads the command line"
            findings.append(said("warning", "adopted_secret", message, fix, setting=name))
    return secrets


def _texts(served: Served, found: Found) -> list[str]:
    """Everything that may name a path of the container."""
    env = [value for name, value in found.env.items() if value and name not in _OF_THE_HUB]
    return [served.model or "", *leaves(served.settings), *env]


def _absolute(served: Served, found: Found, places: t.Mapping[str, str], findings: list[Finding]) -> Served:
    """A directory that is named from where the process was started."""
    model = served.model or ""
    if found.tool == "none" and model.startswith((".", "~")):
        served.model = absolute(model, places)
        findings.append(
            guessed(f"{model} is taken as {served.model}", "write the absolute path of the host", "model")
        )
        served.settings.setdefault("served_model_name", model)
    return served


def _model(served: Served, found: Found, mounts: Mounts, findings: list[Finding]) -> str | None:
    """A directory of the container as the host has it; the server goes by the name that clients know."""
    model = served.model
    if model is None or not model.startswith("/"):
        return model
    path = model if found.tool == "none" else mounts.host_path(model)
    if path is None:
        message = f"the model {model} lies in the image or in a volume with a name: the host has no directory of it that is known"
        findings.append(lost(message, "write the directory of the host, or mount one", "model"))
        return model
    if not served.settings.get("served_model_name"):
        served.settings["served_model_name"] = model
    if path != model:
        findings.append(
            otherwise(f"{model} of the container is {path} of the host, and is mounted there", "model")
        )
    others = [*leaves(served.settings), *(value for value in found.env.values() if value)]
    _leave_model_mount(model, mounts, [text for text in others if text != model])
    return path


def _leave_model_mount(model: str, mounts: Mounts, others: t.Sequence[str]) -> None:
    """A mount that holds nothing but the model comes by itself."""
    for mount in list(mounts.kept):
        target = mount.target.rstrip("/")
        holds = model == target or model.startswith(target + "/")
        if holds and not any(text == target or text.startswith(target + "/") for text in others):
            mounts.kept.remove(mount)


def _leave_download(served: Served, mounts: Mounts, findings: list[Finding]) -> None:
    """Where weights are downloaded to goes with the mount that held them."""
    folder = str(served.settings.get("download_dir") or "")
    if any(folder == each or folder.startswith(each + "/") for each in mounts.left):
        del served.settings["download_dir"]
        findings.append(dropped(f"--download-dir {folder}: it belongs to the cache that was left out"))


def _image(found: Found, findings: list[Finding]) -> str | None:
    if found.image:
        image, told = full_name(found.image, found.tool)
        findings += told
        return image
    if found.tool == "none":
        message = "vLLM runs without a container: which image has its release is for you to say"
        fix = "image: docker.io/vllm/vllm-openai:v…, or -e vllm_adopt_image=…"
        findings.append(said("error", "adoption_unresolved", message, fix, setting="image"))
    return None


def _environment(
    found: Found, secrets: t.Sequence[Secret], mounts: Mounts, findings: list[Finding]
) -> dict[str, str]:
    hidden = {each.variable for each in secrets}
    kept: dict[str, str] = {}
    for name, value in found.env.items():
        if name in hidden or name in OWN_VARIABLES:
            continue
        if mounts.without_hub and name in _OF_THE_HUB:
            findings.append(dropped(f"{name}: it belongs to the cache that was left out"))
        elif not VARIABLE.fullmatch(name):
            begins = re.split(r"[^\w.-]", name, maxsplit=1, flags=re.ASCII)[0][
                :40
            ]  # the rest may be its value
            findings.append(
                lost(f"a variable that begins {begins!r} has no name that a variable can have", None, "env")
            )
        elif value is None:
            message = (
                f"{name} was to come from the shell that starts the container, and its value is not known"
            )
            findings.append(
                said("warning", "adoption_unresolved", message, f"env: {{{name}: …}}", setting=f"env.{name}")
            )
        else:
            kept[name] = value.replace("\r\n", "\n").replace("\0", "")
    return kept


def _unresolved(found: Found, instance: t.Mapping[str, t.Any]) -> list[Finding]:
    """References that stand in what is left. Values of secrets are not among it."""
    text = json.dumps(instance, default=str, ensure_ascii=False)
    findings = []
    for reference in dict.fromkeys(found.unresolved):
        if json.dumps(reference, ensure_ascii=False)[1:-1] in text:
            name = reference.strip("${}()`").split(":")[0].split("-")[0]
            message = f"{reference} has no value that is known, and stands as it was written"
            fix = f'-e \'{{"vllm_adopt_variables": {{"{name}": "…"}}}}\''
            fix = "write the value" if reference.startswith(("$(", "`")) else f"{fix}, or write the value"
            findings.append(said("error", "adoption_unresolved", message, fix))
    return findings


def _secret(secret: Secret) -> Finding:
    message = f"{secret.place} is left out: it is {secret.key} of vllm_secrets, and reaches the server as {secret.variable}"
    fix = f'vllm_secrets: {{{secret.key}: "{{{{ vault_{secret.key} }}}}"}}, with the value in a vault'
    return said("info", "adopted_secret", message, fix, setting=f"secrets.{secret.variable}")
