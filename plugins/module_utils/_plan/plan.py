"""The whole of planning: variables of a host in; its instances, and everything there is to say about them, out."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._fit.judge import Judged
from .._release.names import NAME, RESERVED
from .._settings.finding import Finding, has_errors, in_order
from .advice import Advice
from .binding import Bound, bind, describe
from .exposure import exposure
from .facts import HostFacts
from .from_disk import with_caches, with_weights
from .host import check_host
from .host_state import state_findings, wanted_models
from .image import release_of
from .instance import Instance, mounts_of, unit_name
from .layers import merge_layers
from .reading import read_instance
from .registries import ARCHIVES, REGISTRIES, read_archives, read_registries
from .serving import Serving, serving
from .tree import Node
from .unit import Site
from .variables import Said, read_site, read_variables
from .veil import veiled
from .weights import wanted_paths, wanted_weights
from .words import nearest


@dataclasses.dataclass(frozen=True)
class HostPlan:
    """What is planned for a host. ``instances`` holds also those with errors, as far as they could be read."""

    findings: list[Finding]
    instances: dict[str, Instance]
    bound: dict[str, Bound]
    # Repositories that the host must hold.
    weights: list[dict[str, t.Any]] = dataclasses.field(default_factory=list)
    # Directories and files of the host that command lines name.
    paths: list[dict[str, t.Any]] = dataclasses.field(default_factory=list)

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong; warnings may be there."""
        return not has_errors(self.findings)

    def with_findings(self, more: t.Sequence[Finding], host: str | None = None) -> HostPlan:
        """The same plan with what was found before it, in its place; what follows from those is left out."""
        unread = {finding.origin or "" for finding in more if finding.code == "template_failed"}
        kept = [each for each in self.findings if not _follows(each, unread)]
        findings = in_order([finding.at(host=host) for finding in more] + kept)
        return dataclasses.replace(self, findings=findings)

    @property
    def models(self) -> list[dict[str, str | None]]:
        """What the host is to be asked for its facts of."""
        return wanted_models(self.instances.values())

    def described(self) -> dict[str, dict[str, t.Any]]:
        """The instances as ``vllm_plan`` returns them."""
        return {name: describe(each, self.bound[name]) for name, each in self.instances.items()}


def plan_host(
    variables: t.Mapping[str, t.Any],
    secret_keys: t.Collection[str] | None,
    facts: HostFacts,
    host: str | None = None,
    target: str | None = None,
    judged: dict[str, Judged] | None = None,
) -> HostPlan:
    """Plan one host. ``variables`` are plain builtins; of secrets only the keys are known (None: not even those).

    ``target`` is a release of vLLM that may come next: what it would make of each instance is said as well.
    ``judged`` remembers settings from one host to the next.
    """
    layers = merge_layers(variables)
    findings = list(layers.findings)
    instances = {}
    said = read_variables(variables, facts)
    site, wrong = read_site(variables)
    findings += [*said.findings, *wrong]
    findings += read_registries(variables.get(REGISTRIES), secret_keys)[1]
    findings += read_archives(variables.get(ARCHIVES))[1]
    units = frozenset(unit_name(name) for name in layers.instances)
    judged = {} if judged is None else judged
    advice = Advice(said.facts, said.known_names, target, judged, units, said.advise)
    for name, node in layers.instances.items():
        instance, told = _plan_instance(name, node, secret_keys, advice)
        instances[name] = instance
        findings += [finding.at(instance=name) for finding in told]
    findings += check_host(list(instances.values()), advice.facts.gpus)
    state = state_findings(instances.values(), advice)
    findings += [each for each in state if each.code != "model_not_there" or each.value not in said.sources]
    bound, said_alone = {}, tuple(instances.values())
    for name in instances:
        instances[name], bound[name] = _bound(instances[name], facts, said, site)
    findings += [each.finding.at(instance=name) for name, each in bound.items() if each.finding]
    plan = HostPlan(in_order(veiled(finding).at(host=host) for finding in findings), instances, bound)
    return dataclasses.replace(
        plan, weights=wanted_weights(said_alone, said.fetches), paths=wanted_paths(said_alone)
    )


def _bound(instance: Instance, facts: HostFacts, said: Said, site: Site) -> tuple[Instance, Bound]:
    """The instance as it runs on its host, from the host's disk, and its unit."""
    served, known = with_weights(instance, facts, said.fetches, site.state_dir)
    served = with_caches(served, facts, site.state_dir)
    bound = bind(served, facts, site)
    return served, bound if known else dataclasses.replace(bound, intent=None)


