"""What runs inside: the words that vLLM's own parser gets, whatever starts it, and what else is started with it."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._settings.finding import Finding
from .._settings.pasted import API_SERVER, SHELLS, WRAPPERS
from .found import Found, UnreadableError, guessed, lost, said
from .secrets import shown_text
from .shell import read_script

_PYTHON = re.compile(r"python[\d.]*")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
# What stands in front of a command: keywords of shells, and programs that start another one.
_STARTERS = ("then", "else", "do", "!", "tini", "dumb-init", "nvidia_entrypoint.sh", "setpriv", "timeout")
# Commands of a script that only prepare its start.
_SETS_UP = frozenset(
    [
        "exit",
        "return",
        "[",
        "[[",
        "test",
        "cd",
        "set",
        "export",
        "source",
        ".",
        "ulimit",
        "mkdir",
        "echo",
        "sleep",
        "true",
        "ls",
        "nvidia-smi",
        "trap",
        ":",
        "unset",
        "umask",
        "shopt",
        "local",
        "declare",
        "readonly",
        "read",
        "shift",
    ]
)


@dataclasses.dataclass
class Inside:
    """``words`` begin with what starts the server, or with its options where the image's own entrypoint does."""

    words: list[str]
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    of_image: bool = False  # the image's own entrypoint gets the words
    findings: list[Finding] = dataclasses.field(default_factory=list)
    unresolved: tuple[str, ...] = ()


def inside_of(found: Found) -> Inside:
    """The words of the server; none where what is started is not known to be one."""
    words = [*(found.entrypoint or ()), *found.command]
    inside = Inside(words, of_image=found.entrypoint is None and found.tool != "none")
    _peel(inside, {name: value for name, value in found.env.items() if value is not None})
    head = inside.words[0].rpartition("/")[2] if inside.words else ""
    if head in ("vllm", "serve", "-m") or _PYTHON.fullmatch(head):
        inside.of_image = False  # what people write behind an image that starts the server by itself
    if inside.words and not _is_server(inside.words, inside.of_image):
        shown = shown_text(" ".join(inside.words[:3]))
        message = f"{found.source} starts `{shown}`, and what that runs is not known"
        fix = "take over the `vllm serve …` that it comes to, by hand or as a line"
        inside.findings.append(said("error", "adoption_unreadable", message, fix, setting="argv"))
        inside.words = []
    return inside


def _peel(inside: Inside, env: t.Mapping[str, str]) -> None:
    """Take away shells, assignments and wrappers."""
    for _depth in range(8):
        words = inside.words
        head = words[0].rpartition("/")[2] if words else ""
        if head in SHELLS and len(words) > 2 and re.fullmatch(r"-\w*c", words[1]):
            _shell(inside, words[2], {**env, **inside.env}, words[4:])
        elif words and _ASSIGNMENT.match(words[0]):
            name, _equals, value = words[0].partition("=")
            inside.env[name], inside.words = value, words[1:]
        elif head in (*WRAPPERS, *_STARTERS):
            inside.words = _behind_wrapper(words)
        else:
            return
        inside.of_image = False


def _behind_wrapper(words: t.Sequence[str]) -> list[str]:
    for place, word in enumerate(words[1:], 1):
        head = word.rpartition("/")[2]
        if (
            head in ("vllm", *SHELLS)
            or _PYTHON.fullmatch(head)
            or (_ASSIGNMENT.match(word) and not word.startswith("-"))
        ):
            return list(words[place:])
    return list(words[1:])


def _shell(inside: Inside, text: str, env: t.Mapping[str, str], given: t.Sequence[str]) -> None:
    """The command of a script that starts the server; the others are told, unless they only set something up."""
    try:
        script = read_script(text, env, given)
    except UnreadableError as problem:
        inside.findings.append(said("error", "adoption_unreadable", str(problem), setting="argv"))
        inside.words = []
        return
    serving = [each for each in script.steps if _names_server(each.words)]
    likely = [each for each in serving if each.runs is not False] or serving
    others = [
        each.words
        for each in script.steps
        if each not in serving and each.runs is not False and not _only_sets_up(each.words)
    ]
    others = [words for words in others if len(words) > 1 or "/" in words[0]]
    if others:
        shown = "; ".join(shown_text(" ".join(words))[:60] for words in others[:3])
        message = f"before the server the container runs `{shown}`, which is not taken over"
        inside.findings.append(lost(message, "build an image that has it", "image"))
    if len(likely) > 1 or not all(each.runs and each.decided for each in likely):
        message = "a script decides what the container starts, and its conditions were not followed"
        fix = "compare with the command line of the running server, or take over the running container"
        inside.findings.append(guessed(message, fix, "settings"))
    inside.unresolved += script.unresolved
    reaches = script.exported | set(env)
    inside.env.update(
        {
            name: value
            for name, value in script.variables.items()
            if name in reaches and env.get(name) != value
        }
    )
    last = likely or script.steps
    inside.words = list(last[-1].words) if last else []


def _only_sets_up(words: t.Sequence[str]) -> bool:
    return words[0] in _SETS_UP or all(_ASSIGNMENT.match(word) for word in words)


def _names_server(words: t.Sequence[str]) -> bool:
    return (
        any(word.rpartition("/")[2] == "vllm" for word in words) and "serve" in words
    ) or API_SERVER in words


def _is_server(words: t.Sequence[str], of_image: bool) -> bool:
    head = words[0].rpartition("/")[2]
    if head == "vllm":
        return words[1:2] == ["serve"]
    if _PYTHON.fullmatch(head) or words[0] == "-m":
        return any(
            API_SERVER in word or word.endswith("openai/api_server.py") or word == "vllm.entrypoints.cli.main"
            for word in words
        )
    if head == "serve":
        return True
    return of_image and (
        words[0].startswith("-") or not re.search(r"\.(?:sh|py)$|^(?:ray|sglang|text-generation)", head)
    )
