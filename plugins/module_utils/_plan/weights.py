"""What a server reads from the hub, each with its revision; and the server that finds all of it on its host's disk."""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t

from .command_line import with_option, words_of
from .facts import HostFacts
from .image import UNKNOWN, identity_of
from .instance import Instance, Mount

# Where the host's folders appear in a container. Fixed, so that a command line means the same on every host.
MODELS = "/vllm-fleet/models"
CACHES = "/vllm-fleet/cache"
MAIN = "main"

_REPO = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_IMAGE_DIGITS = 12
# Whoever sets one of these, or mounts something over the hub's own cache, keeps weights in a way of his own.
_OWN_CACHE = ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "VLLM_USE_MODELSCOPE")
_HUB_CACHE = ".cache/huggingface"
TOKENS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
# The same weights in formats that no server of these formats reads.
_READ = ("auto", "hf", "safetensors", "mistral", "fastsafetensors", "instanttensor", "bitsandbytes", "dummy")
DUPLICATES = (
    "*.bin",
    "*.pt",
    "*.pth",
    "*.ckpt",
    "*.h5",
    "*.msgpack",
    "*.ot",
    "*.onnx",
    "*.onnx_data",
    "*.gguf",
    "*.tflite",
    "original/*",
)


@dataclasses.dataclass(frozen=True)
class Artifact:
    """A repository that a server reads; ``setting`` is what names it."""

    kind: str  # model, draft, tokenizer, config, adapter
    repo: str
    revision: str | None
    setting: str

    @property
    def key(self) -> str:
        """What facts of a host know it by."""
        return f"{self.repo}@{self.revision}" if self.revision else self.repo


def artifacts_of(instance: Instance) -> tuple[Artifact, ...]:
    """What its command line names that is no path; nothing for a server that shall not be there."""
    if instance.state != "present" or instance.argv is None:
        return ()
    revision = _first(instance.option("--revision"))
    draft = _draft(instance.argv)
    named = [
        Artifact("model", instance.model or "", revision, "model"),
        Artifact(
            "draft", str(draft.get("model", "")), _text(draft.get("revision")), "speculative_config.model"
        ),
        *_tokenizer(instance),
        Artifact("config", _first(instance.option("--hf-config-path")) or "", None, "hf_config_path"),
        *(Artifact("adapter", path, None, "lora_modules") for path in _adapter_paths(instance)),
    ]
    return tuple(each for each in named if is_repository(each.repo))


def is_repository(name: str) -> bool:
    """Whether a name is one of the hub; a path and an address of a bucket are none."""
    return bool(_REPO.fullmatch(name)) and "--" not in name and ".." not in name


def keeps_own_weights(instance: Instance) -> bool:
    """Whether the operator brings a cache of the hub of his own into the container."""
    if instance.option("--download-dir") or any(name in instance.env for name in _OWN_CACHE):
        return True
    return any(_HUB_CACHE in mount.target for mount in instance.mounts)


def ignored_files(instance: Instance) -> tuple[str, ...]:
    """Patterns of files that this server never reads where the repository holds safetensors."""
    load_format = _first(instance.option("--load-format")) or "auto"
    return DUPLICATES if load_format in _READ else ()


def with_weights(instance: Instance, facts: HostFacts, fetches: bool) -> tuple[Instance, bool]:
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
    return (
        dataclasses.replace(instance, argv=argv, env={**offline, **instance.env}),
        None not in commits.values(),
    )


def with_folders(instance: Instance, facts: HostFacts, fetches: bool, state_dir: str) -> Instance:
    """The same server with what it mounts of the host's state: weights, and its compile caches by image."""
    if instance.state != "present" or not _knows_host(facts):
        return instance
    identity = identity_of(instance.image or "", facts.image_digests)
    image = identity.rpartition(":")[2][:_IMAGE_DIGITS] if identity else UNKNOWN
    # U: whoever the server runs as owns it.
    mounts = [Mount(f"{state_dir}/{instance.name}/cache/{image}", CACHES, "Z,U")]
    if fetches and artifacts_of(instance) and not keeps_own_weights(instance):
        mounts.insert(0, Mount(f"{state_dir}/models", MODELS, "ro,z"))
    taken = {mount.target for mount in instance.mounts}
    caches = {
        "HOME": f"{CACHES}/home",
        "TORCHINDUCTOR_CACHE_DIR": f"{CACHES}/inductor",
        "TRITON_CACHE_DIR": f"{CACHES}/triton",
        "VLLM_CACHE_ROOT": f"{CACHES}/vllm",
    }
    return dataclasses.replace(
        instance,
        mounts=(*(mount for mount in mounts if mount.target not in taken), *instance.mounts),
        env={**caches, **_kept_home(instance), **instance.env},
    )


