"""The options of `podman run` and `docker run` by one name each."""

from __future__ import annotations

from .found import Option

_SHORT = {
    "-a": "--attach",
    "-c": "--cpu-shares",
    "-e": "--env",
    "-h": "--hostname",
    "-l": "--label",
    "-m": "--memory",
    "-p": "--publish",
    "-u": "--user",
    "-v": "--volume",
    "-w": "--workdir",
}
_SAME = {"--net": "--network", "--volumes": "--volume", "--env_file": "--env-file"}


def long_option(name: str, value: str | None) -> Option:
    """The option by its long name."""
    return Option(_SHORT.get(name) or _SAME.get(name) or name, value)
