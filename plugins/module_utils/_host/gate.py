"""Looking at a server from its own host, from cheap to dear, until it shows tokens or cannot any more."""

from __future__ import annotations

import dataclasses
import time
import typing as t

from .._diagnosis.diagnose import diagnose_starts, fatal_line
from .._release.gate import Look, Verdict, judge, judge_unit
from .._release.loading import progress
from . import systemd
from .container_process import api_key
from .http import Server
from .journal import read_starts

if t.TYPE_CHECKING:
    from .command import Run

PAUSE_SECONDS = 0.5
# A server that logged why it will not come up gets this long to end by itself: its own words follow then.
FATAL_SECONDS = 5.0
_LOG_EVERY_SECONDS = 2.0


@dataclasses.dataclass(frozen=True)
class Probe:
    """Where to look and what is wanted. ``restarts`` are those of the past; None: what the first look finds are of it."""

    run: Run
    server: Server
    service: str
    served_names: tuple[str, ...]
    kind: str
    restarts: int | None = None

    def look(self) -> tuple[Look, Verdict]:
        """One look, as deep as each answer allows."""
        unit = systemd.unit_state(self.run, self.service)
        look = Look(unit)
        restarts = unit.n_restarts if self.restarts is None else self.restarts
        if judge_unit(unit, restarts) is None:
            look = self._ask(look)
        return look, judge(look, self.served_names, restarts)

    def since(self, look: Look) -> Probe:
        """The same for the looks after this one: a restart from here on is one too many."""
        return self if self.restarts is not None else dataclasses.replace(self, restarts=look.unit.n_restarts)

    def _ask(self, look: Look) -> Look:
        look = dataclasses.replace(look, health=self.server.health())
        if not (look.health and look.health.good):
            return look
        served, problem = self.server.served()
        look = dataclasses.replace(look, served=served, served_problem=problem)
        if served is None or set(served) != set(self.served_names):
            return look
        return dataclasses.replace(look, completion=self.server.complete(self.served_names[0], self.kind))

    def watch(self, known_state: str | None, seconds: float) -> tuple[Probe, Look, Verdict]:
        """Look until the state is final or not the known one any more, or the time is over; and the probe to go on with."""
        until = time.monotonic() + seconds
        probe = self
        while True:
            look, verdict = probe.look()
            probe = probe.since(look)
            if verdict.final or verdict.state != known_state or time.monotonic() + PAUSE_SECONDS > until:
                return probe, look, verdict
            time.sleep(PAUSE_SECONDS)


def probe_of(run: Run, name: str, gate: t.Mapping[str, t.Any], request_timeout: float = 30) -> Probe:
    """A probe for an instance; ``gate`` as the plan holds it."""
    container = f"vllm-{name}"
    return Probe(
        run,
        Server(str(gate["url"]), request_timeout, lambda: api_key(run, container)),
        f"{container}.service",
        tuple(gate["served_names"]),
        str(gate.get("kind") or "auto"),
    )


def seen(probe: Probe, look: Look, verdict: Verdict, log_lines: int = 30) -> dict[str, t.Any]:
    """A look as plain data, with the log and what it says where the state will not get better."""
    lost = verdict.final and not verdict.serving
    found, log = diagnosis(probe.run, probe.service, log_lines) if lost else (None, [])
    return {
        "state": verdict.state,
        "restarts": probe.restarts,
        "final": verdict.final,
        "serving": verdict.serving,
        "message": verdict.message,
        "vllm_version": probe.server.version() if verdict.serving else None,
        "answer": dataclasses.asdict(look.completion) if look.completion else None,
        "seen_at": time.monotonic(),
        "started_at": look.unit.started_at,
        "log": log,
        "diagnosis": found,
    }


class Watcher:
    """One server on its way to its first token: looks, tells progress from the log, and gives up when that is due."""

    def __init__(self, probe: Probe, timeout: float, hold: float) -> None:
        """``timeout`` seconds to the first token, then it must go on serving for ``hold`` seconds."""
        self.probe = probe
        self.began_at = time.monotonic()
        self._timeout, self._hold = timeout, hold
        self._read_log_at = float("-inf")
        self._fatal_since: float | None = None
        self.ready_at: float | None = None
        self.look: Look | None = None
        self.verdict = Verdict("starting", "it was not looked at yet")
        self._far: str | None = None  # as the log said when it was last read

    @property
    def message(self) -> str:
        """What is seen of it, and while it loads how far it is."""
        return f"{self.verdict.message}; {self._far}" if self._far else self.verdict.message

    @property
    def opened(self) -> bool:
        """Whether it has shown tokens, and went on serving."""
        now = time.monotonic()
        return self.ready_at is not None and self.verdict.serving and now - self.ready_at >= self._hold

    @property
    def shut(self) -> str | None:
        """Why it is no use to wait any longer; None while it is, or when it serves."""
        if self.verdict.state == "serving":
            return None
        if self.ready_at is not None:
            return f"it served and then did not any more: {self.verdict.state}: {self.verdict.message}"
        if self.verdict.final:
            return f"{self.verdict.state}: {self.verdict.message}"
        now = time.monotonic()
        if self._fatal_since is not None and now - self._fatal_since > FATAL_SECONDS:
            return f"{self.verdict.state}: its log says that it will not come up"
        if now - self.began_at > self._timeout:
            return f"no token after {self._timeout:g} s: {self.verdict.state}: {self.verdict.message}"
        return None

    def step(self) -> None:
        """One more look."""
        self.look, self.verdict = self.probe.look()
        self.probe = self.probe.since(self.look)
        if self.verdict.serving and self.ready_at is None:
            self.ready_at = time.monotonic()
        loading = self.verdict.state in ("loading", "starting", "unhealthy")
        if not loading:
            self._far = None
        elif time.monotonic() - self._read_log_at > _LOG_EVERY_SECONDS:
            self._read_log()

    def _read_log(self) -> None:
        self._read_log_at = time.monotonic()
        unit = self.look.unit if self.look else None
        lines = systemd.lines_since(self.probe.run, self.probe.service, unit.started_at if unit else None)
        self._far = progress(lines)
        if fatal_line("\n".join(lines)) is None:
            self._fatal_since = None
        elif self._fatal_since is None:
            self._fatal_since = time.monotonic()


def diagnosis(run: Run, service: str, lines: int = 30) -> tuple[dict[str, str] | None, list[str]]:
    """What the log says of the cause, and the last lines of the last start."""
    starts = read_starts(run, service)
    log = [line for line in (starts or [""])[-1].splitlines() if line.strip()][-lines:]
    return (diagnose_starts(starts).as_dict() if starts else None), log