def _knows_host(facts: HostFacts) -> bool:
    return facts.podman_version is not None or bool(facts.image_digests)


def _kept_home(instance: Instance) -> dict[str, str]:
    """Whoever mounts a cache below root's home counts on that home."""
    under_root = any(mount.target.startswith("/root/") for mount in instance.mounts)
    return {"HOME": "/root"} if under_root else {}


def wanted_weights(instances: t.Iterable[Instance], fetches: bool) -> list[dict[str, t.Any]]:
    """What a host must hold before a server of the plan starts there, each once, with who reads it."""
    found: dict[str, dict[str, t.Any]] = {}
    for instance in instances:
        if not fetches or keeps_own_weights(instance):
            continue
        for artifact in artifacts_of(instance):
            entry = found.setdefault(artifact.key, _wanted(artifact, instance))
            entry["instances"] = sorted({*entry["instances"], instance.name})
            entry["kinds"] = sorted({*entry["kinds"], artifact.kind})
            entry["tokens"] += [token for token in _tokens(instance) if token not in entry["tokens"]]
            if not set(entry["ignore"]) <= set(ignored_files(instance)):
                entry["ignore"] = []  # one of them reads another format
    return list(found.values())


def _wanted(artifact: Artifact, instance: Instance) -> dict[str, t.Any]:
    return {
        "key": artifact.key,
        "repo": artifact.repo,
        "revision": artifact.revision,
        "kinds": [artifact.kind],
        "setting": artifact.setting,
        "origin": _origin(artifact, instance),
        "instances": [instance.name],
        "image": instance.image,
        "env": dict(instance.env),
        "tokens": [],
        "ignore": list(ignored_files(instance)),
    }


def _tokens(instance: Instance) -> list[dict[str, str]]:
    """The tokens for the hub that an instance is given, each by variable and key."""
    return [
        {"instance": instance.name, "variable": variable, "key": key}
        for variable, key in instance.secrets.items()
        if variable in TOKENS
    ]


def _origin(artifact: Artifact, instance: Instance) -> str:
    setting = artifact.setting
    names = (
        setting,
        f"settings.{setting}",
        f"settings.{setting.partition('.')[0]}",
        "model.repo",
        "argv",
        "settings",
    )
    written = (instance.origins.get(name) for name in names)
    return next((origin for origin in written if origin), f"vllm_instances.{instance.name}.{setting}")


def _pinned(argv: tuple[str, ...], artifact: Artifact, commit: str) -> tuple[str, ...]:
    """The command line that reads exactly this commit."""
    if artifact.kind == "model":
        return with_option(argv, "--revision", commit)
    if artifact.kind == "tokenizer":
        return with_option(argv, "--tokenizer-revision", commit)
    if artifact.kind == "draft":
        config = {**_draft(argv), "revision": commit}
        return with_option(argv, "--speculative-config", _compact(config))
    snapshot = f"{MODELS}/models--{artifact.repo.replace('/', '--')}/snapshots/{commit}"
    if artifact.kind == "config":  # vLLM would look for the model's revision in it
        return with_option(argv, "--hf-config-path", snapshot)
    words = [_moved(word, artifact.repo, snapshot) for word in words_of(argv, "--lora-modules")]
    return with_option(argv, "--lora-modules", *words)


def _moved(word: str, repo: str, path: str) -> str:
    """An adapter at its place on the disk: for adapters vLLM takes no revision."""
    described = _object(word)
    if described is not None:
        return _compact({**described, "path": path}) if described.get("path") == repo else word
    name, _sign, where = word.partition("=")
    return f"{name}={path}" if where == repo else word


def _tokenizer(instance: Instance) -> list[Artifact]:
    """A tokenizer of its own; that of the model comes with the model."""
    name = _first(instance.option("--tokenizer"))
    revision = _first(instance.option("--tokenizer-revision"))
    if name and name != instance.model:
        return [Artifact("tokenizer", name, revision, "tokenizer")]
    if revision and revision != _first(instance.option("--revision")):
        return [Artifact("tokenizer", instance.model or "", revision, "tokenizer_revision")]
    return []


def _adapter_paths(instance: Instance) -> list[str]:
    found = []
    for word in instance.option("--lora-modules"):
        described = _object(word)
        found.append(str(described.get("path")) if described is not None else word.partition("=")[2])
    return found


def _draft(argv: t.Sequence[str]) -> dict[str, t.Any]:
    return _object(_first(words_of(argv, "--speculative-config")) or "") or {}


def _object(text: str) -> dict[str, t.Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _compact(value: t.Mapping[str, t.Any]) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _first(words: t.Sequence[str]) -> str | None:
    return words[0] if words else None


def _text(value: t.Any) -> str | None:
    return str(value) if value else None
