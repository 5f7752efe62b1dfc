"""Command lines as people paste them: a shell's, a container's or a list, down to what follows ``vllm serve``."""

from __future__ import annotations

import dataclasses
import re
import shlex
import typing as t

from .argv import word
from .container import read_container
from .problem import Problem

ASSIGNMENT = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*=")
API_SERVER = "vllm.entrypoints.openai.api_server"
CONTAINER_TOOLS = ("docker", "podman", "nerdctl")
WRAPPERS = (
    "sudo",
    "env",
    "exec",
    "nohup",
    "time",
    "nice",
    "numactl",
    "uv",
    "uvx",
    "stdbuf",
    "torchrun",
    "export",
    "set",
)
SHELLS = ("sh", "bash", "dash", "zsh")
# A word that begins with # and the rest of its line; what is quoted or escaped is kept.
_COMMENT = re.compile(r"""('[^']*'|"(?:\\.|[^"\\])*"|\\.)|(?:^|(?<=\s))#[^\n]*""", re.DOTALL | re.MULTILINE)
_ENDS = ("|", "||", ">", ">>", "2>", "2>&1", "&>", "&", ";")


@dataclasses.dataclass
class Pasted:
    """What is left for the parser, and what was said around it."""

    words: list[str] = dataclasses.field(default_factory=list)
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    form: str = "serve"  # serve, api_server, or image: the entrypoint of an image that nobody named
    problems: list[Problem] = dataclasses.field(default_factory=list)
    dropped: list[str] = dataclasses.field(default_factory=list)  # options of the container line
    variables: list[str] = dataclasses.field(default_factory=list)  # $NAME that no shell will fill in


def read_pasted(argv: str | t.Sequence[t.Any]) -> Pasted:
    """Strip everything around the arguments of the server. Never fails: what cannot be read is a problem."""
    pasted = Pasted()
    if isinstance(argv, str):
        words = _behind_anything(_shell_words(argv, pasted))
        pasted.variables = [each for each in words if re.search(r"\$\{?[A-Za-z_]", each)]
    else:
        words = [each for item in argv for each in _list_words(item)]
        if len(words) == 1 and " " in words[0]:
            words = _behind_anything(_shell_words(words[0], pasted))  # a whole line as the only entry
    _strip(words, pasted)
    return pasted


def _list_words(item: t.Any) -> list[str]:
    """One entry of a YAML list; ``- --opt: value`` is a mapping there."""
    if isinstance(item, dict) and len(item) == 1 and str(next(iter(item))).startswith("-"):
        option, value = next(iter(item.items()))
        return [str(option), word(value)]
    return ["" if item is None else word(item)]


def _shell_words(text: str, pasted: Pasted) -> list[str]:
    lines = [
        re.sub(r"^\s*[$#>]\s+", "", line)
        for line in text.splitlines()
        if not re.match(r"^\s*#(?!\s*\w+ run)", line)
    ]
    bare = _COMMENT.sub(lambda found: found[1] or "", "\n".join(lines))
    joined = re.sub(r"\\[ \t]*\n", " ", bare).rstrip().rstrip("\\")
    if re.fullmatch(r"\s*\(.*\)", joined, re.DOTALL):
        joined = joined.strip()[1:-1]
    words = shlex.shlex(joined, posix=True, punctuation_chars=";")
    words.whitespace_split, words.commenters = True, ""
    try:
        return list(words)
    except ValueError:
        pasted.problems.append(Problem("refused", "has a quote that is not closed"))
        return []


def _behind_anything(words: list[str]) -> list[str]:
    """From ``vllm serve x`` on, whatever starts it (``srun``, ``timeout 9``); containers and shells are read later."""
    for place, each in enumerate(words[:-2]):
        head = each.rpartition("/")[2]
        if head in (*CONTAINER_TOOLS, *SHELLS) or ASSIGNMENT.match(each):
            break
        is_value = re.match(r"--?[A-Za-z][^=]*$", words[max(place - 1, 0)])  # --served-model-name vllm
        if head == "vllm" and words[place + 1] == "serve" and not is_value:
            return words[place:]
        if re.match(r"^python[\d.]*$", head) and API_SERVER in words[place:]:
            return words[place:]
    return words


