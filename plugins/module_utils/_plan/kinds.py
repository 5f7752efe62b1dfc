"""One reader per kind of value: the value as it is meant, or why it cannot be."""

from __future__ import annotations

import re
import typing as t

from .._release.directory import normal_directory
from .compound import (
    read_argv,
    read_environment,
    read_quadlet,
    read_secrets,
    read_settings,
    read_volumes,
)
from .schema import Key
from .tree import Node
from .values import Problem, Reading, bad, is_number, read_text
from .words import kind_of, nearest

_SIZE = re.compile(r"([1-9][0-9]*)([bkmgt]?)(?:i?b)?", re.IGNORECASE)
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_IPV6 = re.compile(r"(?=.*:.*:)[0-9A-Fa-f:.]{2,45}")
_GPU = re.compile(r"\d{1,3}|\d{1,3}:\d{1,3}|(?:GPU|MIG)-[0-9a-fA-F-]{8,64}|MIG-GPU-[0-9a-fA-F-]+/\d+/\d+|all")
_REFERENCE = re.compile(
    r"[A-Za-z0-9](?:[\w.-]*)(?::\d+)?(?:/[\w.-]+)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)


def read(key: Key, place: Node) -> Reading:
    """The value of ``key`` as its kind means it, and all that is wrong with it."""
    return _READERS[key.kind](key, place)


def _choice(key: Key, place: Node) -> Reading:
    if isinstance(place.value, str) and place.value in key.choices:
        return place.value, []
    guess = nearest(place.value, key.choices) if isinstance(place.value, str) else None
    message = f"{key.path} must be one of {', '.join(key.choices)}, not {kind_of(place.value)}"
    return bad(message, f"{key.path}: {guess or key.choices[0]}")


def _integer(key: Key, place: Node) -> Reading:
    value = place.value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,15}", value):
        value = int(value)  # a template makes texts of numbers in older Ansible
    if isinstance(value, bool) or not isinstance(value, int):
        return bad(
            f"{key.path} must be a whole number, not {kind_of(value)}",
            f"{key.path}: {key.example}",
            "bad_type",
        )
    low, high = key.bounds or (None, None)
    if low is not None and high is not None and not low <= value <= high:
        return bad(
            f"{key.path} must lie between {low} and {high}, and is {value}", f"{key.path}: {key.example}"
        )
    return value, []


def _boolean(key: Key, place: Node) -> Reading:
    value = place.value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        value = value.lower() == "true"  # as above
    if isinstance(value, bool):
        return value, []
    return bad(
        f"{key.path} must be true or false, not {kind_of(value)}", f"{key.path}: {key.example}", "bad_type"
    )


def _size(key: Key, place: Node) -> Reading:
    value = str(place.value) if is_number(place.value, int) else place.value
    if value == "unlimited" and "unlimited" in key.description:
        return value, []
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return bad(
            f"{key.path} must be a size in {key.unit}, not {kind_of(place.value)}",
            f"{key.path}: {key.example}",
        )
    return found[1] + found[2].lower().replace("b", ""), []


def _model(key: Key, place: Node) -> Reading:
    value, problems = read_text(key, place)
    if problems:
        return value, problems
    if value.startswith((".", "~", "$")):
        return bad(
            f"model {value} is a path relative to something the server does not know",
            "write the absolute directory on the host, e.g. model: /srv/models/qwen",
        )
    if re.search(r"\s", value):
        return bad(f"model {value!r} holds blanks", f"model: {key.example}; options belong into settings")
    if not value.startswith("/"):
        return value.rstrip("/"), []
    try:
        return normal_directory(value), []
    except ValueError as error:
        return bad(f"model {value} {error}", "model: /srv/models/qwen", "bad_directory")


def _image(key: Key, place: Node) -> Reading:
    value, problems = read_text(key, place)
    if problems:
        return value, problems
    if not _REFERENCE.fullmatch(value):
        return bad(f"{value} is no reference of a container image", f"image: {key.example}")
    return value, []


def _version(key: Key, place: Node) -> Reading:
    value = place.value
    if is_number(value, float) or is_number(value, int):
        why = "YAML reads it as a number, which loses digits: 0.10 and 0.1 are the same"
        return bad(
            f"version is {kind_of(value)}, not a text: {why}", f'quote it: version: "{value}"', "not_text"
        )
    return read_text(key, place)


def _address(key: Key, place: Node) -> Reading:
    value, problems = read_text(key, place)
    if problems:
        return value, problems
    bare = value[1:-1] if value.startswith("[") and value.endswith("]") else value
    if _IPV4.fullmatch(bare) or _IPV6.fullmatch(bare):
        return bare, []
    fix = "127.0.0.1" if value == "localhost" else "127.0.0.1, an address of the host, or 0.0.0.0"
    return bad(
        f"{key.path} must be an IP address, for Podman binds to addresses and not to names",
        f"{key.path}: {fix}",
    )


def _gpus(key: Key, place: Node) -> Reading:
    value = place.value
    if value == "all":
        return ["all"], []
    if not isinstance(value, list):
        fix = (
            f'gpus: ["{value}"]'
            if isinstance(value, (str, int)) and not isinstance(value, bool)
            else "gpus: all"
        )
        return bad(f"gpus must be a list of names, or all; not {kind_of(value)}", fix, "bad_type")
    names: list[str] = []
    problems: list[Problem] = []
    for each in value:
        name, problem = _gpu(each)
        names += [name] if name else []
        problems += [problem] if problem else []
    again = sorted({name for name in names if names.count(name) > 1})
    if again:
        problems.append(Problem("gpu_twice", f"gpus names {', '.join(again)} twice", "name every GPU once"))
    return names, problems


def _gpu(each: t.Any) -> tuple[str | None, Problem | None]:
    if is_number(each, int) and 0 <= each < 60:
        return str(each), None
    if is_number(each, int) and each >= 60:
        mig = f"{each // 60}:{each % 60}"
        message = f"{each} is what YAML makes of the unquoted {mig} (base 60)"
        return None, Problem("sexagesimal", message, f'quote it: gpus: ["{mig}"]', value=each)
    if isinstance(each, str) and _GPU.fullmatch(each):
        return each, None
    bare = (
        each[len("nvidia.com/gpu=") :]
        if isinstance(each, str) and each.startswith("nvidia.com/gpu=")
        else "0"
    )
    message = f"{each} is no name of a GPU: an index, 1:0, GPU-…, MIG-… or all"
    return None, Problem("bad_gpu", message, f'gpus: ["{bare}"]', value=each)


_READERS: dict[str, t.Callable[[Key, Node], Reading]] = {
    "text": read_text,
    "choice": _choice,
    "integer": _integer,
    "boolean": _boolean,
    "size": _size,
    "model": _model,
    "image": _image,
    "version": _version,
    "address": _address,
    "gpus": _gpus,
    "settings": read_settings,
    "argv": read_argv,
    "environment": read_environment,
    "secrets": read_secrets,
    "volumes": read_volumes,
    "quadlet": read_quadlet,
}
