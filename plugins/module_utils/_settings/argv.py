"""The one way in which this collection writes a command line: what follows ``vllm serve``."""

from __future__ import annotations

import json
import typing as t

REPEATED = (
    "middleware",
)  # takes one value at a time, in every release; all other lists stand behind one option


class OptionNames(t.Protocol):
    """What of a release's table is needed to write its options."""

    def long_name(self, setting: str) -> str:
        """The canonical long spelling of a setting: ``--tensor-parallel-size``."""

    def off_name(self, setting: str) -> str | None:
        """How a boolean option is switched off; None where leaving it out is the only way."""


class _PlainNames:
    """Spelling without a table: every option is its setting with dashes, every boolean has a ``--no-`` twin."""

    def long_name(self, setting: str) -> str:
        """``max_num_seqs`` is ``--max-num-seqs``."""
        return option_name(setting)

    def off_name(self, setting: str) -> str | None:
        """``enable_lora`` is switched off by ``--no-enable-lora``."""
        return "--no-" + self.long_name(setting)[2:]


def option_name(setting: str) -> str:
    """The option that a setting in any spelling means: dashes up to the first dot, as vLLM itself reads it."""
    head, dot, tail = setting.lstrip("-").partition(".")
    return "--" + head.replace("_", "-") + dot + tail


def setting_name(option: str) -> str:
    """The snake_case setting of an option in any spelling; what follows the first dot stays as it is."""
    head, dot, tail = option.lstrip("-").partition(".")
    return head.replace("-", "_") + dot + tail


def render_argv(
    model: str | None, settings: t.Mapping[str, t.Any], table: OptionNames | None = None
) -> list[str]:
    """The model, then the options in alphabetical order of their long names; absent (null) settings are left out.

    ``--opt value``; lists after their option; dicts as one compact JSON with sorted keys; true is ``--x``, false is
    ``--no-x`` (nothing where the release has no such twin).
    """
    names = table or _PlainNames()
    argv = [] if model is None else [model]
    for option, setting in sorted((names.long_name(setting), setting) for setting in settings):
        for value in _turns(setting, settings[setting]):
            argv += _words(option, names.off_name(setting), value)
    return argv


def _turns(setting: str, value: t.Any) -> t.Sequence[t.Any]:
    """The values for which the option is written once each."""
    return value if setting in REPEATED and isinstance(value, (list, tuple)) else [value]


def _words(option: str, off: str | None, value: t.Any) -> list[str]:
    if value is None or value == []:
        return []
    if isinstance(value, bool):
        return [option] if value else [off] if off else []
    values = [word(each) for each in value] if isinstance(value, (list, tuple)) else [word(value)]
    if len(values) == 1 and values[0].startswith("-") and not values[0][1:].isdigit():
        return [f"{option}={values[0]}"]  # as a word of its own it would be taken for an option
    return [option, *values]


def word(value: t.Any) -> str:
    """One value as one word of a command line."""
    if isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
