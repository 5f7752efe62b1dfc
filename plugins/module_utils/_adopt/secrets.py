"""What is secret in what somebody runs, so that it is left out and named."""

from __future__ import annotations

import re
import typing as t

from .._settings.finding import Finding
from .._settings.secretive import HIDDEN, is_secretive
from .found import Found, Secret, lost

API_KEY = "VLLM_API_KEY"
# Settings that vLLM takes from a variable as well.
_VARIABLES = {"api_key": API_KEY, "hf_token": "HF_TOKEN"}
# What is secret whatever its name: tokens of hubs and clouds, and a login in an address.
_SHAPE = re.compile(
    r"(?:hf_|sk[-_]|gh[pousr]_)[A-Za-z0-9]{24,}|\b(?:hf_\w{16,}|sk-[\w-]{16,}|gh[pousr]_\w{20,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|nvapi-[\w-]{16,})"
    r"|//[^/\s:@]*:[^/\s@]+@|\b[^/\s:@]+:[^/\s:@]+@(?=[\w-]+(?:\.\w|:\d))(?!sha\d+:)"
)
_ASSIGNED = re.compile(r"(?<![\w-])(?P<name>[A-Za-z_]\w*)=(?P<value>[^\s\"',;)…]+)")
_LOGIN = re.compile(r"@|//[^/\s:]*:(?!\d+(?:/|$))")  # in the address of a proxy
# A name and what belongs to it, in any text.
_NAMED = re.compile(
    r"(?P<name>--?[A-Za-z][\w-]*(?=[=\s])|[A-Za-z_][\w-]*(?=[\"']?\s*[=:]))(?P<sign>[\"']?\s*[=:\s]\s*[\"']?)(?P<value>[^\s\"',;]+)"
)
# Keys of JSON options; those of a tokenizer (`eos_token`) are no secrets.
_IN_JSON = re.compile(
    r"password|passwd|secret|(?:api|access)[-_]?key|(?:auth|hf|hub|access|bearer)[-_]?token", re.IGNORECASE
)
_LONG = 8  # shorter values may be parts of other words
_NAMES = re.compile(r"credential|passphrase|(?:^|_)(?:auth|pat|pass|pw)$|private_?key", re.IGNORECASE)


def is_secret(name: str, value: str | None) -> bool:
    """Whether a variable or setting holds a secret, by its name or by what it looks like."""
    if value is not None and value.startswith(HIDDEN):
        return True
    if value is not None and value.lower() in ("true", "false", "1", "0"):
        return False
    if name.lower().endswith("_proxy") and _LOGIN.search(value or ""):
        return True
    return is_secretive(name) or bool(_NAMES.search(name)) or bool(_SHAPE.search(value or ""))


def looks_secret(text: str) -> bool:
    """Whether a text holds something that is secret whatever its name."""
    return bool(_SHAPE.search(text))


def shown_text(text: str) -> str:
    """Any text of somebody's for a message: what has a secret's name or looks like one is hidden. Cut it afterwards."""

    def hide(found: re.Match[str]) -> str:
        is_hidden = is_secret(found["name"].lstrip("-"), found["value"]) and found["value"] != "="
        return f"{found['name']}{found['sign']}{HIDDEN}" if is_hidden else found[0]

    return _NAMED.sub(hide, _SHAPE.sub(HIDDEN, text))


def secrets_in_env(found: Found) -> list[Secret]:
    """Variables that carry a secret."""
    return [
        Secret(name, key_of(name), f"variable {name} of {found.source}", value)
        for name, value in found.env.items()
        if is_secret(name, value)
    ]


def secrets_of_podman(found: Found) -> list[Secret]:
    """Secrets that Podman itself holds and gives as variables: ``--secret name,type=env,target=NAME``."""
    secrets = []
    for text in found.values("--secret"):
        name, _comma, rest = text.partition(",")
        parts = dict(part.partition("=")[::2] for part in rest.split(","))
        if parts.get("type") == "env":
            variable = parts.get("target") or name
            secrets.append(Secret(variable, key_of(variable), f"Podman's secret {name} of {found.source}"))
    return secrets


def secrets_as_files(found: Found) -> list[Finding]:
    """Secrets that a container has as files: here a server gets them as variables."""
    findings = []
    for text in found.values("--secret"):
        name, _comma, rest = text.partition(",")
        if "type=env" not in rest.split(","):
            message = f"the secret {name} is a file below /run/secrets, and servers get secrets as variables"
            fix = "secrets: {NAME: key}, or a volume with the file"
            findings.append(lost(message, fix, "secrets"))
    return findings


def secret_setting(name: str, value: t.Any, found: Found) -> Secret | None:
    """The secret that a setting holds, where vLLM takes it from a variable as well."""
    variable = _VARIABLES.get(name)
    if variable is None or value in (None, [], True, False):
        return None
    first = value[0] if isinstance(value, list) else value
    return Secret(variable, key_of(variable), f"--{name.replace('_', '-')} of {found.source}", str(first))


def key_of(variable: str) -> str:
    """The key of `vllm_secrets` for a variable."""
    return (
        "api_key"
        if variable == API_KEY
        else re.sub(r"[^a-z0-9]+", "_", variable.lower()).strip("_") or "secret"
    )


def keyed(secrets: t.Sequence[Secret], instance: str, known: t.Mapping[str, str | None]) -> list[Secret]:
    """Secrets with keys that no other value has; ``known`` are the keys and values so far."""
    found: dict[str, Secret] = {}
    for each in secrets:
        clashes = each.key in known and known[each.key] != each.value
        own = clashes or each.variable == API_KEY
        key = f"{instance.replace('-', '_')}_{each.key}" if own else each.key
        found.setdefault(each.variable, Secret(each.variable, key, each.place, each.value))
    return list(found.values())


def covered(value: t.Any, secrets: t.Iterable[Secret]) -> t.Any:
    """Plain data without any secret that is known or looks like one: somebody may have written it at a wrong place."""
    known = sorted(
        (each.value for each in secrets if each.value and len(each.value) >= _LONG), key=len, reverse=True
    )

    def cover(text: str) -> str:
        for each in known:
            text = text.replace(each, HIDDEN)
        return _ASSIGNED.sub(_without_value, _SHAPE.sub(HIDDEN, text))

    return _mapped(value, cover)


def _without_value(found: re.Match[str]) -> str:
    """``HF_TOKEN=…`` that somebody wrote among the options."""
    is_hidden = is_secret(found["name"], found["value"]) and not found["value"].startswith(("{{", "$"))
    return f"{found['name']}={HIDDEN}" if is_hidden else found[0]


def _mapped(value: t.Any, change: t.Callable[[str], str]) -> t.Any:
    if isinstance(value, dict):
        return {_mapped(key, change): _mapped(each, change) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_mapped(each, change) for each in value]
    return change(value) if isinstance(value, str) else value


def veiled_settings(value: t.Any, name: str = "") -> tuple[t.Any, list[str]]:
    """Settings with a template in the place of each secret inside a JSON option; the names of what was hidden."""
    if isinstance(value, dict):
        pairs = {key: veiled_settings(each, str(key)) for key, each in value.items()}
        return {key: pair[0] for key, pair in pairs.items()}, [
            each for pair in pairs.values() for each in pair[1]
        ]
    if isinstance(value, list):
        items = [veiled_settings(each, name) for each in value]
        return [item[0] for item in items], [each for item in items for each in item[1]]
    if isinstance(value, str) and value and (_IN_JSON.search(name) or looks_secret(value)):
        return "{{ vault_" + re.sub(r"\W+", "_", name.lower()) + " }}", [name]
    return value, []
