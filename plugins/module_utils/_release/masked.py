"""Command lines without what nobody may see: API keys, tokens, passwords."""

from __future__ import annotations

import re
import typing as t

from .._settings.secretive import HIDDEN, is_secretive, shown_value

# Shapes that are secrets wherever they stand: tokens of Hugging Face, keys as vLLM's documentation writes them.
_SHAPES = re.compile(r"\b(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,})")
_IN_JSON = re.compile(
    r'("[^"]*(?:token|password|passwd|secret|api_key|access_key)"\s*:\s*)"[^"]*"', re.IGNORECASE
)


def masked(argv: t.Sequence[str], values: t.Collection[str] = ()) -> list[str]:
    """The words, with secrets hidden; ``values`` are secrets that are known and hidden wherever they stand."""
    shown: list[str] = []
    secret = False
    for word in argv:
        option, equals, _rest = word.partition("=")
        if word.startswith("--"):
            secret = is_secretive(option)
            word = f"{option}={HIDDEN}" if secret and equals else word
        elif secret:
            word = HIDDEN
        shown.append(masked_text(word, values))
    return shown


def masked_text(text: str, values: t.Collection[str] = ()) -> str:
    """One word, or any text."""
    for value in values:
        text = text.replace(value, HIDDEN) if value else text
    return _SHAPES.sub(HIDDEN, _IN_JSON.sub(rf'\1"{HIDDEN}"', text))


def masked_intent(intent: t.Mapping[str, t.Any], values: t.Collection[str] = ()) -> dict[str, t.Any]:
    """What a release asks for, without what somebody wrote into its settings or its environment in clear."""
    env = {name: shown_value(name, text) for name, text in (intent.get("env") or {}).items()}
    return {**intent, "argv": masked(intent.get("argv") or (), values), "env": env}
