"""Files that stand beside what is read: who reads asks for them by name, and says so where one is not there."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding
from .found import lost
from .interpolate import read_dotenv

# The content of a file by the name under which it is named; None where it is not there.
Files = t.Callable[[str], t.Optional[str]]


def no_files(_name: str) -> str | None:
    """Where there are none."""
    return None


def read_env_files(names: t.Iterable[str], word: str, files: Files) -> tuple[dict[str, str], list[Finding]]:
    """The variables of files that ``word`` (``--env-file``) names, the last one first in rank."""
    env: dict[str, str] = {}
    findings = []
    for name in names:
        text = files(name)
        env.update(read_dotenv(text or ""))
        if text is None:
            message = f"{word} {name} is not there, so its variables are not known"
            fix = "put it beside the file that is adopted, or write its variables into env"
            findings.append(lost(message, fix, "env"))
    return env, findings
