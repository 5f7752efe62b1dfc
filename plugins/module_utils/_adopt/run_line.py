"""Scripts and pasted lines that hold `podman run`, `docker run` or a bare `vllm serve`."""

from __future__ import annotations

import re
import typing as t

from .._settings.container import read_container
from .._settings.finding import Finding
from .._settings.pasted import API_SERVER, CONTAINER_TOOLS
from .files import Files, no_files, read_env_files
from .found import Found, Option, Tool, UnreadableError
from .long_names import long_option
from .shell import Script, read_script

_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)
# A line that starts a server, with those that follow it behind a backslash.
_STARTED = re.compile(
    r"^[^\n]*\b(?:(?:docker|podman|nerdctl)\b[^\n]*\brun|vllm[ ]serve)\b(?:[^\n]*\\[ \t]*\n)*[^\n]*",
    re.MULTILINE,
)
_NO_COMMANDS = ("echo", "printf", "alias")
_STARTS = ("run", "create")


def read_run_lines(
    text: str, source: str, variables: t.Mapping[str, str] | None = None, files: Files = no_files
) -> list[Found]:
    """Every server that a text starts."""
    found = [
        each
        for script in _scripts(text, variables or {})
        for words in script.commands
        for each in _command(words, script, source, files)
    ]
    vllm = [each for each in found if _looks_like_vllm(each)]
    if not vllm and len(found) != 1:
        what = "several containers, and none of them looks like vLLM" if found else _nothing(text)
        raise UnreadableError(f"{source}: {what}")
    return vllm or found


def _scripts(text: str, variables: t.Mapping[str, str]) -> list[Script]:
    """The whole text; where it is no script, as a page with command lines in it, those lines."""
    whole, problem = _script(text, variables)
    if whole and any(_starts(words) for words in whole.commands):
        return [whole]
    parts = [_script(block, variables) for block in _STARTED.findall(text)]
    found = [script for script, _problem in parts if script]
    problem = problem or next((wrong for _script, wrong in parts if wrong), None)
    if problem and not found:
        raise problem
    return found


def _script(text: str, variables: t.Mapping[str, str]) -> tuple[Script | None, UnreadableError | None]:
    try:
        return read_script(text, variables), None
    except UnreadableError as problem:
        return None, problem


def _starts(words: t.Sequence[str]) -> bool:
    return bool(_containers(words)) or _bare(words) is not None


def _nothing(text: str) -> str:
    first = next(
        (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")), ""
    )
    began = f"; it begins {first[:60]!r}" if first else ", it is empty"
    return f"there is no `podman run`, `docker run` or `vllm serve` in it{began}"


def _command(words: tuple[str, ...], script: Script, source: str, files: Files) -> list[Found]:
    if words[0] in _NO_COMMANDS:
        return []
    containers = _containers(words)
    if containers:
        return [read_words(words[containers[0] :], source, files, script)]
    served = _bare(words)
    if served is None:
        return []
    env = _assigned(words[:served])
    exported = {name: value for name, value in script.variables.items() if re.match(r"VLLM_|HF_|CUDA_|NCCL_", name)}  # fmt: skip
    return [
        Found(source, "none", command=words[served:], env={**exported, **env}, unresolved=script.unresolved)
    ]


def _containers(words: t.Sequence[str]) -> list[int]:
    """Where a tool for containers is told to run one."""
    return [
        place
        for place, word in enumerate(words)
        if word.rpartition("/")[2] in CONTAINER_TOOLS and set(_STARTS) & set(_leading(words[place + 1 :]))
    ]


def _leading(words: t.Sequence[str]) -> list[str]:
    """The few words among which a tool's subcommand stands."""
    return list(words[:4])


def _bare(words: t.Sequence[str]) -> int | None:
    """Where a command begins that starts vLLM itself."""
    for place, word in enumerate(words):
        head = word.rpartition("/")[2]
        if head == "vllm" and words[place + 1 : place + 2] == ("serve",):
            return place
        if re.fullmatch(r"python[\d.]*", head) and API_SERVER in words[place:]:
            return place
    return None


def _assigned(words: t.Sequence[str]) -> dict[str, str]:
    found = (_ASSIGNMENT.fullmatch(word) for word in words)
    return {each["name"]: each["value"] for each in found if each}


def read_words(
    words: t.Sequence[str], source: str, files: Files = no_files, script: Script | None = None
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
        unresolved=script.unresolved if script else (),
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


def _looks_like_vllm(found: Found) -> bool:
    words = (found.image or "", *(found.entrypoint or ()), *found.command)
    return any("vllm" in word.lower() for word in words)
