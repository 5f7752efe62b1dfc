"""What systemd makes of the words of a unit: specifiers (``%h``) and variables of its `[Service]`."""

from __future__ import annotations

import re
import typing as t

from .._quadlet.escape import bare_words, literal_dollar, literal_percent

_PIECE = re.compile(r"%%|\$\$|%[A-Za-z]|\$\{\w+\}")
_WHOLE = re.compile(r"\$([A-Za-z_]\w*)")
# Of the system's own manager; those of a user's are below that user's home and runtime directory.
_FOLDERS = {
    "C": "/var/cache",
    "E": "/etc",
    "L": "/var/log",
    "S": "/var/lib",
    "T": "/tmp",
    "V": "/var/tmp",
    "t": "/run",
}
_HOME = "~"  # what a mount makes of it is told where mounts are read


class Manager:
    """Puts values in as the manager does, and remembers what it had none for."""

    def __init__(self, stem: str, variables: t.Mapping[str, str], home: str | None = None) -> None:
        """``stem`` is the name of the unit without its suffix."""
        prefix, _at, instance = stem.partition("@")
        self.variables = variables
        self.unresolved: list[str] = []
        self._specifiers = {**_FOLDERS, "n": f"{stem}.service", "N": stem, "p": prefix, "h": home or _HOME}
        self._specifiers.update({"i": instance, "I": instance} if instance else {})

    def words(self, line: str) -> list[str]:
        """The words of a line: without quotes and escapes, each value in its place."""
        found: list[str] = []
        for word in bare_words(line):
            whole = _WHOLE.fullmatch(word)
            if whole and whole[1] in self.variables:
                found += self.variables[whole[1]].split()
            elif whole:
                found.append(self._unknown(word))
            else:
                found.append(self.text(word))
        return found

    def text(self, text: str) -> str:
        """The same of a text that is no list of words."""
        return _PIECE.sub(lambda piece: self._value(piece[0]), text)

    def in_quadlets_words(self, text: str) -> str:
        """Specifiers and variables that another unit would not have; all else stays in Quadlet's language."""

        def put(piece: re.Match[str]) -> str:
            written = piece[0]
            if written in ("%%", "$$"):
                return written
            return literal_dollar(literal_percent(self._value(written)))

        return _PIECE.sub(put, text)

    def _value(self, written: str) -> str:
        if written in ("%%", "$$"):
            return written[0]
        known = self._specifiers if written[0] == "%" else self.variables
        value = known.get(written.strip("%${}"))
        return self._unknown(written) if value is None else value

    def _unknown(self, written: str) -> str:
        self.unresolved += [] if written in self.unresolved else [written]
        return written
