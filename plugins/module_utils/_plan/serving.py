"""The command line of an instance: its settings, judged by the table of its release, with the plan's own host and port."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.argv import render_argv
from .._settings.finding import Finding
from .tree import Node

# Inside its own network the server listens on every address: what Podman publishes arrives from outside that network.
# The port is the same inside and outside, so that logs, `ps` and clients speak of one number.
EVERYWHERE = "0.0.0.0"
_OWNED = {
    "host": "listen: 127.0.0.1",
    "port": "port: 8000",
    "uds": "listen and port: a server is reached by TCP",
}


@dataclasses.dataclass(frozen=True)
class Serving:
    """What follows ``vllm serve``, and what is to be said about it. ``argv`` is None where it cannot be written."""

    model: str | None
    settings: dict[str, t.Any]
    argv: tuple[str, ...] | None
    findings: list[Finding]


def serving(node: Node, values: t.Mapping[str, t.Any]) -> Serving:
    """Settings and model of an instance as one canonical command line."""
    place = node.find("settings")
    settings = place.plain() if place and isinstance(place.value, dict) else {}
    findings = _owned(place)
    model, revision, said = _model(node, values, settings)
    findings += said
    settings = {key: value for key, value in settings.items() if key not in _OWNED}
    if revision:
        settings["revision"] = revision
    findings += _unnamed_directory(model, settings, node)
    if model is None:
        return Serving(model, settings, None, findings)
    address = values.get("listen") if values.get("container", {}).get("Network") == "host" else EVERYWHERE
    argv = render_argv(model, {**settings, "host": address, "port": values.get("port")})
    return Serving(model, settings, tuple(argv), findings)


def _owned(place: Node | None) -> list[Finding]:
    found = []
    for name, fix in _OWNED.items():
        inner = place.find(name) if place else None
        if inner:
            found.append(
                Finding(
                    "error",
                    "plan",
                    "owned_setting",
                    f"{name} is no setting here: listen and port own where the server is reached",
                    fix=f"remove it, and write {fix} beside settings",
                    setting=name,
                    value=inner.plain(),
                    origin=inner.origin,
                )
            )
    return found


def _model(
    node: Node, values: t.Mapping[str, t.Any], settings: t.Mapping[str, t.Any]
) -> tuple[str | None, str | None, list[Finding]]:
    """The model, its revision, and a contradiction between two places that name the revision."""
    model = values.get("model") or values.get("model.repo")
    revision = values.get("model.revision")
    twice = settings.get("revision")
    if revision is None or twice is None or twice == revision:
        return model, revision, []
    place = node.find("settings", "revision")
    finding = Finding(
        "error",
        "plan",
        "revision_twice",
        f"model.revision is {revision}, and settings.revision is {twice}",
        fix="keep model.revision",
        setting="revision",
        value=twice,
        origin=place.origin if place else None,
    )
    return model, revision, [finding]


def _unnamed_directory(model: str | None, settings: t.Mapping[str, t.Any], node: Node) -> list[Finding]:
    if not model or not model.startswith("/") or settings.get("served_model_name"):
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
