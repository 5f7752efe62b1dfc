"""The journal of a unit on this host, one text for each time the unit was started."""

from __future__ import annotations

import json
import typing as t

from .command import HostError

if t.TYPE_CHECKING:
    from .command import Run

# A start of eight GPUs with a traceback each is about 4000 lines.
MOST_LINES = 10000
# What a program wrote carries the first field, what systemd says of the unit the second.
_START_FIELDS = ("_SYSTEMD_INVOCATION_ID", "INVOCATION_ID")
# What Podman notes of a container's life says nothing of why it ended.
_PODMAN_NOTE = "PODMAN_EVENT"


def read_starts(run: Run, unit: str, lines: int = MOST_LINES) -> list[str]:
    """What the last starts of the unit logged, the oldest first; [] where the journal has nothing of it."""
    done = run(
        "journalctl", "--unit", unit, "--lines", str(lines), "--no-pager", "--quiet", "--all",
        "--output", "json", "--output-fields", f"MESSAGE,{_PODMAN_NOTE},{','.join(_START_FIELDS)}",
    )  # fmt: skip
    if not done.ok:
        raise HostError(f"The journal of {unit} can't be read: {done.said}", done)
    return starts_in(done.stdout)


def starts_in(text: str) -> list[str]:
    """The messages of ``journalctl --output json``, put together by start."""
    starts: dict[str, list[str]] = {}
    for line in text.splitlines():
        entry = _entry(line)
        if entry is None or _PODMAN_NOTE in entry:
            continue
        start = next((str(entry[field]) for field in _START_FIELDS if entry.get(field)), "")
        # The start that wrote last stands last, also where an older one still said something in between.
        messages = starts.pop(start, [])
        messages.append(_message(entry.get("MESSAGE")))
        starts[start] = messages
    return ["\n".join(messages) for messages in starts.values()]


def _entry(line: str) -> dict[str, t.Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _message(value: t.Any) -> str:
    """A message; one with colours or bytes that are no text comes as a list of numbers."""
    if isinstance(value, list):
        return bytes(number & 0xFF for number in value if isinstance(number, int)).decode("utf-8", "replace")
    return "" if value is None else str(value)
