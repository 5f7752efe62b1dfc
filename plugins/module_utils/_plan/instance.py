"""One instance as it is planned: what the inventory alone decides."""

from __future__ import annotations

import dataclasses
import typing as t

from .._fit.demand import default_utilization
from .._settings.version import parse_release
from .command_line import json_object, words_of


@dataclasses.dataclass(frozen=True)
class Mount:
    """A directory of the host, or a named volume, inside the container."""

    source: str
    target: str
    options: str = ""

    def text(self) -> str:
        """As Podman takes it."""
        return ":".join(part for part in (self.source, self.target, self.options) if part)


def mounts_of(model: str | None, volumes: t.Iterable[str]) -> tuple[Mount, ...]:
    """The model's directory at the same path, so that the command line means the same inside; then the user's own."""
    mounts = [Mount(model, model, "ro,z")] if model and model.startswith("/") else []
    for text in volumes:
        source, target, *options = text.split(":")
        mounts.append(Mount(source, target, options[0] if options else ""))
    return tuple(mounts)


def host_path(mounts: t.Iterable[Mount], path: str) -> str | None:
    """Where the host has a path of the container; None where it lies in the image or in a volume with a name."""
    inside = _parts(path)
    over = [mount for mount in mounts if _parts(mount.target) == inside[: len(_parts(mount.target))]]
    if not over or ".." in inside:
        return None
    mount = max(over, key=lambda each: len(_parts(each.target)))
    if not mount.source.startswith("/"):
        return None
    return "/" + "/".join(_parts(mount.source) + inside[len(_parts(mount.target)) :])


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def unit_name(instance: str) -> str:
    """The name of the service of an instance."""
    return f"vllm-{instance}.service"


@dataclasses.dataclass(frozen=True)
class Instance:
    """A server on a host. What could not be read, because it is wrong or missing, is None or empty."""

    name: str
    state: str
    model: str | None = None
    version: str | None = None
    image: str | None = None
    argv: tuple[str, ...] | None = None  # None: something is wrong with it
    gpus: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    mounts: tuple[Mount, ...] = ()
    env: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    secrets: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    listen: str = "127.0.0.1"
    port: int = 8000
    limits: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    security: t.Mapping[str, bool] = dataclasses.field(default_factory=dict)
    gate: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    container: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    origins: t.Mapping[str, str] = dataclasses.field(default_factory=dict)  # by dotted path
    fit: t.Mapping[str, t.Any] | None = None  # where the memory of its GPUs goes

    @property
    def unit_name(self) -> str:
        """The name of its service."""
        return unit_name(self.name)

    @property
    def url(self) -> str:
        """Where the server is reached from its own host."""
        address = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.listen, self.listen)
        scheme = "https" if self.option("--ssl-certfile") else "http"
        return (
            f"{scheme}://[{address}]:{self.port}" if ":" in address else f"{scheme}://{address}:{self.port}"
        )

    @property
    def shares_network(self) -> bool:
        """Whether the container has the network of its host, so that nothing is published."""
        return self.container.get("Network") == "host"

    @property
    def served_names(self) -> tuple[str, ...]:
        """The names that clients ask for."""
        return self.option("--served-model-name") or ((self.model,) if self.model else ())

    @property
    def adapter_names(self) -> tuple[str, ...]:
        """The LoRA adapters that the server lists beside the names of its model."""
        return tuple(name for name, _path in self._adapters())

    @property
    def adapter_paths(self) -> tuple[str, ...]:
        """Where it finds them: paths in the container, or repositories."""
        return tuple(path for _name, path in self._adapters())

    @property
    def adapter_directories(self) -> tuple[str, ...]:
        """Where the host has the adapters that are directories of its own."""
        found = (host_path(self.mounts, path) for path in self.adapter_paths if path.startswith("/"))
        return tuple(path for path in found if path is not None)

    def _adapters(self) -> list[tuple[str, str]]:
        return [_adapter(word) for word in self.option("--lora-modules")]

    @property
    def memory_share(self) -> float | None:
        """The share of each GPU's memory that the server must find free when it starts; None where that is not known.

        vLLM refuses to start below it (v1/worker/utils.py, request_memory).
        """
        if self.option("--kv-cache-memory-bytes"):
            return None
        release = parse_release(self.version or "")
        words = self.option("--gpu-memory-utilization")
        try:
            return float(words[0]) if words else default_utilization(release) if release else None
        except ValueError:
            return None

    def option(self, name: str) -> tuple[str, ...]:
        """The words that the command line gives an option; none where it is not there."""
        return tuple(words_of(self.argv or (), name))

    def is_buildable(self) -> bool:
        """Whether enough is known to write a unit."""
        return self.state == "present" and self.image is not None and self.argv is not None


def _adapter(word: str) -> tuple[str, str]:
    """Name and path of ``name=path``, or of a JSON object."""
    described = json_object(word)
    if described is not None:
        return str(described.get("name")), str(described.get("path"))
    name, _sign, path = word.partition("=")
    return name, path
