"""Fingerprints of OpenPGP keys, read without any program: hosts need not have gpg. RFC 4880 and RFC 9580."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import typing as t

_PUBLIC_KEY = 6
_ARMOR = re.compile(
    r"-----BEGIN PGP PUBLIC KEY BLOCK-----\s*?\n(?:[^\n]*: [^\n]*\n)*\s*?\n?(.*?)-----END PGP PUBLIC KEY BLOCK-----",
    re.DOTALL,
)


def fingerprints(armored: str) -> list[str]:
    """The fingerprints of the primary keys in some armored text; ValueError where it holds none."""
    blocks = _ARMOR.findall(armored.replace("\r\n", "\n"))
    if not blocks:
        raise ValueError("this is no armored OpenPGP public key (-----BEGIN PGP PUBLIC KEY BLOCK-----)")
    found = [
        _fingerprint(body) for block in blocks for tag, body in _packets(_decode(block)) if tag == _PUBLIC_KEY
    ]
    if not found:
        raise ValueError("there is no public key in it")
    return found


def normal(fingerprint: str) -> str:
    """A fingerprint as people write it, with or without spaces, in one form."""
    return re.sub(r"[\s:]", "", fingerprint).removeprefix("0x").upper()


def _decode(block: str) -> bytes:
    lines = (line.strip() for line in block.splitlines())
    text = "".join(line for line in lines if line and not line.startswith("="))  # "=…" is the checksum
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"the armor of the key is damaged: {error}") from error


def _packets(data: bytes) -> t.Iterator[tuple[int, bytes]]:
    position = 0
    while position < len(data):
        head = data[position]
        if not head & 0x80:
            raise ValueError("the key is damaged: a packet does not begin where one should")
        if head & 0x40:
            tag, (length, start) = head & 0x3F, _new_length(data, position + 1)
        else:
            tag, (length, start) = (head >> 2) & 0x0F, _old_length(data, position + 1, head & 3)
        if start + length > len(data):
            raise ValueError("the key is cut off")
        yield tag, data[start : start + length]
        position = start + length


def _new_length(data: bytes, at: int) -> tuple[int, int]:
    first = _byte(data, at)
    if first < 192:
        return first, at + 1
    if first < 224:
        return ((first - 192) << 8) + _byte(data, at + 1) + 192, at + 2
    if first == 255:
        return int.from_bytes(data[at + 1 : at + 5], "big"), at + 5
    raise ValueError("the key has a packet of unknown length")


def _old_length(data: bytes, at: int, kind: int) -> tuple[int, int]:
    if kind == 3:
        return len(data) - at, at
    size = 1 << kind
    return int.from_bytes(data[at : at + size], "big"), at + size


def _byte(data: bytes, at: int) -> int:
    if at >= len(data):
        raise ValueError("the key is cut off")
    return data[at]


def _fingerprint(body: bytes) -> str:
    version = _byte(body, 0)
    if version == 4:  # SHA-1 is what a fingerprint of version 4 is; it protects nothing here
        head = b"\x99" + len(body).to_bytes(2, "big")
        return hashlib.sha1(head + body, usedforsecurity=False).hexdigest().upper()
    if version == 6:
        head = b"\x9b" + len(body).to_bytes(4, "big")
        return hashlib.sha256(head + body).hexdigest().upper()
    raise ValueError(f"a key of version {version} is not supported")