def _strip(words: list[str], pasted: Pasted) -> None:
    """Take the command away from in front of the words, whatever it is."""
    words = _last_command(words)
    while words:
        head = words[0].rpartition("/")[2]
        if ASSIGNMENT.match(words[0]):
            name, _equals, value = words.pop(0).partition("=")
            pasted.env[name] = value
        elif head in WRAPPERS:
            words = _behind_wrapper(words)
        else:
            break
    if not words:
        return
    head = words[0].rpartition("/")[2]
    if head in CONTAINER_TOOLS:
        _container(words, pasted)
    elif head in SHELLS and re.match(r"^-\w*c$", "".join(words[1:2])):
        _strip(_shell_words(" ".join(words[2:3]), pasted), pasted)
    else:
        _command(words, pasted)


def _last_command(words: list[str]) -> list[str]:
    """What follows the last ``&&`` (or ``;``) that still names the server, up to a pipe or a redirection."""
    for joint in ("&&", ";"):
        while joint in words:
            place = words.index(joint)
            behind = words[place + 1 :]
            words = behind if any(_names_server(each) for each in behind) else words[:place]
    ends = [place for place, each in enumerate(words) if each in _ENDS]
    return words[: ends[0]] if ends else words


def _names_server(text: str) -> bool:
    return text.rpartition("/")[2] in ("vllm", *CONTAINER_TOOLS) or API_SERVER in text or "vllm serve" in text


def _behind_wrapper(words: list[str]) -> list[str]:
    """The words behind ``sudo -E``, ``numactl -N 0``, ``uv run --with x``: up to a command that we know."""
    for place, each in enumerate(words[1:], 1):
        head = each.rpartition("/")[2]
        if (
            head in ("vllm", *CONTAINER_TOOLS, *SHELLS)
            or re.match(r"^python[\d.]*$", head)
            or ASSIGNMENT.match(each)
        ):
            return words[place:]
    return words[1:]


def _command(words: list[str], pasted: Pasted) -> None:
    head = words[0].rpartition("/")[2]
    if head == "vllm":
        _subcommand(words, pasted)
    elif re.match(r"^python[\d.]*$", head):
        _python(words, pasted)
    elif head == "serve":
        pasted.words = words[1:]
    elif words[0] == "-m" and words[1:2] == [API_SERVER]:
        pasted.form, pasted.words = "api_server", words[2:]
    else:
        pasted.words = words


def _subcommand(words: list[str], pasted: Pasted) -> None:
    command = words[1] if len(words) > 1 else ""
    if command == "serve":
        pasted.words = words[2:]
        return
    shown = f"vllm {command}".strip()
    pasted.problems.append(
        Problem("refused", f"starts `{shown}`, which is no server: `vllm serve` is", value=shown)
    )


def _python(words: list[str], pasted: Pasted) -> None:
    for place, each in enumerate(words[1:], 1):
        if (each == "-m" and words[place + 1 : place + 2] == [API_SERVER]) or each.endswith(
            "openai/api_server.py"
        ):
            pasted.form, pasted.words = "api_server", words[place + (2 if each == "-m" else 1) :]
            return
        if each == "-m" and words[place + 1 : place + 2] == ["vllm.entrypoints.cli.main"]:
            _subcommand(["vllm", *words[place + 2 :]], pasted)
            return
    pasted.problems.append(
        Problem("refused", "starts a Python program that is not vLLM's server", value=" ".join(words[:4]))
    )


def _container(words: list[str], pasted: Pasted) -> None:
    line = read_container(words)
    pasted.env.update(line.env)
    pasted.dropped = line.dropped
    if line.image is None:
        pasted.problems.append(Problem("refused", "names no image to run", value=" ".join(words[:2])))
        return
    inside = [*line.entrypoint, *line.words]
    head = inside[0].rpartition("/")[2] if inside else ""
    known = head in ("vllm", "serve", "env", *SHELLS) or re.match(r"^python[\d.]*$", head) is not None
    if line.entrypoint or known:
        _strip(inside, pasted)
    else:
        pasted.form, pasted.words = "image", inside
