"""What facts of a host say against its plan, and which models it is to be asked for."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding, Severity
from .._settings.version import format_release
from .advice import Advice
from .command_line import draft_of
from .facts import HostFacts
from .instance import Instance

FIRST_WITH_GPUS_FLAG = (5, 0, 0)


def wanted_models(instances: t.Iterable[Instance]) -> list[dict[str, str | None]]:
    """The models, drafts and adapters of what shall run, each in every revision, as ``vllm_host_info`` takes them."""
    found = dict.fromkeys(each for instance in instances for each in _models_of(instance))
    return [{"model": name, "revision": revision} for name, revision in found]


def _models_of(instance: Instance) -> t.Iterator[tuple[str, str | None]]:
    if instance.state != "present":
        return
    if instance.model:
        yield instance.model, next(iter(instance.option("--revision")), None)
    draft = draft_of(instance.argv or ())
    if isinstance(draft.get("model"), str):
        yield draft["model"], str(draft["revision"]) if draft.get("revision") else None
    yield from ((directory, None) for directory in instance.adapter_directories)


def state_findings(instances: t.Iterable[Instance], advice: Advice) -> list[Finding]:
    """GPUs that cannot be read, and models that are not what a server could load."""
    present = [instance for instance in instances if instance.state == "present"]
    found = []
    for instance in present:
        found += _gpus(instance, advice.facts)
        found += _gpus_flag(instance, advice.facts)
        found += _model(instance, advice)
    return found


def _gpus(instance: Instance, facts: HostFacts) -> list[Finding]:
    """Whether Podman can give the server its devices is another question, so this is no error."""
    problem = facts.gpu_problem
    if problem is None or not instance.gpus:
        return []
    unchecked = "" if facts.gpus else "; whether the server fits was not checked"
    message = f"the host's GPUs cannot be used as they are: {problem.get('message')}{unchecked}"
    return [_finding(instance, "warning", "gpus_not_usable", message, problem.get("fix"), "gpus")]


def _gpus_flag(instance: Instance, facts: HostFacts) -> list[Finding]:
    """The server would start without any GPU, and nobody would say why."""
    version = facts.podman_version
    if not instance.security.get("gpus_flag") or version is None or version >= FIRST_WITH_GPUS_FLAG:
        return []
    message = f"Podman {format_release(version)} of this host takes --gpus and ignores it: the server would see no GPU"
    fix = "remove security.gpus_flag, so that the GPUs come as CDI devices; or upgrade Podman to 5.0 or newer"
    return [_finding(instance, "error", "gpus_flag_ignored", message, fix, "security.gpus_flag")]


def _model(instance: Instance, advice: Advice) -> list[Finding]:
    """A repository is fetched; a directory must be there by itself."""
    key = advice.key_of(instance.model, next(iter(instance.option("--revision")), None)) or ""
    facts = advice.facts.model_facts.get(key)
    if not isinstance(facts, dict):
        return []
    if facts.get("config") and advice.model(key) is None:
        message = f"what is known of {instance.model} holds no config.json that can be read"
        again = "correct vllm_model_facts, or fetch the model again"
        return [_finding(instance, "warning", "model_facts_unreadable", message, again, "model")]
    problem = facts.get("problem")
    if not isinstance(problem, dict) or not (instance.model or "").startswith("/"):
        return []
    message, fix = str(problem.get("message")), problem.get("fix")
    if problem.get("code") == "model_not_there":
        return [_finding(instance, "error", "model_not_there", message, fix, "model")]
    return [_finding(instance, "warning", "model_incomplete", message, fix, "model")]


def _finding(
    instance: Instance, severity: Severity, code: str, message: str, fix: t.Any, setting: str
) -> Finding:
    values = {"gpus": list(instance.gpus), "model": instance.model, "security.gpus_flag": True}
    return Finding(
        severity,
        "host",
        code,
        message,
        fix=str(fix) if fix else None,
        instance=instance.name,
        setting=setting,
        value=values[setting],
        origin=instance.origins.get(setting, f"the default of {setting}"),
    )
