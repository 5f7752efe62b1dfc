"""What the parser inside an image refused, as findings, with what our tables know of each option beside its words."""

from __future__ import annotations

import re
import typing as t

from .argv import setting_name
from .finding import Finding
from .parser import parse
from .problem import veiled as veiled_problem
from .secretive import HIDDEN, is_secretive
from .tables import choose
from .version import format_release, parse_release
from .wording import explain

if t.TYPE_CHECKING:
    from .problem import Problem

Words = t.Sequence[str]

_LONGEST = 600  # of the image's words: the choices of some options fill a page
_ONE = re.compile(r"argument (-[^\s:]+):|ambiguous option: (-[^\s=]+)")
_UNKNOWN = re.compile(r"unrecognized arguments: (.*)", re.DOTALL)
_OPTION = re.compile(r"(?:^|\s)(--?[A-Za-z][\w.-]*)")


def refusal(
    message: str, argv: Words, release: str, planned: str | None, origins: t.Mapping[str, str]
) -> list[Finding]:
    """One finding for each option that the image names in its refusal; ``release`` is what the image holds."""
    words = shortened(message)
    names: list[str | None] = [*_named(message)] or [None]
    return [_refused(words, name, argv, release, planned, origins) for name in names]


def not_asked(why: str) -> Finding:
    """The image said nothing, so that only the tables stand for the command line."""
    message = f"the parser in the image was not asked, only the tables of its release were: {shortened(why)}"
    fix = "see on the host whether the image starts: podman run --rm --entrypoint=vllm IMAGE --version"
    return Finding("warning", "parse", "image_not_asked", message, fix, setting="image")


def other_release(release: str, planned: str | None, origins: t.Mapping[str, str]) -> Finding | None:
    """The image holds another release than the settings were judged by."""
    here, judged = parse_release(release), parse_release(planned or "")
    if here is None or judged is None or here == judged:
        return None
    name = format_release(here)
    message = f"the image holds vLLM {release}, and the settings were judged as for {planned}"
    return Finding(
        "warning",
        "parse",
        "image_holds_other_release",
        message,
        f"version: {name}"
        if "version" in origins
        else f"take an image of {planned}, or a tag that says {name}",
        setting="version",
        value=planned,
        origin=origins.get("version") or origins.get("image"),
    )


def veiled(message: str, argv: Words) -> str:
    """The message without the values of options that hold secrets: it ends up in tables and in files."""
    secret = False
    for word in argv:
        name, equals, value = word.partition("=")
        if word.startswith("--"):
            secret = is_secretive(name)
            word = value if equals else ""
        if secret and word:
            message = message.replace(word, HIDDEN)
    return message


def shortened(message: str) -> str:
    """The message on one line, and not longer than a table can hold."""
    text = " ".join(message.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _named(message: str) -> list[str]:
    """The options that a refusal of argparse is about, as they are written in it."""
    unknown = _UNKNOWN.search(message)
    if unknown:
        return list(dict.fromkeys(_OPTION.findall(unknown.group(1))))
    one = _ONE.search(message)
    return [next(filter(None, one.groups())).partition("/")[0]] if one else []


def _refused(
    words: str,
    option: str | None,
    argv: Words,
    release: str,
    planned: str | None,
    origins: t.Mapping[str, str],
) -> Finding:
    setting = setting_name(option) if option else None
    return Finding(
        "error",
        "parse",
        "image_refuses",
        f"the parser in the image (vLLM {release}) refuses the command line: {words}",
        _advice(setting, argv, release, planned),
        setting=setting or "argv",
        value=_value(option, argv) if option else None,
        origin=_origin(setting, origins),
    )


def _advice(setting: str | None, argv: Words, release: str, planned: str | None) -> str:
    """What the tables say of it in the release that the image holds, else in the planned one."""
    table = choose(release if parse_release(release) else planned or release).table
    problems = parse(argv, table).problems
    mine = [each for each in problems if setting is None or _is_about(each, setting)]
    if mine:
        told = [explain(veiled_problem(each), table) for each in mine]
        return "; ".join(
            f"{fix} ({message})" if fix and fix not in message else message for message, fix in told
        )
    what = setting or "this command line"
    return (
        f"leave it out, or take another image: vLLM {table.version} as it was published takes {what}, so this image was "
        "built otherwise"
    )


def _is_about(problem: Problem, setting: str) -> bool:
    names = (problem.setting or "", setting_name(problem.word or ""))
    return any(_head(name) == _head(setting) for name in names if name)


def _head(setting: str) -> str:
    return setting.partition(".")[0].partition("=")[0]


def _value(option: str, argv: Words) -> t.Any:
    """The words that the command line gives the option; its value is not shown where it may be secret."""
    values: list[str] = []
    inside = False
    for word in argv:
        name, equals, value = word.partition("=")
        if word.startswith("-") and setting_name(name) != "":
            inside = setting_name(name) == setting_name(option)
            values += [value] if inside and equals else []
        elif inside:
            values.append(word)
    if is_secretive(option):
        return HIDDEN if values else None
    return values[0] if len(values) == 1 else values or None


def _origin(setting: str | None, origins: t.Mapping[str, str]) -> str | None:
    """Where the setting was written: by any of its spellings, else the whole command line."""
    by_name = {
        setting_name(key.partition(".")[2]): origin
        for key, origin in origins.items()
        if key.startswith("settings.")
    }
    if setting in by_name:
        return by_name[setting]
    below = [origin for name, origin in by_name.items() if setting and name.startswith(setting + ".")]
    return below[0] if below else origins.get("argv") or origins.get("settings")
