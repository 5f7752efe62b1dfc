"""What a server reads from the hub, each with its revision, and from directories and files of its host."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .command_line import draft_of
from .instance import Instance, host_path

_REPO = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
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
    revision = first(instance.option("--revision"))
    draft = draft_of(instance.argv)
    named = [
        Artifact("model", instance.model or "", revision, "model"),
        Artifact(
            "draft", str(draft.get("model", "")), _text(draft.get("revision")), "speculative_config.model"
        ),
        *_tokenizer(instance),
        Artifact("config", first(instance.option("--hf-config-path")) or "", None, "hf_config_path"),
        *(Artifact("adapter", path, None, "lora_modules") for path in instance.adapter_paths),
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
    load_format = first(instance.option("--load-format")) or "auto"
    return DUPLICATES if load_format in _READ else ()


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


def wanted_paths(instances: t.Iterable[Instance]) -> list[dict[str, t.Any]]:
    """The directories and files of the host that command lines name, each once, with who reads it."""
    found: dict[str, dict[str, t.Any]] = {}
    for instance in instances:
        for kind, name, setting in _named_paths(instance):
            path = host_path(instance.mounts, name) if name.startswith("/") else None
            if path is None:
                continue
            artifact = Artifact(kind, path, None, setting)
            new = {"path": path, "kinds": [], "setting": setting, "origin": _origin(artifact, instance)}
            entry = found.setdefault(path, {**new, "instances": []})
            entry["instances"] = sorted({*entry["instances"], instance.name})
            # Of a file, and of a tokenizer alone, nothing more can be asked than that it is there.
            entry["kinds"] = sorted({*entry["kinds"], *({kind} & {"model", "draft"})})
    return list(found.values())


def _named_paths(instance: Instance) -> list[tuple[str, str, str]]:
    """Kind, path in the container, and setting."""
    if instance.state != "present" or instance.argv is None:
        return []
    one = {
        "tokenizer": "--tokenizer",
        "hf_config_path": "--hf-config-path",
        "chat_template": "--chat-template",
    }
    named = [("file", first(instance.option(option)) or "", setting) for setting, option in one.items()]
    draft = str(draft_of(instance.argv).get("model", ""))
    adapters = [("file", path, "lora_modules") for path in instance.adapter_paths]
    return [
        ("model", instance.model or "", "model"),
        ("draft", draft, "speculative_config.model"),
        *named,
        *adapters,
    ]


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


def _tokenizer(instance: Instance) -> list[Artifact]:
    """A tokenizer of its own; that of the model comes with the model."""
    name = first(instance.option("--tokenizer"))
    revision = first(instance.option("--tokenizer-revision"))
    if name and name != instance.model:
        return [Artifact("tokenizer", name, revision, "tokenizer")]
    if revision and revision != first(instance.option("--revision")):
        return [Artifact("tokenizer", instance.model or "", revision, "tokenizer_revision")]
    return []


def first(words: t.Sequence[str]) -> str | None:
    """The first word; None of none."""
    return words[0] if words else None


def _text(value: t.Any) -> str | None:
    return str(value) if value else None
