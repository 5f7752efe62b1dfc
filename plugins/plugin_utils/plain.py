"""What Ansible hands to a plugin, turned into plain builtins: the core of this collection knows nothing of Ansible."""

from __future__ import annotations

import collections.abc
import typing as t

VAULTED = "********"  # stands for a vaulted value that nobody needed to read


def is_vaulted(value: t.Any) -> bool:
    """Whether the value is still encrypted; told by its shape, for the classes differ between ansible-core releases."""
    kinds = {kind.__name__ for kind in type(value).__mro__}
    return bool(kinds & {"AnsibleVaultEncryptedUnicode", "EncryptedString"})


def to_plain(value: t.Any, reveal: bool = True) -> t.Any:
    """Plain dicts, lists, strings, numbers, booleans and None; tags, vault, unsafe and lazy containers are gone.

    A vaulted value is decrypted, unless ``reveal`` is false: then ``VAULTED`` stands in its place and the vault is not
    asked. Anything that is not data (a template that failed, an object) becomes its text.
    """
    if value is None or isinstance(value, bool):
        return value
    if is_vaulted(value):
        return _scalar(str(value)) if reveal else VAULTED
    if isinstance(value, collections.abc.Mapping):
        return {to_plain(key, reveal): to_plain(value[key], reveal) for key in value}
    if isinstance(value, (collections.abc.Sequence, collections.abc.Set)) and not isinstance(
        value, (str, bytes)
    ):
        return [to_plain(each, reveal) for each in value]
    return _scalar(value)


def _scalar(value: t.Any) -> t.Any:
    """Subclasses of str, int and float as exactly str, int and float."""
    if isinstance(value, str):
        return "".join(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return str(value)
