"""Speculative settings as vLLM puts them together: the JSON, the three short options, the method that follows."""

from __future__ import annotations

import dataclasses
import typing as t

from ..case import Case

SHORT_OPTIONS = {"method": "spec_method", "model": "spec_model", "num_speculative_tokens": "spec_tokens"}
SETTINGS = "speculative_config spec_method spec_model spec_tokens"
# These draft from the prompt, from the target itself or from code: they need no draft model.
WITHOUT_MODEL = ("mtp", "dspark", "ngram", "ngram_gpu", "suffix", "extract_hidden_states", "custom_class")


@dataclasses.dataclass(frozen=True)
class Speculation:
    """What the server is asked to do, every key as it will be read."""

    keys: t.Mapping[str, t.Any]
    method: str | None  # what vLLM makes of it; None where the draft's own config decides
    twice: tuple[str, ...]  # keys given by a short option and in the JSON

    @property
    def model(self) -> str | None:
        """The draft model, where one is named."""
        value = self.keys.get("model")
        return value if isinstance(value, str) and value else None

    @property
    def tokens(self) -> int | None:
        """How many tokens are drafted at once, where it is said."""
        value = self.keys.get("num_speculative_tokens")
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    @property
    def setting(self) -> str:
        """Where it is written."""
        return "speculative_config"


def read_speculation(case: Case) -> Speculation | None:
    """Both spellings merged as the release does it; None where neither is used."""
    written = case.values.get("speculative_config")
    keys = dict(written) if isinstance(written, t.Mapping) else {}
    if case.release >= (0, 26, 0):
        keys = {str(key).replace("-", "_"): value for key, value in keys.items()}
    short = {
        key: case.values[option]
        for key, option in SHORT_OPTIONS.items()
        if case.values.get(option) is not None
    }
    if not isinstance(written, t.Mapping) and not short:
        return None
    twice = tuple(key for key in short if key in keys)
    merged = {key: _number(value) for key, value in {**keys, **short}.items()}
    return Speculation(merged, _method(merged, case), twice)


def _number(value: t.Any) -> t.Any:
    """Digits as the number that vLLM's configuration makes of them."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


def _method(keys: t.Mapping[str, t.Any], case: Case) -> str | None:
    """The method as named, or as vLLM reads it from the draft's name; *_mtp are all mtp since 0.11.0."""
    named, model = keys.get("method"), str(keys.get("model") or "").lower()
    if isinstance(named, str):
        if named.endswith("_mtp") and case.release >= (0, 11, 0):
            return "mtp"
        settled = (*WITHOUT_MODEL, "eagle", "eagle3", "dflash")
        return named if named in settled else _by_name(model, case) or named
    if model in ("ngram", "[ngram]"):
        return "ngram"
    return _by_name(model, case) or (_by_draft(case) if model else None)


def _by_name(model: str, case: Case) -> str | None:
    marks = [("eagle-", "eagle"), ("eagle3", "eagle3")]
    marks += [("dflash", "dflash")] if case.release >= (0, 20, 0) else []
    marks += [("dspark", "dspark")] if case.release >= (0, 25, 0) else []
    return next((method for mark, method in marks if mark in model), None)


def _by_draft(case: Case) -> str | None:
    """An ordinary language model is a draft model; anything else is vLLM's to say."""
    draft = case.draft_facts
    if draft is None or draft.mtp_layers or (draft.model_type or "") in ("medusa", "mlp_speculator", "eagle"):
        return None
    return "draft_model"
