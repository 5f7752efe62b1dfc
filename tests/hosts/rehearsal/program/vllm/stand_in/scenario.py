"""What a rehearsal is to show: keys from the environment, and from a file that is read again at every look."""

from __future__ import annotations

import dataclasses
import json
import typing as t
from pathlib import Path

CONTROL_FILE = "/rehearsal/control.json"
PHASES = ("parse", "config", "load", "profile", "capture", "serving")


class ScenarioError(ValueError):
    """A key or value that this program does not know."""


@dataclasses.dataclass(frozen=True)
class Scenario:
    """How this server behaves; the defaults are those of a good one."""

    load_seconds: float = 1.0  # from start to the first 200 of /health
    task: str = ""  # generate, embed, score; empty: by --runner and --convert
    tokens_per_second: float = 0.0  # of one request; 0: at once
    fail: str = ""  # a class of failures
    fail_at: str = ""  # parse, config, load, profile, capture, serving; empty: where that class fails
    fail_after: float = 0.0  # with serving: seconds after it became healthy
    exit_code: int = -1  # instead of the one of the class
    hang: str = ""  # load, health, tokens
    health: int = 200  # the status of /health
    serve_as: str = ""  # names to serve instead of those of the command line, separated by spaces
    root: str = ""  # the model that /v1/models tells instead of the one of the command line
    stop_seconds: float = 0.0  # ignore SIGTERM that long

    def __post_init__(self) -> None:
        """Refuse what would silently do nothing."""
        _one_of("task", self.task, ("", "generate", "embed", "score"))
        _one_of("hang", self.hang, ("", "load", "health", "tokens"))
        _one_of("fail_at", self.fail_at, ("", *PHASES))


def _one_of(key: str, value: str, known: t.Sequence[str]) -> None:
    if value not in known:
        raise ScenarioError(f"{key}={value}: it is one of {', '.join(name or 'nothing' for name in known)}")


_KINDS = {field.name: type(field.default) for field in dataclasses.fields(Scenario)}


def parse(text: str) -> dict[str, t.Any]:
    """A JSON object, or key=value,key=value."""
    text = text.strip()
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except ValueError as error:
            raise ScenarioError(f"no JSON: {error}") from error
    else:
        found = dict(part.strip().partition("=")[::2] for part in text.split(",") if part.strip())
    return {key: _converted(key, value) for key, value in found.items()}


def _converted(key: str, value: t.Any) -> t.Any:
    kind = _KINDS.get(key)
    if kind is None:
        raise ScenarioError(f"there is no key {key!r}; there are: {', '.join(_KINDS)}")
    try:
        return kind(value)
    except (TypeError, ValueError) as error:
        raise ScenarioError(f"{key}={value}: {kind.__name__} is wanted") from error


class Source:
    """The scenario as it is now."""

    def __init__(self, environ: t.Mapping[str, str]) -> None:
        """The environment holds for good, and is refused at once when it is wrong."""
        self._fixed = parse(environ.get("REHEARSAL", ""))
        self._file = Path(environ.get("REHEARSAL_CONTROL", CONTROL_FILE))
        self._seen: tuple[int, int] | None = None
        self._now = Scenario(**self._fixed)

    def now(self) -> Scenario:
        """With what the file says; a file that is being written, or is wrong, leaves everything as it was."""
        try:
            stat = self._file.stat()
            seen = stat.st_mtime_ns, stat.st_size
            if seen != self._seen:
                self._now = Scenario(**{**self._fixed, **parse(self._file.read_text())})
                self._seen = seen
        except FileNotFoundError:
            self._seen, self._now = None, Scenario(**self._fixed)
        except (OSError, ScenarioError) as error:
            print(f"rehearsal: {self._file}: {error}", flush=True)
        return self._now
