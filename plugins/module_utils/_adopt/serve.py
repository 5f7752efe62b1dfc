"""The server's own command line as `model` and `settings`, read by the parser of the release that the image names."""

from __future__ import annotations

import dataclasses
import typing as t

from .._plan.image import parse_reference
from .._settings.check import Checked, check
from .._settings.finding import Finding
from .._settings.pasted import read_pasted
from .._settings.version import format_release, parse_release
from .found import Found, guessed
from .inside import Inside
from .secrets import shown_text

# What the parser said of the line as it stood, and the inventory writes otherwise.
_OF_THE_LINE = ("no_model", "container_options_dropped", "shell_variable", "ignored_model", "repeated_option")
_OWNED = ("host", "port", "uds", "model", "config", "model_tag")


@dataclasses.dataclass
class Served:
    """What the line says. ``refused`` are findings about words that no setting could be made of."""

    model: str | None = None
    settings: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    host: str | None = None
    port: t.Any = None
    version: str | None = None  # where the tag of the image does not tell it
    findings: list[Finding] = dataclasses.field(default_factory=list)
    refused: list[Finding] = dataclasses.field(default_factory=list)


def served_by(found: Found, inside: Inside) -> Served:
    """Read the words of the server."""
    tag = parse_reference(found.image or "").tag
    told = parse_release(tag or "")
    said = parse_release(found.version or "")
    release = told or said
    served = Served(version=format_release(said) if said and not told else None)
    if release is None:
        served.findings.append(_unknown_release(found, tag))
    if not inside.words and not inside.of_image:
        return served
    words = inside.words if inside.of_image else read_pasted(inside.words).words
    version = format_release(release) if release else tag or "latest"
    _take(served, check(vllm_version=version, argv=["vllm", "serve", *_model_first(words)]))
    return served


def _model_first(words: t.Sequence[str]) -> list[str]:
    """The line as `vllm serve` has it in every release: what `--model` says stands in front."""
    rest: list[str] = []
    model: list[str] = []
    place = 0
    while place < len(words):
        name, equals, value = words[place].partition("=")
        if name != "--model" or (not equals and place + 1 == len(words)):
            rest.append(words[place])
            place += 1
            continue
        model = [value if equals else words[place + 1]]
        place += 1 if equals else 2
    return [*model, *rest]


def _unknown_release(found: Found, tag: str | None) -> Finding:
    """Settings are judged by the newest release then, which may be another one than the image holds."""
    image = shown_text(found.image or "vLLM")
    tag = tag if tag and tag in image else None
    message = f"{image} does not tell its release" + (f" by the tag {tag}" if tag else "")
    message += ": the command line was read as the newest release that is known reads it"
    fix = 'version: "…", as `vllm --version` in the image or /version of the running server says; or an image with a release as its tag'
    return guessed(message, fix, "version")


def _take(served: Served, checked: Checked) -> None:
    settings = {name: value for name, value in checked.written.items() if value is not None}
    served.host, served.port = _text(settings.get("host")), settings.get("port")
    served.model = checked.model
    served.settings = {name: value for name, value in settings.items() if name not in _OWNED}
    for finding in checked.findings:
        if finding.stage != "parse" or finding.code in _OF_THE_LINE or finding.setting == "vllm_version":
            continue
        head = (finding.setting or "").partition(".")[0]
        # A value that was refused is kept as it was written, so that the plan refuses it in its place.
        if head and head not in _OWNED and head not in served.settings and _is_written(finding):
            served.settings[head] = finding.value
        elif finding.severity == "error":
            served.refused.append(finding)


def _is_written(finding: Finding) -> bool:
    codes = ("invalid_choice", "invalid_value", "invalid_json", "unexpected_value")
    return finding.code in codes and isinstance(finding.value, str)


def _text(value: t.Any) -> str | None:
    return None if value is None else str(value)
