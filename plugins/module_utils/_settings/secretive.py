"""What looks like a secret by its name, so that its value is never shown."""

from __future__ import annotations

import re
import typing as t

HIDDEN = "********"
# Tokens in the plural are what a model writes.
_SECRET = re.compile(r"password|passwd|secret|(?:api|access)[-_]?key|token$", re.IGNORECASE)


def is_secretive(name: str) -> bool:
    """Whether a variable or setting of this name mostly holds a secret."""
    return _SECRET.search(name) is not None


def shown_value(name: str, value: t.Any) -> t.Any:
    """The value, or what stands for it where the name says that it is secret; yes, no and nothing are no secrets."""
    return HIDDEN if is_secretive(name) and value not in (None, "", True, False) else value
