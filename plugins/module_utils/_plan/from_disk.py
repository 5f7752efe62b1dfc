"""The server that finds all that it reads on the disk of its host, and keeps its compile caches there."""

from __future__ import annotations

import dataclasses
import json
import typing as t

from .command_line import draft_of, json_object, with_option, words_of
from .facts import HostFacts
from .image import UNKNOWN, identity_of
from .instance import Instance, Mount
from .weights import Artifact, artifacts_of, is_repository, keeps_own_weights

# Where the host's folders appear in a container. Fixed, so that a command line means the same on every host.
MODELS = "/vllm-fleet/models"
CACHES = "/vllm-fleet/cache"
_IMAGE_DIGITS = 12


def with_weights(
    instance: Instance, facts: HostFacts, fetches: bool, state_dir: str
) -> tuple[Instance, bool]:
    """The server that starts from the disk of its host, and whether all that it reads is known.

    Without any facts of the host nothing is changed: the plan alone says what the inventory says.
    """
    artifacts = artifacts_of(instance) if fetches and _knows_host(facts) else ()
    if not artifacts or keeps_own_weights(instance):
        return instance, True
    commits = {each: facts.model_revisions.get(each.key) for each in artifacts}
    argv = instance.argv or ()
    for artifact, commit in commits.items():
        argv = _pinned(argv, artifact, commit or UNKNOWN)
    if not words_of(argv, "--served-model-name") and is_repository(instance.model or ""):
        # Offline vLLM replaces the name by a path, and so would the names in its metrics.
        argv = with_option(argv, "--served-model-name", instance.model or "")
    offline = {"HF_HUB_CACHE": MODELS, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    served = _mounted(instance, Mount(f"{state_dir}/models", MODELS, "ro,z"))
    served = dataclasses.replace(served, argv=argv, env={**offline, **instance.env})
    return served, None not in commits.values()


def with_caches(instance: Instance, facts: HostFacts, state_dir: str) -> Instance:
    """The same server with its compile caches, a folder for each image: those of another one may break it."""
    if instance.state != "present" or not _knows_host(facts):
        return instance
    identity = identity_of(instance.image or "", facts.image_digests)
    image = identity.rpartition(":")[2][:_IMAGE_DIGITS] if identity else UNKNOWN
    caches = {
        "HOME": f"{CACHES}/home",
        "TORCHINDUCTOR_CACHE_DIR": f"{CACHES}/inductor",
        "TRITON_CACHE_DIR": f"{CACHES}/triton",
        "VLLM_CACHE_ROOT": f"{CACHES}/vllm",
    }
    # U: whoever the server runs as owns it.
    served = _mounted(instance, Mount(f"{state_dir}/{instance.name}/cache/{image}", CACHES, "Z,U"))
    return dataclasses.replace(served, env={**caches, **_kept_home(instance), **instance.env})


def _mounted(instance: Instance, mount: Mount) -> Instance:
    """With one more mount, unless the operator has one of his own at that place."""
    if mount.target in {each.target for each in instance.mounts}:
        return instance
    return dataclasses.replace(instance, mounts=(mount, *instance.mounts))


def _knows_host(facts: HostFacts) -> bool:
    return facts.podman_version is not None or bool(facts.image_digests)


def _kept_home(instance: Instance) -> dict[str, str]:
    """Whoever mounts a cache below root's home counts on that home."""
    under_root = any(mount.target.startswith("/root/") for mount in instance.mounts)
    return {"HOME": "/root"} if under_root else {}


def _pinned(argv: tuple[str, ...], artifact: Artifact, commit: str) -> tuple[str, ...]:
    """The command line that reads exactly this commit."""
    if artifact.kind == "model":
        return with_option(argv, "--revision", commit)
    if artifact.kind == "tokenizer":
        return with_option(argv, "--tokenizer-revision", commit)
    if artifact.kind == "draft":
        config = {**draft_of(argv), "revision": commit}
        return with_option(argv, "--speculative-config", _compact(config))
    snapshot = f"{MODELS}/models--{artifact.repo.replace('/', '--')}/snapshots/{commit}"
    if artifact.kind == "config":  # vLLM would look for the model's revision in it
        return with_option(argv, "--hf-config-path", snapshot)
    words = [_moved(word, artifact.repo, snapshot) for word in words_of(argv, "--lora-modules")]
    return with_option(argv, "--lora-modules", *words)


def _moved(word: str, repo: str, path: str) -> str:
    """An adapter at its place on the disk: for adapters vLLM takes no revision."""
    described = json_object(word)
    if described is not None:
        return _compact({**described, "path": path}) if described.get("path") == repo else word
    name, _sign, where = word.partition("=")
    return f"{name}={path}" if where == repo else word


def _compact(value: t.Mapping[str, t.Any]) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
