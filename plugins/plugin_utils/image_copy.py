"""An archive on its way from the control node to a host."""

from __future__ import annotations

import hashlib
import typing as t
from pathlib import Path

from ..module_utils._host.release_files import ARCHIVES
from .image_run import Told
from .progress import Progress

_PIECE_BYTES = 64 << 20


class Host(t.Protocol):
    """What of a host is needed."""

    name: str

    def step(self, step: str, **options: t.Any) -> Told:
        """Have ``vllm_image_host`` do one step."""

    def send(self, piece: bytes) -> str:
        """Copy a piece of a file; its path on the host."""


def copy_archive(
    host: Host, reference: str, path: str, state_dir: str, progress: Progress
) -> tuple[str, Told | None]:
    """Where it is on the host, or why it cannot be there.

    It goes in pieces, so that it is told how far it is, and a connection that is lost costs one of them.
    """
    seen = Path(path).stat()
    name = hashlib.sha256(f"{path} {seen.st_size} {seen.st_mtime_ns}".encode()).hexdigest()[:12]
    target = f"{state_dir}/{ARCHIVES}/{name}"
    began = host.step("receive", image=reference, archive=target, size=seen.st_size)
    if began["trouble"]:
        return target, began["trouble"]
    done = began["size"] if began["size"] <= seen.st_size else 0
    with Path(path).open("rb") as file:
        while done < seen.st_size:
            progress.bytes(done, seen.st_size, "copied")
            file.seek(done)
            there = host.send(file.read(_PIECE_BYTES))
            answer = host.step("receive", image=reference, archive=target, piece=there, offset=done)
            done = int(answer["size"])
    return target, None
