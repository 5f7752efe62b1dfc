"""What vLLM does with a command line before argparse sees it, by release."""

from __future__ import annotations

import json
import re
import typing as t

from .problem import Problem
from .values import BadValueError, human_int

if t.TYPE_CHECKING:
    from .version import Release

Files = t.Mapping[str, t.Any]  # what the YAML files of --config hold, by path

NO_MODEL_OPTION = "takes the model as the first word, not as --model, in this release"
MODEL_FIRST = (
    "needs the model as the first word: behind --served-model-name it would be taken for one more name"
)


class RefusedError(Exception):
    """The command line is refused as a whole; ``rest`` is what can still be read to find further mistakes."""

    def __init__(self, problem: Problem, rest: list[str]) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.rest = rest


def _refuse(
    message: str, rest: list[str], setting: str, value: t.Any = None, fix: str | None = None
) -> RefusedError:
    return RefusedError(Problem("refused", message, setting, value, fix=fix), rest)


def model_to_front(words: list[str], release: Release) -> list[str]:
    """``vllm serve`` moves ``--model x`` to the front from 0.11.1 on, and refuses it before."""
    if release < (0, 11, 1):
        if "--model" in words:
            rest = _moved(words, words.index("--model"))
            raise _refuse(NO_MODEL_OPTION, rest, "model", rest[0], f"vllm serve {rest[0]} …")
        return words
    place = next((index for index, word in enumerate(words) if _is_model(word, release)), None)
    if place is not None:
        words = _moved(words, place)
    if release >= (0, 17, 0) and _name_eats_model(words):
        raise _refuse(MODEL_FIRST, words, "served_model_name")
    return words


def _is_model(word: str, release: Release) -> bool:
    if release >= (0, 17, 0):
        return re.match(r"^--model(=.+|$)", word) is not None
    return word == "--model" or word.startswith("--model=")


def _moved(words: list[str], place: int) -> list[str]:
    if words[place] != "--model":
        return [words[place].partition("=")[2], *words[:place], *words[place + 1 :]]
    if place + 1 == len(words):
        raise RefusedError(Problem("missing_value", "takes a value", "model", word="--model"), words[:-1])
    return [words[place + 1], *words[:place], *words[place + 2 :]]


def _name_eats_model(words: list[str]) -> bool:
    names = any(re.match(r"^--served[-_]model[-_]name(=.+|$)", word) for word in words)
    config = any(re.match(r"^--config(=.+|$)", word) for word in words)
    return bool(words) and words[0].startswith("-") and names and not config


# --config ------------------------------------------------------------------------------------------------------------
def read_config(
    words: list[str], release: Release, files: Files, known: t.Container[str], serve: bool
) -> list[str]:
    """The words of the YAML file that ``--config`` names, put where they give way to what follows on the line."""
    if "--config" not in words:
        return words
    place = words.index("--config")
    rest = words[:place] + words[place + 2 :]
    if "--config" in rest:
        raise _refuse("takes one file", [word for word in rest if word != "--config"], "config")
    if place + 1 == len(words):
        raise RefusedError(Problem("missing_value", "takes a file", "config", word="--config"), rest)
    path = words[place + 1]
    wrong = _unreadable(path, files)
    if wrong:
        raise _refuse(wrong[0], rest, "config", path, wrong[1])
    added = _config_words(files[path], release, () if serve else known)
    if not serve:
        # Without `serve` vLLM takes the first word for a sub-command when it is no option.
        return added + rest if words[0].startswith("-") else [words[0], *added, *rest[1:]]
    if words[0].startswith("-"):
        if "--model" not in added:
            raise _refuse("needs a model, as the first word or in the file", added + rest, "config", path)
        return added + rest
    return [words[0], *added, *rest[1:]]


