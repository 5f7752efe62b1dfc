"""What stands in a command line, without a table of options."""

from __future__ import annotations

import json
import typing as t

# Since 0.22.0 a draft has three options of its own, which vLLM writes into its configuration: one way is enough here,
# so that two spellings of one server are one release.
DRAFT = {"--spec-method": "method", "--spec-model": "model", "--spec-tokens": "num_speculative_tokens"}
_CONFIG = "--speculative-config"


def words_of(argv: t.Sequence[str], option: str) -> list[str]:
    """The words that a canonical command line gives an option; none where it is not there."""
    found: list[str] = []
    inside = False
    for word in argv:
        if word.startswith(option + "="):
            return [word.partition("=")[2]]
        if word.startswith("--"):
            inside = word == option
        elif inside:
            found.append(word)
    return found


def json_object(text: str) -> dict[str, t.Any] | None:
    """A JSON object; None where the text is something else."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def draft_of(argv: t.Sequence[str]) -> dict[str, t.Any]:
    """What a canonical command line says of a draft; empty where it says nothing."""
    return json_object(next(iter(words_of(argv, _CONFIG)), "")) or {}


def given(words: t.Sequence[str], option: str) -> list[str]:
    """Values of an option in a command line that is not canonical yet."""
    following = zip(words, [*words[1:], ""])
    return [
        word.partition("=")[2] if "=" in word else after
        for word, after in following
        if word.partition("=")[0] == option
    ]


def fold_draft(argv: t.Sequence[str]) -> tuple[str, ...]:
    """A canonical command line with the options of a draft inside ``--speculative-config``."""
    words = {option: words_of(argv, option) for option in DRAFT}
    if not any(words.values()):
        return tuple(argv)
    config = json.loads((words_of(argv, _CONFIG) or ["{}"])[0])
    for option, found in words.items():
        if found:
            config[DRAFT[option]] = int(found[0]) if found[0].isdigit() else found[0]
    parts = [part for part in _parts(argv) if part[0].partition("=")[0] not in DRAFT]
    folded = json.dumps(config, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return with_option([word for part in parts for word in part], _CONFIG, folded)


def with_option(argv: t.Sequence[str], option: str, *words: str) -> tuple[str, ...]:
    """A canonical command line in which the option has these words, at its place in the alphabet."""
    parts = [part for part in _parts(argv) if part[0].partition("=")[0] != option]
    behind = [at for at, part in enumerate(parts) if part[0].replace("--no-", "--", 1) > option and at]
    parts.insert(min(behind, default=len(parts)), [option, *words])
    return tuple(word for part in parts for word in part)


def _parts(argv: t.Sequence[str]) -> list[list[str]]:
    """The model, and each option with its words."""
    parts: list[list[str]] = []
    for word in argv:
        if word.startswith("--") or not parts:
            parts.append([word])
        else:
            parts[-1].append(word)
    return parts
