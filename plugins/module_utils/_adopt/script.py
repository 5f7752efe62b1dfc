"""The servers that a text starts: scripts and pasted lines with `podman run`, `docker run` or a bare `vllm serve`."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._settings.pasted import API_SERVER, CONTAINER_TOOLS, SHELLS
from .branches import Known
from .files import Files, no_files
from .found import Found, UnreadableError, guessed, lost
from .run_line import read_words
from .secrets import shown_text
from .shell import Command, Script, read_script

_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)
# A line that starts a server, with those that follow it behind a backslash.
_STARTED = re.compile(
    r"^[^\n]*\b(?:(?:docker|podman|nerdctl)\b[^\n]*\brun|vllm[ ]serve)\b(?:[^\n]*\\[ \t]*\n)*[^\n]*",
    re.MULTILINE,
)
_NO_COMMANDS = ("echo", "printf", "alias")
_STARTS = ("run", "create")
# Programs that take another command as one word.
_CARRIES = (
    *SHELLS,
    "screen",
    "tmux",
    "ssh",
    "su",
    "sudo",
    "nohup",
    "setsid",
    "exec",
    "env",
    "srun",
    "runuser",
)
_OF_A_SERVER = re.compile(r"(?:VLLM|HF|HUGGING|CUDA|NCCL|NVIDIA|TORCH|PYTORCH|TRITON|OMP|RAY)_")


@dataclasses.dataclass(frozen=True)
class _Begun:
    """A server that a command starts, and whether it does."""

    found: Found
    runs: Known
    decided: bool

    @property
    def serves(self) -> bool:
        """Whether it has words for a server; a container that is only entered has none."""
        return bool(self.found.command)


def read_run_lines(
    text: str, source: str, variables: t.Mapping[str, str] | None = None, files: Files = no_files
) -> list[Found]:
    """Every server that a text starts."""
    scripts = _scripts(text, variables or {}, files)
    begun = [
        each for script in scripts for step in script.steps for each in _command(step, script, source, files)
    ]
    vllm = [each for each in begun if _looks_like_vllm(each.found)]
    if not vllm and len(begun) != 1:
        what = "several containers, and none of them looks like vLLM" if begun else _nothing(text)
        raise UnreadableError(f"{source}: {what}")
    return [_told(each, begun) for each in _chosen(vllm or begun)]


def starts_server(text: str, variables: t.Mapping[str, str]) -> bool:
    """Whether a text is a script that starts something by itself."""
    whole, _problem = _script(text, variables, no_files)
    return whole is not None and any(_starts(words) for words in whole.commands)


def _scripts(text: str, variables: t.Mapping[str, str], files: Files) -> list[Script]:
    """The whole text; where it is no script, as a page with command lines in it, those lines."""
    whole, problem = _script(text, variables, files)
    if whole and any(_starts(words) for words in whole.commands):
        return [whole]
    parts = [_script(block, variables, files) for block in _STARTED.findall(text)]
    found = [script for script, _problem in parts if script]
    problem = problem or next((wrong for _script, wrong in parts if wrong), None)
    if problem and not found:
        raise problem
    return found


def _script(
    text: str, variables: t.Mapping[str, str], files: Files
) -> tuple[Script | None, UnreadableError | None]:
    try:
        return read_script(text, variables, files=files), None
    except UnreadableError as problem:
        return None, problem


def _chosen(begun: t.Sequence[_Begun]) -> list[_Begun]:
    """Those that are started; where a script can start a container in several ways, the ones that serve."""
    likely = [each for each in begun if each.runs is not False and each.serves]
    serving = likely or [each for each in begun if each.serves] or list(begun)
    certain = [each for each in serving if each.runs]
    return [*certain, *_unlike([each for each in serving if not each.runs])]


def _unlike(begun: t.Sequence[_Begun]) -> list[_Begun]:
    """Branches of a script that start the same are one."""
    kept: list[_Begun] = []
    for each in begun:
        if not any(
            each.found.command == other.found.command and each.found.options == other.found.options
            for other in kept
        ):
            kept.append(each)
    return kept


def _told(begun: _Begun, every: t.Sequence[_Begun]) -> Found:
    """With a word on conditions that were not followed."""
    same = [each for each in every if each.found.name and each.found.name == begun.found.name and each.serves]
    if begun.runs and begun.decided and len(same) < 2:
        return begun.found
    message = "a script decides how the server is started, and its conditions were not followed to the end"
    fix = "compare with the command line of the running server, or take over the running container"
    return dataclasses.replace(
        begun.found, findings=(*begun.found.findings, guessed(message, fix, "settings"))
    )


def _starts(words: t.Sequence[str]) -> bool:
    return bool(_containers(words)) or _bare(words) is not None or bool(_carried(words))


def _nothing(text: str) -> str:
    first = next(
        (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")), ""
    )
    began = f"; it begins {shown_text(first).split()[0][:40]!r}" if first else ", it is empty"
    return f"there is no `podman run`, `docker run` or `vllm serve` in it{began}"


def _command(step: Command, script: Script, source: str, files: Files) -> list[_Begun]:
    words = step.words
    if words[0] in _NO_COMMANDS:
        return []
    containers = _containers(words)
    served = None if containers else _bare(words)
    if containers:
        found = read_words(words[containers[0] :], source, files, script.unresolved)
    elif served is not None:
        env = {**_exported(step, script), **_assigned(words[:served])}
        image = next((word for word in words[:served] if word.startswith("docker://")), None)  # of Apptainer
        found = Found(source, "none", image, command=words[served:], env=env, unresolved=script.unresolved)
    else:
        return _inside(step, script, source, files)
    missing = [
        lost(f"{name}, which the script reads, is not there, so its variables are not known", None, "env")
        for name in script.missing
    ]
    found = dataclasses.replace(found, findings=(*found.findings, *missing))
    return [_Begun(found, step.runs, step.decided)]


def _inside(step: Command, script: Script, source: str, files: Files) -> list[_Begun]:
    """The commands of `bash -c '…'` and its like, with what the script around it knows."""
    found = []
    for text in _carried(step.words):
        inner = read_script(text, script.variables, files=files)
        inner = dataclasses.replace(inner, exported=inner.exported | script.exported)
        found += [each for command in inner.steps for each in _command(command, inner, source, files)]
    decided = step.decided and bool(step.runs)
    return [dataclasses.replace(each, decided=each.decided and decided) for each in found]


def _carried(words: t.Sequence[str]) -> list[str]:
    if words[0].rpartition("/")[2] not in _CARRIES:
        return []
    return [
        word for word in words[1:] if _STARTED.search(word) and len(word.split()) > 2 and word != words[0]
    ]


def _exported(step: Command, script: Script) -> dict[str, str]:
    """Variables that a program gets, without those that only made its command line."""
    return {
        name: script.variables[name]
        for name in script.variables
        if name in script.exported and (name not in step.asked or _OF_A_SERVER.match(name))
    }


def _containers(words: t.Sequence[str]) -> list[int]:
    """Where a tool for containers is told to run one."""
    return [
        place
        for place, word in enumerate(words)
        if word.rpartition("/")[2] in CONTAINER_TOOLS and set(_STARTS) & set(words[place + 1 : place + 5])
    ]


def _bare(words: t.Sequence[str]) -> int | None:
    """Where a command begins that starts vLLM itself."""
    for place, word in enumerate(words):
        head = word.rpartition("/")[2]
        if head == "vllm" and words[place + 1 : place + 2] == ("serve",):
            return place
        if re.fullmatch(r"python[\d.]*", head) and API_SERVER in words[place:]:
            return place
        if word == "-m" and words[place + 1 : place + 2] == (API_SERVER,):
            return place  # behind a Python whose name the script looks up
    return None


def _assigned(words: t.Sequence[str]) -> dict[str, str]:
    found = (_ASSIGNMENT.fullmatch(word) for word in words)
    return {each["name"]: each["value"] for each in found if each}


def _looks_like_vllm(found: Found) -> bool:
    words = (found.image or "", *(found.entrypoint or ()), *found.command)
    return any("vllm" in word.lower() for word in words)
