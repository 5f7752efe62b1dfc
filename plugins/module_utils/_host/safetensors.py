"""The headers of safetensors files: names, types and sizes of tensors, without reading one of them."""

from __future__ import annotations

import dataclasses
import json
import struct
from pathlib import Path

_LENGTH = struct.Struct("<Q")
_LARGEST_HEADER = 100_000_000  # the format's own limit
_POINTER = b"version https://git-lfs"

Tensor = tuple[str, str, int]  # name, type, bytes


class BadFileError(ValueError):
    """A file that is not whole, or is something else; ``code`` says which."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclasses.dataclass(frozen=True)
class Header:
    """What one file holds."""

    path: Path
    tensors: tuple[Tensor, ...]


def read_header(path: Path) -> Header:
    """The header of a file that is there in full; BadFileError otherwise, OSError where it cannot be read."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(_LENGTH.size)
        length = _length(path, start, start + file.read(len(_POINTER) - _LENGTH.size))
        if length > size - _LENGTH.size:
            raise BadFileError("half_downloaded", f"{path.name} ends within its header, after {size} bytes")
        file.seek(_LENGTH.size)
        text = file.read(length)
    tensors, ends = _tensors(path, text)
    missing = _LENGTH.size + length + ends - size
    if missing > 0:
        raise BadFileError("half_downloaded", f"{path.name} lacks {missing} bytes at its end")
    return Header(path, tensors)


def _length(path: Path, start: bytes, longer: bytes) -> int:
    if longer == _POINTER:
        raise BadFileError("git_lfs_pointer", f"{path.name} is a Git LFS pointer, not the file itself")
    if len(start) < _LENGTH.size:
        raise BadFileError("half_downloaded", f"{path.name} holds {len(start)} bytes")
    length = int(_LENGTH.unpack(start)[0])
    if not 0 < length <= _LARGEST_HEADER:
        raise BadFileError("not_safetensors", f"{path.name} does not begin with a safetensors header")
    return length


def _tensors(path: Path, text: bytes) -> tuple[tuple[Tensor, ...], int]:
    """Every tensor with its type and bytes, and where the last one ends."""
    tensors: list[Tensor] = []
    last = 0
    try:
        for name, entry in json.loads(text).items():
            if name != "__metadata__":
                start, end = (int(offset) for offset in entry["data_offsets"])
                tensors.append((str(name), str(entry["dtype"]), end - start))
                last = max(last, end)
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        raise BadFileError(
            "not_safetensors", f"the header of {path.name} cannot be read: {problem}"
        ) from None
    return tuple(tensors), last