def _follows(finding: Finding, unread: t.Collection[str]) -> bool:
    """Whether a finding only says again that a value could not be read: no layer has it then."""
    if finding.code == "unknown_instance" and any("." not in origin for origin in unread):
        return True
    place = (finding.origin or "").partition(".")[2]
    return any(
        place and (place + ".").startswith(origin.partition(".")[2] + ".")
        for origin in unread
        if "." in origin
    )


def _plan_instance(
    name: str, node: Node, secret_keys: t.Collection[str] | None, advice: Advice
) -> tuple[Instance, list[Finding]]:
    read = read_instance(node)
    values = read.values
    if values.get("state") == "absent":
        wrong = [finding for finding in read.findings if finding.severity == "error"]
        return Instance(name, "absent", origins=node.origins()), [*_bad_name(name, node), *wrong]
    version, said = release_of(values.get("image"), values.get("version"), _origin(node, "version"))
    served = serving(node, values, version, advice)
    findings = [*_bad_name(name, node), *read.findings, *said, *served.findings]
    findings += _unknown_secrets(node, values, secret_keys)
    findings += _raw_devices_need_indices(node, values)
    instance = _instance(name, node, values, version, served)
    return instance, findings + exposure(instance, node)


def _instance(
    name: str, node: Node, values: t.Mapping[str, t.Any], version: str | None, served: Serving
) -> Instance:
    """The instance as far as it could be read."""
    gpus = values.get("gpus", ())
    instance = Instance(
        name=name,
        state="present",
        model=served.model,
        version=version,
        image=values.get("image"),
        argv=served.argv,
        gpus=("all",) if gpus == "all" else tuple(gpus),
        mounts=mounts_of(served.model, values.get("volumes", ())),
        env=values.get("env", {}),
        secrets=values.get("secrets", {}),
        listen=values.get("listen", ""),
        port=values.get("port", 0),
        limits=_section(values, "limits"),
        security=_section(values, "security"),
        gate=_section(values, "gate"),
        container=values.get("container", {}),
        origins=node.origins(),
        fit=served.fit,
    )
    return dataclasses.replace(instance, devices=_devices(instance))


def _origin(node: Node, *path: str) -> str | None:
    place = node.find(*path)
    return place.origin if place else None


def _section(values: t.Mapping[str, t.Any], section: str) -> dict[str, t.Any]:
    prefix = section + "."
    return {key[len(prefix) :]: value for key, value in values.items() if key.startswith(prefix)}


def _bad_name(name: str, node: Node) -> list[Finding]:
    if name in RESERVED:
        message = f"{name} cannot be the name of an instance: vllm_state_dir has a place of that name for all of them"
        return [
            Finding("error", "plan", "bad_name", message, fix=f"{name}-1: …", value=name, origin=node.origin)
        ]
    if NAME.fullmatch(name):
        return []
    right = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "qwen"
    message = f"{name} cannot be the name of an instance: up to 40 of a-z, 0-9 and -, a letter or digit first"
    return [Finding("error", "plan", "bad_name", message, fix=f"{right}: …", value=name, origin=node.origin)]


def _devices(instance: Instance) -> tuple[str, ...]:
    if instance.security.get("raw_devices") or instance.security.get("gpus_flag"):
        return ()
    return tuple(f"nvidia.com/gpu={name}" for name in instance.gpus)


def _raw_devices_need_indices(node: Node, values: t.Mapping[str, t.Any]) -> list[Finding]:
    gpus = values.get("gpus", [])
    if not values.get("security.raw_devices") or (gpus != "all" and all(name.isdigit() for name in gpus)):
        return []
    message = "device files are numbered: with security.raw_devices only indices name a GPU"
    return [
        Finding(
            "error",
            "plan",
            "raw_devices_need_indices",
            message,
            fix='gpus: ["0"]',
            setting="gpus",
            value=gpus,
            origin=_origin(node, "gpus") or _origin(node, "security", "raw_devices"),
        )
    ]


def _unknown_secrets(
    node: Node, values: t.Mapping[str, t.Any], known: t.Collection[str] | None
) -> list[Finding]:
    findings = []
    for variable, key in values.get("secrets", {}).items():
        if known is None or key in known:
            continue
        guess = nearest(key, known)
        there = f"; it has {', '.join(sorted(known))}" if known else ", which is empty or not set"
        findings.append(
            Finding(
                "error",
                "plan",
                "unknown_secret",
                f"vllm_secrets has no key {key}{there}",
                fix=f"secrets: {{{variable}: {guess}}}" if guess else f"vllm_secrets: {{{key}: …}}",
                setting=f"secrets.{variable}",
                value=key,
                origin=_origin(node, "secrets", variable),
            )
        )
    return findings
