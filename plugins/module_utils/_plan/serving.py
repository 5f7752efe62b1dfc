"""The command line of an instance: its settings, judged by the table of its release, with the plan's host and port."""

from __future__ import annotations

import dataclasses
import typing as t

from .._fit.judge import Judged
from .._settings.finding import Finding
from .._settings.inputs import find_option
from .._settings.pasted import read_pasted
from .._settings.tables import Table, choose
from .advice import Advice
from .command_line import fold_draft, given, words_of
from .image import concerns_image
from .owned import EVERYWHERE, EVERYWHERE_TOO, OWNED, narrow_network, owned_settings, owned_words
from .tree import Node
from .words import kind_of

# Where something is written that is no setting of its own.
_WHERE = {
    "vllm_version": ("version", "image"),
    "model": ("model", "argv"),
    "image": ("image",),
    "gpus": ("gpus",),
    "env": ("env", "argv"),
}


@dataclasses.dataclass(frozen=True)
class Serving:
    """What follows ``vllm serve``, and what is to be said about it. ``argv`` is None where there is no model."""

    model: str | None
    argv: tuple[str, ...] | None
    findings: list[Finding]
    fit: dict[str, t.Any] | None = None


def serving(node: Node, values: t.Mapping[str, t.Any], version: str | None, advice: Advice) -> Serving:
    """Model, settings and a pasted command line as one canonical command line."""
    settings_node = node.find("settings")
    settings = _highest(settings_node, version) if settings_node and "settings" in values else {}
    findings = owned_settings(settings_node)
    pasted = values.get("argv")
    findings += owned_words(node, values, pasted)
    model, said = _model(node, values, pasted)
    findings += said
    revision, said = _revision(node, values, settings)
    findings += said
    settings = {key: value for key, value in settings.items() if key not in OWNED}
    settings.update(_where(values, version), **({"revision": revision} if revision else {}))
    settings.update(_drain(values, version, settings))
    judged = _judged(node, values, version, model, settings, advice)
    checked = judged.checked
    findings += _with_places(judged, node, values.get("image"))
    findings += narrow_network(node, values)
    findings += _unnamed_directory(checked.model, checked.argv, node)
    argv = fold_draft(checked.argv) if checked.model else None
    return Serving(checked.model, argv, findings, judged.fit)


def _where(values: t.Mapping[str, t.Any], version: str | None) -> dict[str, t.Any]:
    """Null takes away what a pasted command line says."""
    shares_network = values.get("container", {}).get("Network") == "host"
    listen = str(values.get("listen", ""))
    host = listen if shares_network else EVERYWHERE_TOO if ":" in listen else EVERYWHERE
    socket, _inverted = find_option(choose(version or "latest").table, "uds")  # since 0.10.1
    return {"host": host, "port": values.get("port"), **({"uds": None} if socket else {})}


_SHUTDOWN_TIMEOUT = "shutdown_timeout"


def _drain(
    values: t.Mapping[str, t.Any], version: str | None, settings: t.Mapping[str, t.Any]
) -> dict[str, t.Any]:
    """What the server itself is told about requests that run when it is stopped, where its release can be told."""
    seconds = values.get("limits.drain")
    option, _inverted = find_option(choose(version or "latest").table, _SHUTDOWN_TIMEOUT)
    pasted = values.get("argv")
    said = _SHUTDOWN_TIMEOUT in settings or bool(
        pasted and given(read_pasted(pasted).words, "--shutdown-timeout")
    )
    return {_SHUTDOWN_TIMEOUT: seconds} if seconds and option and not said else {}


def _judged(
    node: Node,
    values: t.Mapping[str, t.Any],
    version: str | None,
    model: str | None,
    settings: dict[str, t.Any],
    advice: Advice,
) -> Judged:
    place = node.find("settings")
    asked: dict[str, t.Any] = {
        "vllm_version": version or "latest",
        "model": model,
        "settings": settings,
        "argv": values.get("argv"),
        "env": values.get("env"),
        "gpu_facts": advice.gpus(values.get("gpus", [])),
        "target_version": advice.target,
        "origins": place.origins() if place else {},
        "plugin_names": advice.known_names,
    }
    return advice.judge(asked, values.get("volumes", ()))


