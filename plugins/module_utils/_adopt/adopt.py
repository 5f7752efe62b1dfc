"""The whole of taking over: what runs in; a snippet of the inventory, and all there is to say about it, out."""

from __future__ import annotations

import dataclasses
import typing as t

from .._plan.facts import HostFacts
from .._plan.plan import plan_host
from .._plan.veil import veiled
from .._settings.finding import Finding, in_order
from .found import Found, Secret
from .instance import Taken, take
from .secrets import covered
from .yaml_text import block, scalar


@dataclasses.dataclass(frozen=True)
class Adopted:
    """What is to be written into the inventory of one host, and how that would be planned."""

    instances: dict[str, dict[str, t.Any]]
    secrets: tuple[Secret, ...]
    findings: tuple[Finding, ...]
    snippet: str
    argv: dict[str, tuple[str, ...] | None]  # as planned

    @property
    def valid(self) -> bool:
        """Whether it could be released as it stands."""
        return not any(each.severity == "error" for each in self.findings)


def adopt(
    found: t.Sequence[Found],
    places: t.Mapping[str, str] | None = None,
    host: str | None = None,
    image: str | None = None,
) -> Adopted:
    """Take servers of one host over. ``places`` are HOME and PWD there; ``image`` is for those that name none."""
    taken: list[Taken] = []
    known: dict[str, str | None] = {}
    for each in found:
        each = dataclasses.replace(each, image=image) if image and not each.image else each
        one = take(each, places or {}, known, [other.name for other in taken])
        known.update({secret.key: secret.value for secret in one.secrets})
        taken.append(one)
    every = [secret for each in taken for secret in each.secrets]
    taken = [dataclasses.replace(each, instance=covered(each.instance, every)) for each in taken]
    instances = {each.name: each.instance for each in taken}
    plan = plan_host({"vllm_instances": instances}, list(known), HostFacts(), host)
    said = [finding.at(host=host) for each in taken for finding in each.findings]
    planned = _new(plan.findings, said)
    refused = [finding.at(host=host) for each in taken for finding in each.refused]
    findings = in_order([*map(veiled, [*said, *_new(refused, planned)]), *planned])
    findings = [Finding(**covered(finding.as_dict(), every)) for finding in findings]
    secrets = tuple({secret.key: secret for secret in reversed(every)}.values())[::-1]
    return Adopted(
        instances,
        secrets,
        tuple(findings),
        _snippet(taken, secrets),
        {name: each.argv for name, each in plan.instances.items()},
    )


def _new(planned: t.Sequence[Finding], said: t.Sequence[Finding]) -> list[Finding]:
    """What the plan finds, but for what was said already on the way there."""
    spoken = {(each.instance, each.code, each.setting) for each in said}
    versions = {
        each.instance for each in said if each.code == "adoption_guesses" and each.setting == "version"
    }
    return [
        each
        for each in planned
        if (each.instance, each.code, each.setting) not in spoken
        and not (each.code == "version_not_known" and each.instance in versions)
    ]


def _snippet(taken: t.Sequence[Taken], secrets: t.Sequence[Secret]) -> str:
    lines = ["---"]
    if secrets:
        lines.append("vllm_secrets:  # left out; the values belong into a vault")
        lines += [
            f"  {scalar(each.key)}: {_vaulted(each)}  # {_comment(each.place, secrets)}" for each in secrets
        ]
    lines.append("vllm_instances:")
    for each in taken:
        lines.append(f"  # {_comment(each.source, secrets)}")
        lines.append(block({each.name: each.instance}, 1))
    return "\n".join(lines) + "\n"


def _vaulted(secret: Secret) -> str:
    return f'"{{{{ vault_{secret.key} }}}}"'


def _comment(text: str, secrets: t.Sequence[Secret]) -> str:
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(str(covered(printable, secrets)).split())
