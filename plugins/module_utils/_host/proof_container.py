"""A short container that proves something of an image: it has no network, ends by itself, and leaves nothing."""

from __future__ import annotations

import typing as t

from .._release.ownership import LABEL

if t.TYPE_CHECKING:
    from .command import Completed, Run

# Where images keep their Python; the first is wherever PATH says.
PYTHONS = ("python3", "/opt/venv/bin/python3", "/usr/local/bin/python3", "/usr/bin/python3", "python")
_NO_SUCH_PROGRAM = (126, 127)
_TIMED_OUT = 255


def run_python(
    run: Run,
    image: str,
    purpose: str,
    words: t.Sequence[str],
    podman_args: t.Sequence[str] = (),
    timeout: int = 60,
    stdin: str | None = None,
) -> Completed:
    """Run Python in the image with these words behind it. A server of ours never has the container's name, for that holds ``_``."""
    first, *others = PYTHONS
    done = run(*_command(first, image, purpose, podman_args, timeout), *words, stdin=stdin)
    for python in others:
        if done.rc not in _NO_SUCH_PROGRAM or not lacks_python(done):
            break
        done = run(*_command(python, image, purpose, podman_args, timeout), *words, stdin=stdin)
    return done


def lacks_python(done: Completed) -> bool:
    """Whether a container did not start because the image has no such program."""
    said = done.said.lower()
    return done.rc in _NO_SUCH_PROGRAM and ("executable file" in said or "no such file" in said)


def timed_out(done: Completed) -> bool:
    """Whether the container was ended because its time was up; Podman says nothing then."""
    return done.rc == _TIMED_OUT and not done.stderr.strip()


def _command(python: str, image: str, purpose: str, podman_args: t.Sequence[str], timeout: int) -> list[str]:
    # --timeout is kept by the container's own monitor, so it ends in time even when Podman and we are gone.
    # --replace takes away what a host that went down in the middle left.
    # --oom-score-adj: where memory is short, this ends and no server does.
    return [
        "podman", "run", "--rm", "--interactive", "--replace", f"--name=vllm_proof_{purpose}", f"--label={LABEL}.proof={purpose}",
        "--network=none", "--pull=never", f"--timeout={timeout}", "--oom-score-adj=1000", f"--entrypoint={python}",
        *podman_args, image,
    ]  # fmt: skip
