"""The command line of docker or podman: which of its words are its own, which is the image, what runs inside."""

from __future__ import annotations

import dataclasses
import re

# Options without a value. Every other one takes the next word, unless it has its value behind `=`.
SWITCHES = frozenset(
    [
        "--rm",
        "--detach",
        "--interactive",
        "--tty",
        "--init",
        "--privileged",
        "--read-only",
        "--sig-proxy",
        "--no-healthcheck",
        "--oom-kill-disable",
        "--publish-all",
        "--disable-content-trust",
        "--quiet",
        "--replace",
        "--tls-verify",
        "--env-host",
        "--http-proxy",
        "--no-hosts",
        "--no-hostname",
        "--rmi",
        "--rootfs",
        "--unsetenv-all",
        "--read-only-tmpfs",
        "--help",
        "--passwd",
        "--use-api-socket",
    ]
)
SHORT_SWITCHES = frozenset("ditqP")
_PULL = ("always", "missing", "never", "newer", "true", "false")
# Tells options that are ours to translate from those that only matter to a terminal.
_TERMINAL = frozenset(["--rm", "--detach", "--interactive", "--tty", "--quiet", "--name", "--replace"])


@dataclasses.dataclass
class ContainerLine:
    """What a container's command line says."""

    image: str | None = None
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    entrypoint: list[str] = dataclasses.field(default_factory=list)
    words: list[str] = dataclasses.field(default_factory=list)  # behind the image
    dropped: list[str] = dataclasses.field(default_factory=list)
    options: list[tuple[str, str | None]] = dataclasses.field(default_factory=list)  # all of them, in order


def read_container(words: list[str]) -> ContainerLine:
    """Read ``docker run …``; global options and ``container`` before ``run`` are skipped."""
    line = ContainerLine()
    place = next(
        (index + 1 for index, each in enumerate(words) if each in ("run", "create", "exec")), len(words)
    )
    while place < len(words) and words[place].startswith("-") and words[place] != "--":
        option, value, place = _option(words, place)
        _keep(line, option, value)
    if words[place : place + 1] == ["--"]:
        place += 1
    if place < len(words):
        line.image, line.words = words[place], words[place + 1 :]
    return line


def _option(words: list[str], place: int) -> tuple[str, str | None, int]:
    """The option at that place, its value, and where the next word is."""
    word = words[place]
    following = words[place + 1] if place + 1 < len(words) else None
    name, equals, value = word.partition("=")
    if not word.startswith("--"):
        return _short(word, following, place)
    if equals:
        return name, value, place + 1
    takes_none = name in SWITCHES or following is None or following.startswith("-")
    if takes_none or (name == "--pull" and following not in _PULL):
        return name, None, place + 1
    return name, following, place + 2


def _short(word: str, following: str | None, place: int) -> tuple[str, str | None, int]:
    """``-it``, ``-p 8000:8000``, ``-p8000:8000``, ``-de KEY=value``."""
    letters = word[1:]
    while letters and letters[0] in SHORT_SWITCHES:
        letters = letters[1:]
    if not letters:
        return word, None, place + 1
    if len(letters) > 1:
        return "-" + letters[0], letters[1:].lstrip("="), place + 1
    return "-" + letters[0], following, place + 2


def _keep(line: ContainerLine, option: str, value: str | None) -> None:
    line.options.append((option, value))
    if option in ("-e", "--env"):
        name, equals, text = (value or "").partition("=")
        if equals:
            line.env[name] = text
    elif option == "--entrypoint":
        line.entrypoint = _entrypoint(value or "")
    elif option not in _TERMINAL and not re.match(r"^-[ditqP]+$", option):
        line.dropped.append(option if value is None else f"{option} {value}")


def _entrypoint(text: str) -> list[str]:
    """One program, or (podman) a JSON list."""
    listed = re.findall(r'"([^"]*)"', text) if text.startswith("[") else [text]
    return [each for each in listed if each]
