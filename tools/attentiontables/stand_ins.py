"""What the questions of an attention backend ask in turn: platform, kernels, configuration. Unknown means allowed.

The answers stand for a CUDA platform on which every kernel package is installed and downloads work, so that whatever
is still refused is refused everywhere.
"""

from __future__ import annotations

import typing as t

Capability = tuple[int, int]


class NeedsConfigurationError(Exception):
    """The answer depends on the whole configuration of a server."""


class DeviceCapability(t.NamedTuple):
    """vLLM's own type of that name."""

    major: int
    minor: int

    def to_int(self) -> int:
        """8.6 as 86."""
        return self.major * 10 + self.minor


class MultipleOf:
    """Block sizes that are a multiple of the base."""

    def __init__(self, base: int) -> None:
        """Take it."""
        self.base = base


class Names:
    """Names, as themselves."""

    def __getattr__(self, name: str) -> str:
        """Any name."""
        return name


class Platform:
    """A CUDA platform of one compute capability."""

    def __init__(self, capability: Capability) -> None:
        """Take it."""
        self.capability = DeviceCapability(*capability)

    def __getattr__(self, name: str) -> t.Callable[..., bool]:
        """Any name."""
        if not name.startswith("is_"):
            raise AttributeError(name)
        return lambda: name == "is_cuda"

    def get_device_capability(self, _device: int = 0) -> DeviceCapability:
        """The capability."""
        return self.capability

    def is_device_capability(self, asked: int | Capability) -> bool:
        """Exactly this one."""
        return self.capability.to_int() == asked or self.capability == asked

    def has_device_capability(self, asked: int | Capability) -> bool:
        """This one or more."""
        wanted = asked if isinstance(asked, tuple) else divmod(asked, 10)
        return tuple(self.capability) >= tuple(wanted)

    def is_device_capability_family(self, asked: int) -> bool:
        """The same major number."""
        return self.capability.major == asked // 10


class Logger:
    """Says nothing."""

    def __getattr__(self, _name: str) -> t.Callable[..., None]:
        """Any name."""
        return lambda *_args, **_options: None


class Environment:
    """Every variable or setting at a harmless default."""

    def __getattr__(self, _name: str) -> None:
        """Any name."""
        return


class Configuration:
    """Nothing is set for attention; everything else depends on the server."""

    attention_config = Environment()

    def __getattr__(self, _name: str) -> t.NoReturn:
        """Any name."""
        raise NeedsConfigurationError


def _unknown(*_asked: object) -> t.NoReturn:
    raise NeedsConfigurationError


def answers(capability: Capability) -> dict[str, t.Any]:
    """Every name that the methods may use."""
    platform, major = Platform(capability), capability[0]
    versions = {2: major >= 8, 3: major == 9, 4: major in (9, 10, 11)}
    return {
        "current_platform": platform,
        "torch": Names(),
        "AttentionBackendEnum": Names(),
        "DeviceCapability": DeviceCapability,
        "MultipleOf": MultipleOf,
        "ClassVar": t.ClassVar,
        "logger": Logger(),
        "envs": Environment(),
        "get_current_vllm_config": Configuration,
        "get_current_vllm_config_or_none": lambda: None,
        "vllm_is_batch_invariant": lambda: False,
        "has_nvidia_artifactory": lambda: True,
        "force_use_trtllm_attention": lambda: None,
        "can_use_trtllm_attention": lambda *_heads: True,
        "is_fa_version_supported": lambda version: versions.get(version, False),
        "fa_version_unsupported_reason": lambda _version: "",
        "is_flashmla_dense_supported": lambda: (major == 9, None if major == 9 else "not for this GPU"),
        "is_flashmla_sparse_supported": lambda: (
            major in (9, 10),
            None if major in (9, 10) else "not for it",
        ),
        "is_quantized_kv_cache": lambda dtype: str(dtype).startswith(
            ("fp8", "int", "nvfp4", "turbo", "ultra")
        ),
        "has_flashinfer": lambda: True,
        "has_flashinfer_sparse_mla_sm120": lambda: True,
        "has_flashinfer_sm90_nope_mla": lambda: True,
        "get_b12x_paged_attention": _unknown,
        "is_hpc_available": lambda: True,
    }
