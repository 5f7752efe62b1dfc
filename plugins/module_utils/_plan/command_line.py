"""What stands in a command line, without a table of options."""

from __future__ import annotations

import typing as t


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


def given(words: t.Sequence[str], option: str) -> list[str]:
    """Values of an option in a command line that is not canonical yet."""
    following = zip(words, [*words[1:], ""])
    return [
        word.partition("=")[2] if "=" in word else after
        for word, after in following
        if word.partition("=")[0] == option
    ]
