"""A transaction as a program of its own on the host: started by systemd, it ends whatever becomes of who asked for it.

The program is this collection's own code, packed from what is loaded: the host needs nothing but Python.
"""

from __future__ import annotations

import json
import sys
import time
import typing as t
import zipfile
from pathlib import Path

from .._release.transaction import LOST, Job, State, TornError, parse_job, parse_state
from . import lock, systemd
from .command import HostError, plain_run
from .release_files import TRANSACTIONS, read, write
from .release_run import BEGIN, PROGRAM, VERDICT, Transaction

if t.TYPE_CHECKING:
    from .command import Run

_KEPT = 20
_PACKAGE = __name__.rpartition("._host.")[0]  # …plugins.module_utils
_CODE = "import sys; sys.path.insert(0, sys.argv[1]); from {} import main; sys.exit(main(sys.argv[2]))"


def folder_of(state_dir: str, id_: str) -> Path:
    """Where a transaction has its files."""
    return Path(state_dir) / TRANSACTIONS / id_


def unit_of(id_: str) -> str:
    """The unit that runs a transaction."""
    return f"vllm-fleet-transaction-{id_}.service"


def begin(run: Run, job: Job) -> None:
    """Hand the job to the host, and come back at once."""
    folder = folder_of(job.state_dir, job.id)
    _forget_old(folder.parent)
    folder.mkdir(mode=0o700, parents=True)
    write(folder / "job.json", job.text(), 0o600)
    write(folder / "state.json", State(job.id).text(), 0o600)
    _start(run, job.state_dir, job.id)


def resume(run: Run, state_dir: str, id_: str) -> None:
    """Start the program of a transaction that died, so that it comes to its end; one that runs is left alone.

    One that was never begun has touched nothing, and what it was asked for may be out of date: it ends here.
    """
    if is_running(run, id_):
        return
    state = state_of(state_dir, id_)
    if state is None or state.step != BEGIN:
        job_of(state_dir, id_)  # its program could not say what is wrong with it
        _start(run, state_dir, id_)
        return
    state.ended, state.problem = True, "it was never begun; nothing was touched"
    write(folder_of(state_dir, id_) / "state.json", state.text(), 0o600)


def _start(run: Run, state_dir: str, id_: str) -> None:
    folder = folder_of(state_dir, id_)
    _pack(folder / PROGRAM)  # a newer collection may know better how to undo
    done = run(
        "systemd-run", "--quiet", "--collect", f"--unit={unit_of(id_)}",
        "--description", "A release of vLLM servers, until it is accepted or undone",
        # Killed, it goes back by itself.
        "--property=Restart=on-failure", "--property=RestartSec=1",
        "--property=StartLimitIntervalSec=600", "--property=StartLimitBurst=5",
        "--property=KillMode=process", "--property=OOMScoreAdjust=-900",
        sys.executable, "-c", _CODE.format(__name__), str(folder / PROGRAM), str(folder),
    )  # fmt: skip
    if not done.ok and not is_running(run, id_):  # another run may have started it at the same moment
        raise HostError(f"systemd does not start the release: {done.said}", done)


def is_running(run: Run, id_: str) -> bool:
    """Whether its program runs, or is about to be started again."""
    return systemd.is_running(run, unit_of(id_))


def state_of(state_dir: str, id_: str) -> State | None:
    """How far a transaction is; None where there is none. One that cannot be read is not at its end."""
    path = folder_of(state_dir, id_) / "state.json"
    text = read(path)
    try:
        return None if text is None else parse_state(text)
    except TornError as error:
        return State(id_, step=LOST, message=f"{path}: {error}")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def job_of(state_dir: str, id_: str) -> Job | None:
    """What a transaction was asked to do."""
    path = folder_of(state_dir, id_) / "job.json"
    text = read(path)
    try:
        return None if text is None else parse_job(text)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"{path} cannot be used: {error}. See what serves (docs/rollout.md, By hand), and then remove {path.parent}"
        ) from error


def unfinished(state_dir: str) -> str | None:
    """The oldest transaction that has not come to its end; None where all have."""
    return next((state.id for state in _unfinished(state_dir)), None)


def _unfinished(state_dir: str) -> t.Iterator[State]:
    folder = Path(state_dir) / TRANSACTIONS
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        state = state_of(state_dir, each.name)
        if state is not None and not state.ended:
            yield state


def say(state_dir: str, id_: str, transition: int, serving: bool, name: str, message: str) -> None:
    """Leave the control node's word for the transaction."""
    text = json.dumps({"serving": serving, "name": name, "message": message})
    write(folder_of(state_dir, id_) / f"{transition}.{VERDICT}", text, 0o600)


def watch(state_dir: str, id_: str, known: int, seconds: float) -> State | None:
    """Its state, as soon as it is another one than ``known``, or when the time is over."""
    until = time.monotonic() + seconds
    while True:
        state = state_of(state_dir, id_)
        if state is None or state.ended or state.serial != known or time.monotonic() >= until:
            return state
        time.sleep(0.2)


def main(folder: str) -> int:
    """The program: hold the lock, and bring the job to its end."""
    place = Path(folder)
    with lock.held(place.name):
        bring_to_its_end(plain_run, place)
    return 0


def bring_to_its_end(run: Run, place: Path) -> None:
    """Do what the job says, or go back; the caller holds the lock. What stands on disk is read under it."""
    state_dir = str(place.parent.parent)
    job, state = job_of(state_dir, place.name), state_of(state_dir, place.name)
    if job is None or state is None or state.ended:  # another program did it meanwhile
        return
    work = Transaction(run, job, place, state)
    died = [each.id for each in _unfinished(job.state_dir) if each.id != job.id and each.step != BEGIN]
    if died and state.step == BEGIN:
        work.end(
            f"the transaction {died[0]} died in the middle and comes first: run again. Nothing was touched"
        )
    else:
        work.work()


def _pack(path: Path) -> None:
    """Every loaded module of this collection, with the empty packages above them."""
    texts: dict[str, str] = {}
    for name, module in list(sys.modules.items()):
        loader: t.Any = getattr(module, "__loader__", None)
        if (name + ".").startswith(_PACKAGE + ".") and hasattr(loader, "get_source"):
            is_package = hasattr(module, "__path__")
            texts[_file(name, is_package)] = loader.get_source(name) or ""
    parts = _PACKAGE.split(".")
    texts.update({_file(".".join(parts[:end]), True): "" for end in range(1, len(parts) + 1)})
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(texts.items()):
            archive.writestr(name, text)


def _file(module: str, is_package: bool) -> str:
    return module.replace(".", "/") + ("/__init__.py" if is_package else ".py")


def _forget_old(folder: Path) -> None:
    """Keep the newest ones for who wants to read them. Their names begin with a date, so they sort by age."""
    old = sorted(folder.iterdir())[:-_KEPT] if folder.is_dir() else []
    for each in old:
        for file in each.iterdir():
            file.unlink()
        each.rmdir()
