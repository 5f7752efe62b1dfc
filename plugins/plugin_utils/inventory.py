"""The variables of a host as planning needs them: templated and plain, except the secrets, of which only keys are read."""

from __future__ import annotations

import collections.abc
import dataclasses
import typing as t

from ansible.errors import AnsibleError

from ..module_utils._plan.layers import is_layer_like
from ..module_utils._plan.rollout import VARIABLES as ROLLOUT_VARIABLES
from ..module_utils._settings.finding import Finding
from .plain import to_plain

SECRETS = "vllm_secrets"
PLAIN_VARIABLES = (
    "vllm_defaults",
    "vllm_instances",
    "vllm_overrides",
    SECRETS,
    "vllm_fleet_name",
    "vllm_state_dir",
    "vllm_registries",
    "vllm_image_archives",
    "vllm_known_names",
    "vllm_model_facts",
    "vllm_gpu_facts",
    "vllm_model_fetch",
    "vllm_model_sources",
    "vllm_advice",
)
# A fleet has many variables and hosts, and each is asked for.
_READ = frozenset((*PLAIN_VARIABLES, *ROLLOUT_VARIABLES))
_FAILED = object()


class Templar(t.Protocol):
    """What of Ansible's templar is needed."""

    def template(self, variable: t.Any) -> t.Any:
        """Expand what a value holds; AnsibleError where that fails."""


@dataclasses.dataclass(frozen=True)
class Inventory:
    """Plain variables; the keys of the secrets, None where even those are not known; what could not be templated."""

    variables: dict[str, t.Any]
    secret_keys: tuple[str, ...] | None
    findings: list[Finding]


def read_inventory(
    raw: t.Mapping[str, t.Any], templar: Templar, taken: t.Mapping[str, t.Any] | None = None
) -> Inventory:
    """Read what planning needs. ``raw`` is not templated yet; ``taken`` are options, which stand for variables."""
    given = dict(taken or {})
    findings: list[Finding] = []
    variables = {name: value for name, value in given.items() if name != SECRETS}
    for name in raw:
        if name == SECRETS or name in given or not (is_layer_like(name) or name in _READ):
            continue
        value = _templated(raw[name], name, templar, findings)
        if value is not _FAILED:
            variables[name] = value
    secrets = given[SECRETS] if SECRETS in given else raw.get(SECRETS, {})
    return Inventory(variables, _keys(secrets, findings), findings)


def _keys(secrets: t.Any, findings: list[Finding]) -> tuple[str, ...] | None:
    """The keys, without a look at any value. Secrets that one template makes are not known before they are needed."""
    if isinstance(secrets, collections.abc.Mapping):
        return tuple("".join(key) if isinstance(key, str) else str(key) for key in secrets)
    if isinstance(secrets, str) and "{{" in secrets:
        message = "vllm_secrets is one template as a whole, and planning never expands secrets: their keys are not checked"
        fix = "write vllm_secrets as a mapping whose values are templates"
        findings.append(Finding("info", "plan", "secret_keys_unknown", message, fix=fix, origin=SECRETS))
        return None
    if secrets is None:
        return ()
    message = "vllm_secrets must be a mapping of secrets by their keys"
    fix = 'vllm_secrets: {hf: "{{ vault_hf_token }}"}'
    findings.append(Finding("error", "plan", "layer_not_a_mapping", message, fix=fix, origin=SECRETS))
    return None


def _templated(value: t.Any, origin: str, templar: Templar, findings: list[Finding]) -> t.Any:
    """The plain value. Where it fails its parts are tried one by one, so that each failure is told with its place."""
    try:
        return to_plain(templar.template(value))
    except (AnsibleError, ValueError, TypeError, KeyError) as problem:
        if isinstance(value, collections.abc.Mapping):
            parts = {
                to_plain(key): _templated(value[key], f"{origin}.{key}", templar, findings) for key in value
            }
            return {key: part for key, part in parts.items() if part is not _FAILED}
        if isinstance(value, collections.abc.Sequence) and not isinstance(value, str):
            each = [_templated(part, f"{origin}[{at}]", templar, findings) for at, part in enumerate(value)]
            return [part for part in each if part is not _FAILED]
        findings.append(_failure(value, origin, problem))
        return _FAILED


def _failure(value: t.Any, origin: str, problem: Exception) -> Finding:
    why = " ".join(str(getattr(problem, "message", None) or problem).split())
    variable, _dot, place = origin.partition(".")
    instance, path = (None, place) if variable.startswith("vllm_defaults") else place.partition(".")[::2]
    return Finding(
        "error",
        "plan",
        "template_failed",
        f"{origin} cannot be templated: {why}",
        fix="define what the template names, or write the value",
        instance=instance or None,
        setting=path.rpartition("settings.")[2] or variable,
        value=to_plain(value, reveal=False),
        origin=origin,
    )
