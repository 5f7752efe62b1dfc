"""Long work on this host that goes on without whoever asked for it: a transient unit, and a folder with what came of it.

Whoever asks again, from another terminal too, finds the same work under the same name.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import time
import typing as t
from pathlib import Path

from . import systemd
from .command import HostError
from .release_files import JOBS, read, write

if t.TYPE_CHECKING:
    from .command import Run

_PAUSE = 0.5
_MOST_OUTPUT = 4096  # bytes
ENVIRONMENT = "environment"  # the file with the variables of the work, in its folder
# Keeps the exit code, which systemd forgets with the unit.
_SHELL = (
    'folder=$1; shift; "$@" >"$folder/output" 2>&1; echo $? >"$folder/.rc"; mv "$folder/.rc" "$folder/rc"'
)


@dataclasses.dataclass(frozen=True)
class Job:
    """A piece of work: the unit that does it, and where its files are. It may write ``state.json`` there."""

    unit: str
    folder: Path

    @property
    def name(self) -> str:
        """The same wherever the same is asked for."""
        return self.folder.name


def kept(state_dir: str, name: str) -> Job:
    """Work whose folder is there after a reboot, too; ``state_dir`` is where the collection keeps its state."""
    return Job(f"vllm-fleet-job-{name}.service", Path(state_dir) / JOBS / name)


@dataclasses.dataclass(frozen=True)
class Seen:
    """A look at the work. ``rc`` is None while it runs, and where it was lost with a reboot."""

    running: bool
    rc: int | None
    state: dict[str, t.Any]
    output: str
    seen_at: float

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to wait for."""
        return not self.running


def start(
    run: Run,
    job: Job,
    command: t.Sequence[str],
    files: t.Mapping[str, str],
    stdin: str | None = None,
    environment: t.Mapping[str, str] | None = None,
) -> bool:
    """Begin the work, unless it runs already; whether it was begun here. ``stdin`` names one of ``files``."""
    if runs(run, job):
        return False
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(mode=0o700, parents=True)
    given = [f"--property=StandardInput=file:{job.folder / stdin}"] if stdin else []
    if environment:
        # Not on the command line, which everybody on the host may read: the address of a proxy may hold a password.
        files = {**files, ENVIRONMENT: "".join(_line(*each) for each in environment.items())}
        given += [f"--property=EnvironmentFile={job.folder / ENVIRONMENT}"]
    for name, text in files.items():
        write(job.folder / name, text, mode=0o600)
    # systemd has a meaning of its own for a dollar.
    words = [word.replace("$", "$$") for word in (_SHELL, "sh", str(job.folder), *command)]
    done = run(
        "systemd-run", "--quiet", "--collect", f"--unit={job.unit}", f"--description=vllm-fleet: {job.name}", *given,
        "--", "/bin/sh", "-c", *words,
    )  # fmt: skip
    if not done.ok:
        raise HostError(f"systemd does not start {job.unit}: {done.said}", done)
    return True


def _line(name: str, value: str) -> str:
    """A variable as systemd reads it from a file."""
    for mark in ("\\", '"'):
        value = value.replace(mark, f"\\{mark}")
    return f'{name}="{value}"\n'


def look(run: Run, job: Job, watch: float = 0, known: str = "") -> Seen:
    """See how the work is; wait up to ``watch`` seconds for its end, or for another phase than ``known``."""
    until = time.monotonic() + watch
    while True:
        seen = _seen(run, job)
        if seen.ended or time.monotonic() >= until or (known and seen.state.get("phase", known) != known):
            return seen
        time.sleep(_PAUSE)


def runs(run: Run, job: Job) -> bool:
    """Whether it goes on at this moment."""
    return systemd.is_running(run, job.unit)


def stop(run: Run, job: Job) -> None:
    """End the work."""
    run("systemctl", "stop", "--", job.unit)


def _seen(run: Run, job: Job) -> Seen:
    running = runs(run, job)  # first: what it wrote last is then read after its end
    rc = (read(job.folder / "rc") or "").strip()
    output = _end_of(job.folder / "output")
    state = json.loads(read(job.folder / "state.json") or "{}")
    return Seen(running, int(rc) if rc else None, state, output, time.monotonic())


def _end_of(path: Path) -> str:
    """The last of what a program said, which may be much, and in any encoding."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _MOST_OUTPUT))
            return file.read(_MOST_OUTPUT).decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
