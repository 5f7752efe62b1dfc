"""Readers of values that hold several: settings, a command line, the environment, mounts."""

from __future__ import annotations

import dataclasses
import re

from .._quadlet.keys import key_problems
from .schema import Key
from .tree import Node
from .values import Problem, Reading, bad, is_number
from .words import kind_of

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VOLUME = re.compile(
    r"(?P<source>/[^:\x00-\x1f]*|[A-Za-z0-9][\w.-]*):(?P<target>/[^:\x00-\x1f]+)(?::(?P<options>[\w,=-]+))?"
)


def read_settings(key: Key, place: Node) -> Reading:
    """A mapping of options; what they mean is not judged here."""
    if isinstance(place.value, dict):
        return place, []
    fix = (
        "write a pasted command line as argv"
        if isinstance(place.value, (str, list))
        else "settings: {max_num_seqs: 32}"
    )
    return bad(f"settings must be a mapping of options, not {kind_of(place.value)}", fix, "bad_type")


def read_argv(key: Key, place: Node) -> Reading:
    """A command line, as one text or as words."""
    value = place.value
    if isinstance(value, str) and value.strip():
        return value, []
    if not isinstance(value, list) or not value:
        return bad(
            f"argv must be a text or a list of words, not {kind_of(value)}",
            f"argv: {key.example}",
            "bad_type",
        )
    wrong = [each for each in value if isinstance(each, (bool, list, dict)) or each is None]
    if wrong:
        return bad(f"argv holds {kind_of(wrong[0])}, and its words are texts", "quote every word", "not_text")
    return [str(each) for each in value], []


def _mapping(key: Key, place: Node) -> Problem | None:
    if isinstance(place.value, dict):
        return None
    message = f"{key.path} must be a mapping, not {kind_of(place.value)}"
    return Problem("bad_type", message, f"{key.path}: {key.example}")


def read_environment(key: Key, place: Node) -> Reading:
    """Texts by the names of variables; a whole number is taken as its digits."""
    problem = _mapping(key, place)
    if problem:
        return None, [problem]
    values: dict[str, str] = {}
    problems: list[Problem] = []
    for name, inner in place.value.items():
        text, wrong = _environment_value(name, inner)
        values[name] = text
        problems += [dataclasses.replace(wrong, setting=f"env.{name}", origin=inner.origin)] if wrong else []
    return values, problems


def _environment_value(name: str, inner: Node) -> tuple[str, Problem | None]:
    value = inner.plain()
    if not VARIABLE.fullmatch(name):
        fix = "letters, digits and _, no digit first"
        return "", Problem("bad_variable", f"{name} is no name of an environment variable", fix, value=value)
    if is_number(value, int):
        return str(value), None
    if not isinstance(value, str):
        shown = str(value).lower() if isinstance(value, bool) else value
        message = f"env.{name} is {kind_of(value)}, and the environment holds text"
        return "", Problem("not_text", message, f'quote it: {name}: "{shown}"', value=value)
    if "\0" in value:
        return "", Problem("bad_value", f"env.{name} holds a NUL byte", "remove it", value=value)
    return value, None


def read_secrets(key: Key, place: Node) -> Reading:
    """Keys of `vllm_secrets` by the names of variables."""
    problem = _mapping(key, place)
    if problem:
        return None, [problem]
    problems = []
    for name, inner in place.value.items():
        at = {"setting": f"secrets.{name}", "origin": inner.origin, "value": inner.plain()}
        if not VARIABLE.fullmatch(name):
            message = f"{name} is no name of an environment variable"
            problems.append(Problem("bad_variable", message, "letters, digits and _, no digit first", **at))
        elif not isinstance(inner.value, str) or not inner.value:
            message = f"secrets.{name} must name a key of vllm_secrets, not hold {kind_of(inner.plain())}"
            problems.append(Problem("bad_type", message, f"secrets: {key.example}", **at))
    return place.plain(), problems


def read_volumes(key: Key, place: Node) -> Reading:
    """Mounts as Podman takes them."""
    if not isinstance(place.value, list):
        return bad(
            f"volumes must be a list, not {kind_of(place.value)}", f"volumes: {key.example}", "bad_type"
        )
    problems = []
    for each in place.value:
        if not isinstance(each, str) or not _VOLUME.fullmatch(each):
            message = f"{each} is no mount: source:target[:options], both absolute"
            problems.append(Problem("bad_volume", message, f"volumes: {key.example}", value=each))
    return place.value, problems


def read_quadlet(key: Key, place: Node) -> Reading:
    """Keys that Quadlet knows and the plan does not own."""
    problem = _mapping(key, place)
    if problem:
        return None, [problem]
    content = place.plain()
    problems = []
    for said in key_problems(content):
        inner = place.find(said.key)
        at = {"setting": f"container.{said.key}", "value": content[said.key]}
        problems.append(
            Problem("bad_container_key", said.message, said.fix, origin=inner.origin if inner else None, **at)
        )
    return content, problems
