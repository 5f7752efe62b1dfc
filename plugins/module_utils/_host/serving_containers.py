"""The containers of a host that serve with vLLM and are nobody's yet: what they were asked for, without secrets."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import typing as t
from pathlib import Path

from .._adopt.found import Found, Option, Tool, UnreadableError
from .._adopt.inspect import read_inspect
from .._adopt.instance import take
from .._adopt.secrets import covered, is_secret, looks_secret
from .._plan.instance import Instance
from .._release.masked import masked, masked_text
from .._release.ownership import LABEL
from .._settings.pasted import API_SERVER
from .._settings.secretive import HIDDEN
from .command import HostError
from .http import Server

if t.TYPE_CHECKING:
    from .command import Run

_VLLM = re.compile(r"vllm", re.IGNORECASE)
_TOOLS: tuple[Tool, ...] = ("podman", "docker")
_SECONDS = 3.0  # that a server may take to say its version
Data = dict[str, t.Any]


def serving_containers(run: Run, names: t.Collection[str] = (), proc: Path = Path("/proc")) -> list[Found]:
    """Containers of these names, else all that run vLLM; HostError where a name is not there."""
    found = [each for tool in _TOOLS for each in _of_tool(run, tool, names, proc)]
    missing = sorted(set(names) - {each.name or "" for each in found})
    if missing:
        raise HostError(
            f"there is no container {', '.join(missing)} on this host, neither of Podman nor of Docker"
        )
    return found


def _of_tool(run: Run, tool: Tool, names: t.Collection[str], proc: Path) -> t.Iterator[Found]:
    listed = run(tool, "ps", "--quiet", *(["--all"] if names else []))
    if not listed.ok:  # no such tool, or its service does not run
        return
    ids = listed.stdout.split()
    for described in _inspect(run, tool, "container", ids):
        name = str(described.get("Name") or "").lstrip("/")
        labels = (described.get("Config") or {}).get("Labels") or {}
        if labels.get(f"{LABEL}.managed") == "true" or (
            name not in names if names else not _serves(described)
        ):
            continue
        yield _found(run, tool, described, proc)


def _inspect(run: Run, tool: Tool, kind: str, ids: t.Sequence[str]) -> list[Data]:
    if not ids:
        return []
    answer = run(tool, "inspect", "--type", kind, *ids).stdout
    try:
        described = json.loads(answer or "[]")
    except ValueError as error:
        raise HostError(f"{tool} does not describe its {kind}s: {answer[:200]}") from error
    return [each for each in described if isinstance(each, dict)]


def _serves(described: Data) -> bool:
    config = described.get("Config") or {}
    words = (described.get("ImageName"), config.get("Image"), config.get("Entrypoint"), config.get("Cmd"))
    return bool(_VLLM.search(str(words)))


def _found(run: Run, tool: Tool, described: Data, proc: Path) -> Found:
    images = _inspect(run, tool, "image", [str(described.get("Image") or "")])
    try:
        found = read_inspect(described, images[0] if images else {}, tool)
    except UnreadableError as error:
        raise HostError(f"{tool} describes a container in a way that is not understood: {error}") from error
    words = _process(described, proc)
    if words:
        found = dataclasses.replace(found, entrypoint=(), command=words)
    return without_secrets(dataclasses.replace(found, version=_version(found)))


def _process(described: Data, proc: Path) -> tuple[str, ...]:
    """What a script came to; nothing where the process does not show a server's words."""
    pid = (described.get("State") or {}).get("Pid")
    try:
        text = (proc / str(int(pid or 0)) / "cmdline").read_bytes().decode(errors="replace") if pid else ""
    except OSError:
        return ()
    words = text.rstrip("\0").split("\0")
    for place, word in enumerate(words):
        if word.rpartition("/")[2] == "vllm" and words[place + 1 : place + 2] == ["serve"]:
            return ("vllm", *words[place + 1 :])
        if word == "-m" and words[place + 1 : place + 2] == [API_SERVER]:
            return ("python3", *words[place:])
    return ()


def _version(found: Found) -> str | None:
    """The release that the server itself says."""
    taken = take(found, {}, {}, ())
    certificate = taken.instance.get("settings", {}).get("ssl_certfile")
    place = {key: taken.instance[key] for key in ("listen", "port") if key in taken.instance}
    argv = ("--ssl-certfile", str(certificate)) if certificate else ()
    return Server(Instance(taken.name, "present", argv=argv, **place).url, _SECONDS).version()


def without_secrets(found: Found) -> Found:
    """Values of secrets as stars, with what tells two of them apart during one run alone."""
    salt = os.urandom(16)
    hidden = {
        name: _stars(value or "", salt) if is_secret(name, value) else value
        for name, value in found.env.items()
    }
    options = tuple(
        Option(each.name, None if each.value is None else _covered(each.value)) for each in found.options
    )
    entrypoint = None if found.entrypoint is None else _hidden(found.entrypoint)
    return dataclasses.replace(
        found, env=hidden, options=options, entrypoint=entrypoint, command=_hidden(found.command)
    )


def _hidden(words: t.Sequence[str]) -> tuple[str, ...]:
    return tuple(covered(masked(words), ()))


def _stars(value: str, salt: bytes) -> str:
    return f"{HIDDEN} {hashlib.sha256(salt + value.encode(errors='replace')).hexdigest()[:8]}"


def _covered(text: str) -> str:
    return HIDDEN if looks_secret(text) else masked_text(text)
