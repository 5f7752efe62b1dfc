"""The words of one `podman run` or `docker run`."""

from __future__ import annotations

import typing as t

from .._settings.container import read_container
from .._settings.finding import Finding
from .files import Files, no_files, read_env_files
from .found import Found, Option, Tool, UnreadableError
from .long_names import long_option


def read_words(
    words: t.Sequence[str], source: str, files: Files = no_files, unresolved: tuple[str, ...] = ()
) -> Found:
    """The words of one ``podman run``, as a shell hands them over."""
    head = words[0].rpartition("/")[2]
    tool: Tool = "podman" if head == "podman" else "docker"
    line = read_container(list(words))
    if line.image is None:
        raise UnreadableError(f"{source}: `{' '.join(words[:3])} …` names no image")
    options = [long_option(name, value) for name, value in line.options]
    env, findings = _environment(options, files)
    kept = tuple(each for each in options if each.name not in ("--env", "--env-file", "--entrypoint"))
    name = next((each.value for each in options if each.name == "--name" and each.value), None)
    given = any(each.name == "--entrypoint" for each in options)
    return Found(
        source=f"{source}: {tool} run {name}" if name else source,
        tool=tool,
        image=line.image,
        entrypoint=tuple(line.entrypoint) if given and line.entrypoint else None,
        command=tuple(line.words),
        env=env,
        options=kept,
        name=name,
        taken=(name,) if name else (),
        unresolved=unresolved,
        findings=tuple(findings),
    )


def _environment(options: t.Sequence[Option], files: Files) -> tuple[dict[str, str | None], list[Finding]]:
    """Variables in the order in which they count: files first, then the line's own."""
    names = [each.value for each in options if each.name == "--env-file" and each.value]
    of_files, findings = read_env_files(names, "--env-file", files)
    env: dict[str, str | None] = {**of_files}
    for each in options:
        if each.name == "--env" and each.value:
            name, equals, value = each.value.partition("=")
            env[name] = value if equals else None
    return env, findings
