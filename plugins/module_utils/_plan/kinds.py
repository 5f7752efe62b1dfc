"""One reader per kind of value: the value as it is meant, or why it cannot be."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._quadlet.keys import key_problems
from .schema import Key
from .tree import Node
from .words import kind_of, nearest

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIZE = re.compile(r"([1-9][0-9]*)([bkmgt]?)(?:i?b)?", re.IGNORECASE)
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_IPV6 = re.compile(r"(?=.*:.*:)[0-9A-Fa-f:.]{2,45}")
_GPU = re.compile(r"\d{1,3}|\d{1,3}:\d{1,3}|(?:GPU|MIG)-[0-9a-fA-F-]{8,64}|MIG-GPU-[0-9a-fA-F-]+/\d+/\d+|all")
_VOLUME = re.compile(r"(?P<source>/[^:]*|[A-Za-z0-9][\w.-]*):(?P<target>/[^:]+)(?::(?P<options>[\w,=-]+))?")
_REFERENCE = re.compile(
    r"[A-Za-z0-9](?:[\w.-]*)(?::\d+)?(?:/[\w.-]+)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)


@dataclasses.dataclass(frozen=True)
class Problem:
    """What is wrong with a value; ``setting``, ``value`` and ``origin`` where it is only a part of the key's."""

    code: str
    message: str
    fix: str
    setting: str | None = None
    value: t.Any = None
    origin: str | None = None


Reading = tuple[t.Any, list[Problem]]


def read(key: Key, place: Node) -> Reading:
    """The value of ``key`` as its kind means it, and all that is wrong with it."""
    return _READERS[key.kind](key, place)


def _bad(message: str, fix: str, code: str = "bad_value", **part: t.Any) -> Reading:
    return None, [Problem(code, message, fix, **part)]


def _quote(key: Key, value: t.Any, why: str = "YAML reads it as a number") -> Reading:
    return _bad(
        f"{key.path} is {kind_of(value)}, not a text: {why}", f'quote it: {key.path}: "{value}"', "not_text"
    )


def _text(key: Key, place: Node) -> Reading:
    value = place.value
    if isinstance(value, bool):
        return _quote(key, str(value).lower(), "YAML reads it as a boolean")
    if isinstance(value, (int, float)):
        return _quote(key, value)
    if not isinstance(value, str):
        return _bad(
            f"{key.path} must be a text, not {kind_of(value)}", f"{key.path}: {key.example}", "bad_type"
        )
    if not value.strip() or value != value.strip() or not value.isprintable():
        return _bad(f"{key.path} is empty, or has blanks around it", f"{key.path}: {key.example}")
    return value, []


def _choice(key: Key, place: Node) -> Reading:
    if isinstance(place.value, str) and place.value in key.choices:
        return place.value, []
    guess = nearest(place.value, key.choices) if isinstance(place.value, str) else None
    message = f"{key.path} must be one of {', '.join(key.choices)}, not {kind_of(place.value)}"
    return _bad(message, f"{key.path}: {guess or key.choices[0]}")


def _integer(key: Key, place: Node) -> Reading:
    value = place.value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,15}", value):
        value = int(value)  # a template makes texts of numbers in older Ansible
    if isinstance(value, bool) or not isinstance(value, int):
        return _bad(
            f"{key.path} must be a whole number, not {kind_of(value)}",
            f"{key.path}: {key.example}",
            "bad_type",
        )
    low, high = key.bounds or (None, None)
    if low is not None and high is not None and not low <= value <= high:
        return _bad(
            f"{key.path} must lie between {low} and {high}, and is {value}", f"{key.path}: {key.example}"
        )
    return value, []


def _boolean(key: Key, place: Node) -> Reading:
    value = place.value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        value = value.lower() == "true"  # as above
    if isinstance(value, bool):
        return value, []
    return _bad(
        f"{key.path} must be true or false, not {kind_of(value)}", f"{key.path}: {key.example}", "bad_type"
    )


def _size(key: Key, place: Node) -> Reading:
    value = str(place.value) if _is_number(place.value, int) else place.value
    if value == "unlimited" and "unlimited" in key.description:
        return value, []
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return _bad(
            f"{key.path} must be a size in {key.unit}, not {kind_of(place.value)}",
            f"{key.path}: {key.example}",
        )
    return found[1] + found[2].lower().replace("b", ""), []


