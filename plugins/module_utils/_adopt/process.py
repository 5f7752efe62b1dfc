"""A server that runs without a container: what it finds on the host, a container has to be given."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .found import Found, Option, dropped, guessed
from .mounts import absolute
from .serve import Served

# About programs of the host; an image has its own.
_OF_THE_HOST = re.compile(
    r"PATH|LD_LIBRARY_PATH|LD_PRELOAD|PYTHONPATH|PYTHONHOME|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|LANG|LC_\w+|TERM|DISPLAY"
    r"|VIRTUAL_ENV|CONDA_\w+|CUDA_HOME|CUDA_PATH|CUDA_ROOT|PYENV_\w+|UV_\w+|PIP_\w+|XDG_RUNTIME_DIR|DBUS_\w+"
)
_FOLDER_OR_FILE = re.compile(r"/[\w.@+-][\w.@+/ -]*")
_NOT_ITS_OWN = re.compile(r"/(?:dev|proc|sys|bin|usr/bin|usr/local/bin)(?:/|$)")
_A_FILE = re.compile(r"[^/\s{]+(?:/[^/\s{]+)*\.(?:jinja2?|py|json|ya?ml|pem|crt|key|txt)")
_NO_PLACE = ("model", "served_model_name", "config")


def as_container(found: Found, served: Served, places: t.Mapping[str, str]) -> Found:
    """The same server with mounts for what it reads and writes; relative paths in ``served`` become whole ones."""
    if found.tool != "none":
        return found
    env = {name: value for name, value in found.env.items() if not _OF_THE_HOST.fullmatch(name)}
    left = [name for name in found.env if name not in env]
    findings = [dropped(f"{', '.join(left)}: the image has programs of its own")] if left else []
    for name, value in list(served.settings.items()):
        if (
            name not in _NO_PLACE
            and isinstance(value, str)
            and _A_FILE.fullmatch(value)
            and value[0] not in "/~"
        ):
            path = absolute(value, places)
            served.settings[name] = path
            findings.append(
                guessed(f"{value} is taken as {path}", "write the absolute path of the host", name)
            )
    texts = [value for name, value in served.settings.items() if name not in _NO_PLACE]
    paths = sorted({path for value in [*texts, *env.values()] for path in _paths(value)})
    tops = [path for path in paths if not any(path.startswith(other.rstrip("/") + "/") for other in paths)]
    mounts = tuple(
        Option("--volume", f"{path}:{path}" + (":ro" if _A_FILE.search(path) else "")) for path in tops
    )
    return dataclasses.replace(
        found, env=env, options=(*found.options, *mounts), findings=(*found.findings, *findings)
    )


def _paths(value: t.Any) -> t.Iterator[str]:
    """Places of the host that a value names."""
    for text in leaves(value):
        if _FOLDER_OR_FILE.fullmatch(text) and not _NOT_ITS_OWN.match(text):
            yield text.rstrip("/")


def leaves(value: t.Any) -> t.Iterator[str]:
    """Every text in a value; of ``name=/path`` the path."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif isinstance(value, str):
        yield value.partition("=")[2] if "=/" in value else value
