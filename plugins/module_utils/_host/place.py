"""Changing files of a host, or in check mode telling what would be changed."""

from __future__ import annotations

import dataclasses
import typing as t
from pathlib import Path

from . import release_files

if t.TYPE_CHECKING:
    from .command import Run

ASIDE = ".set-aside"


@dataclasses.dataclass
class Place:
    """A host, what was (or would be) done on it, and the difference; ``root`` is another one in tests."""

    run: Run
    check: bool = False
    root: str = "/"
    actions: list[str] = dataclasses.field(default_factory=list)
    diff: list[dict[str, str]] = dataclasses.field(default_factory=list)

    def path(self, path: str) -> Path:
        """A path of the host."""
        return Path(self.root, path.lstrip("/"))

    def read(self, path: str) -> str | None:
        """A file's text; None where there is none."""
        try:
            return self.path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def write(self, path: str, text: str) -> bool:
        """Have a file hold this text; whether it did not."""
        before = self.read(path)
        if before == text:
            return False
        self.actions.append(f"write {path}")
        self.show(path, before, text)
        if not self.check:
            release_files.write(self.path(path), text)  # half a file would keep Podman from working at all
            self.path(path).chmod(0o644)
        return True

    def remove(self, path: str, mark: str) -> bool:
        """Remove a file of ours, known by the mark at its start; whether there was one."""
        before = self.read(path) or ""
        if not before.startswith(mark):
            return False
        self.actions.append(f"remove {path}")
        self.show(path, before, None)
        if not self.check:
            self.path(path).unlink()
        return True

    def set_aside(self, path: str) -> None:
        """Rename a file, so that neither Podman nor systemd reads it, and nothing is lost."""
        self.actions.append(f"rename {path} to {path}{ASIDE}")
        self.show(path, "a file\n", f"renamed to {path}{ASIDE}\n")
        if not self.check:
            file = self.path(path)
            file.replace(file.with_name(file.name + ASIDE))

    def show(self, path: str, before: str | None, after: str | None) -> None:
        """Put a difference into the result."""
        texts = {"before": before or "", "after": after or ""}
        self.diff.append({"before_header": path, "after_header": path, **texts})