def _is_number(value: t.Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _model(key: Key, place: Node) -> Reading:
    value, problems = _text(key, place)
    if problems:
        return value, problems
    if value.startswith((".", "~", "$")):
        return _bad(
            f"model {value} is a path relative to something the server does not know",
            "write the absolute directory on the host, e.g. model: /srv/models/qwen",
        )
    if re.search(r"\s", value):
        return _bad(f"model {value!r} holds blanks", f"model: {key.example}; options belong into settings")
    return value.rstrip("/") or "/", []


def _image(key: Key, place: Node) -> Reading:
    value, problems = _text(key, place)
    if problems:
        return value, problems
    if not _REFERENCE.fullmatch(value):
        return _bad(f"{value} is no reference of a container image", f"image: {key.example}")
    return value, []


def _version(key: Key, place: Node) -> Reading:
    value = place.value
    if _is_number(value, float) or _is_number(value, int):
        why = "YAML reads it as a number, which loses digits: 0.10 and 0.1 are the same"
        return _bad(
            f"version is {kind_of(value)}, not a text: {why}", f'quote it: version: "{value}"', "not_text"
        )
    return _text(key, place)


def _address(key: Key, place: Node) -> Reading:
    value, problems = _text(key, place)
    if problems:
        return value, problems
    bare = value[1:-1] if value.startswith("[") and value.endswith("]") else value
    if _IPV4.fullmatch(bare) or _IPV6.fullmatch(bare):
        return bare, []
    fix = "127.0.0.1" if value == "localhost" else "127.0.0.1, an address of the host, or 0.0.0.0"
    return _bad(
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
        return _bad(f"gpus must be a list of names, or all; not {kind_of(value)}", fix, "bad_type")
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
    if _is_number(each, int) and 0 <= each < 60:
        return str(each), None
    if _is_number(each, int) and each >= 60:
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


def _settings(key: Key, place: Node) -> Reading:
    if isinstance(place.value, dict):
        return place, []
    fix = (
        "write a pasted command line as argv"
        if isinstance(place.value, (str, list))
        else "settings: {max_num_seqs: 32}"
    )
    return _bad(f"settings must be a mapping of options, not {kind_of(place.value)}", fix, "bad_type")


def _argv(key: Key, place: Node) -> Reading:
    value = place.value
    if isinstance(value, str) and value.strip():
        return value, []
    if not isinstance(value, list) or not value:
        return _bad(
            f"argv must be a text or a list of words, not {kind_of(value)}",
            f"argv: {key.example}",
            "bad_type",
        )
    wrong = [each for each in value if isinstance(each, (bool, list, dict)) or each is None]
    if wrong:
        return _bad(
            f"argv holds {kind_of(wrong[0])}, and its words are texts", "quote every word", "not_text"
        )
    return [str(each) for each in value], []


def _mapping(key: Key, place: Node) -> Problem | None:
    if isinstance(place.value, dict):
        return None
    message = f"{key.path} must be a mapping, not {kind_of(place.value)}"
    return Problem("bad_type", message, f"{key.path}: {key.example}")


def _environment(key: Key, place: Node) -> Reading:
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
    if _is_number(value, int):
        return str(value), None
    if not isinstance(value, str):
        shown = str(value).lower() if isinstance(value, bool) else value
        message = f"env.{name} is {kind_of(value)}, and the environment holds text"
        return "", Problem("not_text", message, f'quote it: {name}: "{shown}"', value=value)
    if "\0" in value:
        return "", Problem("bad_value", f"env.{name} holds a NUL byte", "remove it", value=value)
    return value, None


def _secrets(key: Key, place: Node) -> Reading:
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


def _volumes(key: Key, place: Node) -> Reading:
    if not isinstance(place.value, list):
        return _bad(
            f"volumes must be a list, not {kind_of(place.value)}", f"volumes: {key.example}", "bad_type"
        )
    problems = []
    for each in place.value:
        if not isinstance(each, str) or not _VOLUME.fullmatch(each):
            message = f"{each} is no mount: source:target[:options], both absolute"
            problems.append(Problem("bad_volume", message, f"volumes: {key.example}", value=each))
    return place.value, problems


def _quadlet(key: Key, place: Node) -> Reading:
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


_READERS: dict[str, t.Callable[[Key, Node], Reading]] = {
    "text": _text,
    "choice": _choice,
    "integer": _integer,
    "boolean": _boolean,
    "size": _size,
    "model": _model,
    "image": _image,
    "version": _version,
    "address": _address,
    "gpus": _gpus,
    "settings": _settings,
    "argv": _argv,
    "environment": _environment,
    "secrets": _secrets,
    "volumes": _volumes,
    "quadlet": _quadlet,
}