def _highest(place: Node, version: str | None) -> dict[str, t.Any]:
    """Where layers name one option by two names (an alias, its opposite), the highest layer's word counts."""
    table = choose(version or "latest").table
    dest_of = {key: _dest(table, key) for key in place.value}
    highest: dict[str, int] = {}
    for key, inner in place.value.items():
        highest[dest_of[key]] = max(inner.rank, highest.get(dest_of[key], inner.rank))
    return {key: inner.plain() for key, inner in place.value.items() if inner.rank == highest[dest_of[key]]}


def _dest(table: Table, key: str) -> str:
    option, _inverted = find_option(table, key)
    return option.dest if option else key


def _model(node: Node, values: t.Mapping[str, t.Any], pasted: t.Any) -> tuple[str | None, list[Finding]]:
    """The model as the inventory names it; None where only a pasted command line does, or where that lies above."""
    model = values.get("model") or values.get("model.repo")
    place, line = node.find("model"), node.find("argv")
    if not pasted or model is None or place is None or line is None:
        return model, []
    if line.rank > place.rank and _names_model(pasted):
        return None, []
    if line.rank < place.rank or not _names_model(pasted):
        return model, []
    finding = Finding(
        "error",
        "plan",
        "model_twice",
        f"the layer names the model twice, as {model} and in argv",
        fix="keep one of them",
        setting="model",
        value=model,
        origin=place.origin,
    )
    return model, [] if _first_word(pasted) == model else [finding]


def _first_word(pasted: t.Any) -> str | None:
    words = read_pasted(pasted).words
    named = given(words, "--model")
    return named[0] if named else words[0] if words and not words[0].startswith("-") else None


def _names_model(pasted: t.Any) -> bool:
    return _first_word(pasted) is not None


def _revision(
    node: Node, values: t.Mapping[str, t.Any], settings: t.Mapping[str, t.Any]
) -> tuple[str | None, list[Finding]]:
    """The revision of the model, and a contradiction between two places that name it."""
    revision, twice = values.get("model.revision"), settings.get("revision")
    if revision is None or twice is None or twice == revision:
        return revision, []
    place = node.find("settings", "revision")
    finding = Finding(
        "error",
        "plan",
        "revision_twice",
        f"model.revision is {revision}, and settings.revision is {kind_of(twice)}",
        fix="keep model.revision",
        setting="revision",
        value=twice,
        origin=place.origin if place else None,
    )
    return revision, [finding]


def _with_places(judged: Judged, node: Node, image: str | None) -> list[Finding]:
    """What a check of settings does not know: where the inventory says what the finding is about."""
    # That a pasted line names no model is no news where the instance does.
    found = [each for each in judged.findings if each.code != "no_model" or judged.checked.model is None]
    found = [each for each in found if each.setting != "image" or concerns_image(each, image)]
    return [_named(finding).at(origin=_place(finding, node)) for finding in found]


def _named(finding: Finding) -> Finding:
    """The release is `version` here."""
    if finding.setting != "vllm_version":
        return finding
    return dataclasses.replace(finding, setting="version")


def _place(finding: Finding, node: Node) -> str:
    if finding.setting is None:
        return node.origin
    if finding.code.startswith("upgrade_"):  # of what nobody wrote: the release does it
        image = node.find("version") or node.find("image")
        return image.origin if image else node.origin
    head, _dot, path = finding.setting.partition(".")
    inside = node.find("settings", *finding.setting.split(".")) or node.find("settings", head)
    places = [inside, node.find(*finding.setting.split(".")), node.find("env", path or head)]
    places += [node.find(key) for key in _WHERE.get(head, ("argv", "settings"))]
    default = f"the default of {head}" if head == "gpus" else f"{node.origin}.settings"
    return next((place.origin for place in places if place), default)


def _unnamed_directory(model: str | None, argv: t.Sequence[str], node: Node) -> list[Finding]:
    if not model or not model.startswith("/") or words_of(argv, "--served-model-name"):
        return []
    place = node.find("model")
    last = model.rstrip("/").rpartition("/")[2]
    return [
        Finding(
            "warning",
            "plan",
            "directory_without_name",
            f"clients would have to ask for the model by its path, {model}",
            fix=f"settings: {{served_model_name: {last}}}",
            setting="model",
            value=model,
            origin=place.origin if place else None,
        )
    ]
