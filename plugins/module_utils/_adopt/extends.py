"""``extends`` of a compose file: a service with what it takes from another one."""

from __future__ import annotations

import typing as t

Data = t.Mapping[str, t.Any]
_MOST = 8  # services that extend one another


def extended(service: Data, services: Data) -> Data:
    """Another one of the same file: mappings and lists are merged, the rest is replaced."""
    for _depth in range(_MOST):
        base = services.get(_base(service.get("extends")))
        if not isinstance(base, dict):
            break
        own = {key: value for key, value in service.items() if key != "extends"}
        service = _merged(base, own, "")
    return service


def _base(extends: t.Any) -> str:
    """Its name; nothing where it stands in another file."""
    if isinstance(extends, dict):
        extends = "" if extends.get("file") else extends.get("service")
    return extends if isinstance(extends, str) else ""


def _merged(base: t.Any, own: t.Any, key: str) -> t.Any:
    if key in ("command", "entrypoint") or type(base) is not type(own):
        return own
    if isinstance(own, dict):
        return {**base, **{name: _merged(base.get(name), value, name) for name, value in own.items()}}
    return [*base, *own] if isinstance(own, list) else own