def _unreadable(path: str, files: Files) -> tuple[str, str | None] | None:
    """What is wrong with the file, and what to do about it."""
    if path.split(".")[-1] not in ("yaml", "yml"):
        return "takes a file whose name ends in .yaml or .yml", None
    if path not in files:
        return "names a file that cannot be read here", "write its content as settings"
    return None if isinstance(files[path], dict) else ("names a file that is no mapping", None)


def _config_words(content: dict[t.Any, t.Any], release: Release, negatives: t.Container[str]) -> list[str]:
    words: list[str] = []
    for key, value in content.items():
        words += _config_entry(str(key), value, release, negatives)
    return words


def _config_entry(key: str, value: t.Any, release: Release, negatives: t.Container[str]) -> list[str]:
    option = "--" + key
    if isinstance(value, bool):
        if value:
            return [option]
        off = "--no-" + key  # looked up where `vllm serve` never has it, so that `false` is dropped
        return [off] if release >= (0, 28, 0) and off in negatives else []
    if isinstance(value, list):
        return [option, *map(str, value)] if value else []
    if isinstance(value, dict) and release >= (0, 16, 0):
        return [option, json.dumps(value, default=str)]
    return [option, str(value)]


# spelling ------------------------------------------------------------------------------------------------------------
def dashes(words: list[str], release: Release) -> list[str]:
    """Underscores to dashes in names, up to the first dot; ``-O3`` in the words of the release."""
    found: list[str] = []
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        found += _dashed(word) if word.startswith("--") else _optimization(word, following, release)
    return found


def _dashed(word: str) -> list[str]:
    if word.startswith("--help="):
        return ["--help"]
    name, equals, value = word.partition("=")
    head, dot, path = name[2:].partition(".")
    return ["--" + head.replace("_", "-") + dot + path + equals + value]


def _optimization(word: str, following: str, release: Release) -> list[str]:
    levels = release >= (
        0,
        12,
        0,
    )  # -O3 is --optimization-level 3, before that a key of the compilation config
    key = "mode" if release >= (0, 11, 1) else "level"
    if word == "-O" and following in ("0", "1", "2", "3"):
        return ["--optimization-level" if levels else f"-O.{key}"]
    if not word.startswith("-O") or word == "-O":
        return [word]
    if word[2] == "." and release < (0, 13, 0):
        return [word.replace("-O", "-cc", 1) if levels else word]
    level = word[3:] if word[2] == "=" else word[2:]
    return ["--optimization-level", level] if levels else [f"-O.{key}={level}"]


# dotted keys ---------------------------------------------------------------------------------------------------------
def gather_dotted(words: list[str], release: Release) -> tuple[list[str], dict[str, t.Any]]:
    """Dotted options as one JSON each, put behind everything else, where they replace a JSON of the same option."""
    rest: list[str] = []
    gathered: dict[str, t.Any] = {}
    waiting = iter(words)
    for word in waiting:
        name, equals, value = word.partition("=")
        if not word.startswith("-") or "." not in name:
            rest.append(word)
            continue
        if not equals:
            value = next(waiting, "\0")
        if value == "\0":
            raise RefusedError(Problem("missing_value", "takes a value", word=word), rest)
        _merge(gathered, _nested(name, value, release))
    return rest + [
        word for option, value in gathered.items() for word in (option, json.dumps(value))
    ], gathered


def _nested(name: str, text: str, release: Release) -> dict[str, t.Any]:
    if name.endswith("+"):
        name, text = name[:-1], json.dumps(text.split(","))
    value = _loose(text, release)
    first, *path = name.split(".")
    for key in reversed(path):
        value = {key: value}
    return {first: value}


def _loose(text: str, release: Release) -> t.Any:
    """JSON, from 0.20.0 on a number with a suffix, else text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if release >= (0, 20, 0):
        try:
            return human_int(text, release)
        except BadValueError:
            pass
    return text


def _merge(into: dict[str, t.Any], new: t.Mapping[str, t.Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        elif isinstance(value, list) and isinstance(into.get(key), list):
            into[key] += value
        else:
            into[key] = value
