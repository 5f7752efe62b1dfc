"""A case as rules ask about it: settings with vLLM's own meaning, the model, the GPUs, the speculative settings."""

from __future__ import annotations

import functools
import typing as t

from ..case import Case, Gpu
from ..inputs import TRUE
from ..tables import Table, choose
from ..version import Release, format_release
from .overrides import overridden
from .speculation import Speculation, read_speculation

Json = t.Mapping[str, t.Any]


class View:
    """Answers about one case. What is not known is None, never a guess."""

    def __init__(
        self, case: Case, table: Table | None = None, plugin_names: t.Collection[str] = frozenset()
    ) -> None:
        self.case = case
        self.table = table or choose(format_release(case.release)).table
        self.plugin_names = plugin_names

    @property
    def release(self) -> Release:
        """The release that is asked about."""
        return self.case.release

    @property
    def env(self) -> t.Mapping[str, str]:
        """The environment of the server."""
        return self.case.env

    def env_on(self, name: str) -> bool:
        """Whether a variable of the server says yes."""
        return self.env.get(name, "").strip().lower() in TRUE

    @functools.cached_property
    def model(self) -> t.Any:
        """The model's facts (a ``_fit.model.Model``), as hf_overrides leave them."""
        return overridden(self.case.model_facts, self.value("hf_overrides"))

    @property
    def draft(self) -> t.Any:
        """The draft's facts (a ``_fit.model.Model``)."""
        return self.case.draft_facts

    @property
    def gpus(self) -> tuple[Gpu, ...]:
        """The GPUs of the server; only for rules that need them."""
        return self.case.gpus or ()

    def unregistered(self, kind: str, name: str) -> bool:
        """Whether neither the release nor a known plug-in registers that name."""
        return name not in self.table.registry(kind) and name not in self.plugin_names

    def since(self, *release: int) -> bool:
        """Whether this is that release or a newer one."""
        return self.case.release >= release

    def value(self, setting: str) -> t.Any:
        """A setting's value or default; None where the release has no such setting."""
        return self.case.values.get(setting)

    def given(self, *settings: str) -> bool:
        """Whether any of these was given and holds something."""
        return any(name in self.case.given and self.value(name) is not None for name in settings)

    def flag(self, setting: str) -> bool:
        """Whether a switch is on."""
        return self.value(setting) is True

    def off(self, setting: str) -> bool:
        """Whether a switch was switched off, not merely left alone."""
        return setting in self.case.given and self.value(setting) is False

    def number(self, setting: str, default: int = 0) -> int:
        """A whole number; the default where it is absent or something else."""
        value = self.value(setting)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def amount(self, setting: str) -> float:
        """A number of any kind; 0 where it is absent or something else."""
        value = self.value(setting)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0

    def text(self, setting: str) -> str:
        """A text; empty where it is absent or something else."""
        value = self.value(setting)
        return value if isinstance(value, str) else ""

    def json(self, setting: str) -> Json:
        """A JSON option as a dict; empty where it is absent or something else."""
        value = self.value(setting)
        return value if isinstance(value, t.Mapping) else {}

    @property
    def tp(self) -> int:
        """Tensor parallel size."""
        return self.number("tensor_parallel_size", 1)

    @property
    def pp(self) -> int:
        """Pipeline parallel size."""
        return self.number("pipeline_parallel_size", 1)

    @property
    def dp(self) -> int:
        """Data parallel size."""
        return self.number("data_parallel_size", 1)

    @property
    def pcp(self) -> int:
        """Prefill context parallel size."""
        return self.number("prefill_context_parallel_size", 1)

    @property
    def dcp(self) -> int:
        """Decode context parallel size."""
        return self.number("decode_context_parallel_size", 1)

    @property
    def nodes(self) -> int:
        """The number of hosts that serve together."""
        return self.number("nnodes", 1)

    @property
    def executor(self) -> str:
        """The executor that was asked for; empty: vLLM chooses."""
        return self.text("distributed_executor_backend")

    @property
    def external_balancing(self) -> bool:
        """Whether something outside spreads requests over data parallel ranks."""
        return self.flag("data_parallel_external_lb") or self.value("data_parallel_rank") is not None

    @property
    def dtype(self) -> str | None:
        """The number format of activations: as asked for, or as vLLM takes it from the model on newer GPUs."""
        aliases = {"half": "float16", "float": "float32"}
        asked = self.text("dtype") or "auto"
        if asked != "auto":
            return aliases.get(asked, asked)
        stored = self.model.dtype if self.model else None
        if stored == "bfloat16" and (self.capability or 80) < 80:
            return "float16"  # what auto falls back to
        return stored if stored in ("float16", "bfloat16") else None

    @property
    def capability(self) -> int | None:
        """Compute capability of the oldest of the GPUs: 90 for 9.0."""
        found = [capability for gpu in self.gpus if (capability := _capability(gpu)) is not None]
        return min(found, default=None)

    @property
    def context_length(self) -> int | None:
        """The longest sequence: as asked for, or what the model's config gives; None where only the start will tell."""
        asked = self.value("max_model_len")
        if isinstance(asked, int) and not isinstance(asked, bool):
            return asked if asked > 0 else None
        if self.model is None or self.given("hf_overrides", "rope_scaling", "disable_sliding_window"):
            return None
        return t.cast("int | None", self.model.derived_max_length)

    @functools.cached_property
    def speculation(self) -> Speculation | None:
        """The speculative settings in both spellings taken together; None without."""
        return read_speculation(self.case)


def _capability(gpu: Gpu) -> int | None:
    major, _dot, minor = str(gpu.compute_capability or "").partition(".")  # YAML makes a number of 9.0
    return int(major) * 10 + int(minor) if major.isdigit() and minor.isdigit() else None
