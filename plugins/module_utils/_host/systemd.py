"""systemd on this host: what a unit is doing, and starting and stopping it."""

from __future__ import annotations

import time
import typing as t

from .._release.gate import UnitState
from .command import HostError

if t.TYPE_CHECKING:
    from .command import Run

_PROPERTIES = (
    "LoadState",
    "ActiveState",
    "SubState",
    "Result",
    "NRestarts",
    "Job",
    "InactiveExitTimestampMonotonic",
    "NeedDaemonReload",
)


def parse_show(text: str) -> dict[str, str]:
    """``Key=value`` lines of ``systemctl show``."""
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def unit_state(run: Run, unit: str) -> UnitState:
    """What systemd says of the unit; an unknown unit has the load state ``not-found``."""
    shown = show(run, unit)
    left_inactive = int(shown.get("InactiveExitTimestampMonotonic") or 0)
    return UnitState(
        load_state=shown.get("LoadState", "not-found"),
        active_state=shown.get("ActiveState", "inactive"),
        sub_state=shown.get("SubState", "dead"),
        result=shown.get("Result", "success"),
        n_restarts=int(shown.get("NRestarts") or 0),
        has_job=shown.get("Job", "") not in ("", "0"),
        started_at=left_inactive / 1e6 if left_inactive else None,
    )


def show(run: Run, unit: str) -> dict[str, str]:
    """The properties that the collection asks for, by name."""
    done = run("systemctl", "show", "--property", ",".join(_PROPERTIES), "--", unit)
    if not done.ok:
        raise HostError(f"systemd does not answer: {done.said}", done)
    return parse_show(done.stdout)


def is_running(run: Run, unit: str) -> bool:
    """Whether a transient unit is there and not at its end; one that systemd is about to start again runs."""
    return unit_state(run, unit).active_state in ("active", "activating", "deactivating")


def daemon_reload(run: Run) -> None:
    """Have the generators run and the units read again."""
    _must(run, "systemctl", "daemon-reload")


def start(run: Run, unit: str) -> None:
    """Queue the start and come back at once: whether it serves is for the gate to see."""
    _must(run, "systemctl", "reset-failed", "--", unit, tolerate=True)
    _must(run, "systemctl", "start", "--no-block", "--", unit)


def stop(run: Run, *units: str) -> None:
    """Stop the units, at once and together, and wait until they have stopped."""
    _must(run, "systemctl", "stop", "--", *units)


def lines_since(run: Run, unit: str, moment: float | None, lines: int = 400) -> list[str]:
    """The unit's last log lines since a moment of the monotonic clock, oldest first."""
    if moment is None:
        return []
    ago = max(0.0, time.monotonic() - moment)
    done = run(
        "journalctl", "--unit", unit, f"--since=-{ago:.0f}s", "--lines", str(lines), "--no-pager", "--quiet",
        "--output", "cat",
    )  # fmt: skip
    return done.stdout.splitlines() if done.ok else []


def last_lines(run: Run, unit: str, lines: int) -> list[str]:
    """The unit's last log lines of this boot, oldest first; [] where the journal has none."""
    done = run(
        "journalctl", "--unit", unit, "--boot", "--lines", str(lines), "--no-pager", "--quiet", "--output", "cat"
    )  # fmt: skip
    return done.stdout.splitlines() if done.ok else []


def _must(run: Run, *command: str, tolerate: bool = False) -> None:
    done = run(*command)
    if not done.ok and not tolerate:
        raise HostError(f"{' '.join(command)}: {done.said}", done)
