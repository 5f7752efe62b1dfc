"""What one run of a playbook has found out, shared by all its hosts: one asks, the others take its answer.

It lies in the folder that Ansible makes for the run on the control node, which nobody else may read or write, and removes
after it: the workers of all hosts, batches and plays find the same.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import typing as t
from pathlib import Path

from ansible import constants


@contextlib.contextmanager
def shared(name: str, folder: str | None = None) -> t.Iterator[dict[str, t.Any]]:
    """A mapping that every task of this run sees; while somebody has it, the others wait.

    What was changed in it is kept, unless the body fails. ``folder`` is the run's if None.
    """
    place = folder if folder is not None else str(vars(constants)["DEFAULT_LOCAL_TMP"])
    path = Path(place, f"vllm-fleet-{name}.json")
    path.touch(mode=0o600)
    with path.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known: dict[str, t.Any] = json.loads(file.read() or "{}")
        yield known
        file.seek(0)
        file.truncate()
        json.dump(known, file)
