"""Run commands, and say how long a step took."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import typing as t
from pathlib import Path

KEPT_FOR_ROOT = (
    *("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
)


class SandboxError(Exception):
    """Something to tell the person at the keyboard; never a traceback."""


def say(text: str) -> None:
    """One line of progress."""
    print(f"sandbox: {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def step(name: str) -> t.Iterator[None]:
    """Tell a step's end and its seconds."""
    began = time.monotonic()
    yield
    say(f"{name}: {time.monotonic() - began:.1f} s")


def run(
    command: t.Sequence[str],
    *,
    check: bool = True,
    stdin: bytes | t.IO[bytes] | None = None,
    env: t.Mapping[str, str] | None = None,
    log: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command; its output goes to `log` or is returned. A failure becomes one message with the output's end."""
    source: dict[str, t.Any] = (
        {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin or subprocess.DEVNULL}
    )
    with contextlib.ExitStack() as stack:
        sink: t.Any = subprocess.PIPE if log is None else stack.enter_context(log.open("ab"))
        errors = subprocess.PIPE if log is None else subprocess.STDOUT
        raw = subprocess.run(command, stdout=sink, stderr=errors, env=env, check=False, **source)
    done = subprocess.CompletedProcess(
        list(command),
        raw.returncode,
        (raw.stdout or b"").decode(errors="replace"),
        (raw.stderr or b"").decode(errors="replace"),
    )
    if check and done.returncode != 0:
        raise SandboxError(failure(done, log))
    return done


def failure(done: subprocess.CompletedProcess[str], log: Path | None = None) -> str:
    """Name the command, its exit code and the last lines of what it said."""
    output = log.read_text(errors="replace") if log else done.stdout + done.stderr
    tail = "\n".join(f"    {line}" for line in output.strip().splitlines()[-15:])
    return f"{' '.join(done.args)[:300]}\n  ended with {done.returncode}\n{tail}"


def succeeds(command: t.Sequence[str]) -> bool:
    """Whether the command ends with 0."""
    return run(command, check=False).returncode == 0


def become_root() -> None:
    """Start this program again through sudo, with the cache and pip's configuration of the person who called it."""
    if os.geteuid() == 0:
        return
    kept = [
        f"{name}={value}"
        for name, value in os.environ.items()
        if name in KEPT_FOR_ROOT or name.startswith("PIP_")
    ]
    os.execvp("sudo", ["sudo", "env", *kept, sys.executable, *sys.argv])
