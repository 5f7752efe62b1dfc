"""How a program on this host is run. The rest of ``_host`` takes a ``Run`` and never a module."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import typing as t

if t.TYPE_CHECKING:
    from ansible.module_utils.basic import AnsibleModule


# A driver that hangs must hang nothing else: a program that asks it is waited for this long.
_MOST_SECONDS = {"nvidia-smi": 60.0}
TIMED_OUT = 124  # as timeout(1) ends


@dataclasses.dataclass(frozen=True)
class Completed:
    """A program that has ended."""

    command: tuple[str, ...]
    rc: int
    stdout: str
    stderr: str

    @property
    def ok(self) -> bool:
        """Whether it ended with 0."""
        return self.rc == 0

    @property
    def said(self) -> str:
        """What it complained about: the error output, else the output, in one piece."""
        return (self.stderr.strip() or self.stdout.strip()) or f"nothing, and ended with {self.rc}"


class Run(t.Protocol):
    """Runs a program and waits for it; a program that does not exist ends with 127."""

    def __call__(
        self, *command: str, env: t.Mapping[str, str] | None = None, stdin: str | None = None
    ) -> Completed:
        """Run the command, with ``env`` over this process's own environment and ``stdin`` to read."""


class HostError(Exception):
    """Something on this host that the caller cannot go on without; the message is for the operator."""

    def __init__(self, message: str, completed: Completed | None = None) -> None:
        """Keep the program's own words beside ours."""
        super().__init__(message)
        self.completed = completed


def runner(module: AnsibleModule) -> Run:
    """The one place where ``module.run_command`` is called."""

    def run(*command: str, env: t.Mapping[str, str] | None = None, stdin: str | None = None) -> Completed:
        if command[0] in _MOST_SECONDS:
            return plain_run(*command, env=env, stdin=stdin)
        try:
            rc, stdout, stderr = module.run_command(  # type: ignore[no-untyped-call]
                list(command),
                environ_update=dict(env or {}),
                data=None if stdin is None else stdin.encode(),
                binary_data=True,
                handle_exceptions=False,
            )
        except FileNotFoundError:
            return Completed(command, 127, "", f"{command[0]}: not found on this host")
        return Completed(command, rc, stdout, stderr)

    return run


def plain_run(*command: str, env: t.Mapping[str, str] | None = None, stdin: str | None = None) -> Completed:
    """A ``Run`` for a program of ours that runs on the host without Ansible."""
    seconds = _MOST_SECONDS.get(command[0])
    try:
        program = subprocess.Popen(
            command,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})},
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError:
        return Completed(command, 127, "", f"{command[0]}: not found on this host")
    try:
        said = program.communicate(None if stdin is None else stdin.encode(), seconds)
    except subprocess.TimeoutExpired:
        program.kill()  # and not waited for: what hangs in the driver heeds no signal
        return Completed(command, TIMED_OUT, "", f"{command[0]}: no answer in {seconds:g} s")
    texts = (each.decode("utf-8", "surrogateescape") for each in said)
    return Completed(command, program.returncode, *texts)
