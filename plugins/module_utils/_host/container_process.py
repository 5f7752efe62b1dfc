"""The main process of a container on this host: the words and the environment that it was really started with."""

from __future__ import annotations

import typing as t
from pathlib import Path

if t.TYPE_CHECKING:
    from .command import Run


def api_key(run: Run, container: str, proc: Path = Path("/proc")) -> str | None:
    """The first API key that a vLLM server takes; None where it has none, or does not run.

    The command line wins over VLLM_API_KEY (entrypoints/openai/api_server.py, all releases). A Podman secret reaches the
    process as an environment variable, so it is found here and nowhere has to be shown.
    """
    done = run("podman", "inspect", "--type", "container", "--format", "{{.State.Pid}}", container)
    pid = done.stdout.strip()
    if not done.ok or not pid.isdigit() or pid == "0":
        return None
    words = _parts(proc / pid / "cmdline")
    if "--api-key" in words[:-1]:
        return words[words.index("--api-key") + 1]
    variables = dict(part.partition("=")[::2] for part in _parts(proc / pid / "environ"))
    return variables.get("VLLM_API_KEY") or None


def _parts(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode(errors="surrogateescape")
    except OSError:
        return []
    return text.rstrip("\0").split("\0")
