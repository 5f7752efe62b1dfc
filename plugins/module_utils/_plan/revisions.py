"""One commit for all hosts of a run."""

from __future__ import annotations

import collections
import re
import typing as t

_COMMIT = re.compile(r"[0-9a-f]{40}")


def is_commit(revision: str | None) -> bool:
    """Whether a revision is a commit, which never means another one."""
    return bool(revision and _COMMIT.fullmatch(revision))


def choose(remembered: t.Mapping[str, str]) -> str:
    """What most hosts have; of equals what the first host of the inventory has, so that nothing depends on chance."""
    counted = collections.Counter(remembered.values())
    most = max(counted.values())
    return next(commit for commit in remembered.values() if counted[commit] == most)
