"""What differs between two intents, in the words of the inventory."""

from __future__ import annotations

import dataclasses
import typing as t

from .intent import Intent

_OPTION = "--"


@dataclasses.dataclass(frozen=True)
class Change:
    """One thing that is another one now; None where it is not there."""

    what: str  # settings.max_num_seqs, image, devices, env.X, …
    before: t.Any
    after: t.Any


def changes(before: Intent | None, after: Intent) -> list[Change]:
    """Every difference; [] without a ``before``, where all of it is new."""
    if before is None:
        return []
    old, new = _flat(before), _flat(after)
    names = [*old, *(name for name in new if name not in old)]
    return [
        Change(name, old.get(name), new.get(name)) for name in sorted(names) if old.get(name) != new.get(name)
    ]


def _flat(intent: Intent) -> dict[str, t.Any]:
    """Each part by its name, mappings and the command line key by key."""
    found: dict[str, t.Any] = {}
    for part, value in intent.items():
        if part == "argv":
            found.update(_settings(value))
        elif isinstance(value, dict):
            found.update({f"{part}.{key}": each for key, each in value.items()})
        else:
            found[part] = value
    return found


def _settings(argv: t.Sequence[str]) -> dict[str, t.Any]:
    """A canonical command line: the model, then each long option with what follows it."""
    found: dict[str, t.Any] = {}
    name = "model"
    for word in argv:
        if word.startswith(_OPTION):
            name = "settings." + word[len(_OPTION) :].replace("-", "_")
            found[name] = True
        else:
            said = found.get(name)
            found[name] = word if said in (None, True) else f"{said} {word}"
    return found
