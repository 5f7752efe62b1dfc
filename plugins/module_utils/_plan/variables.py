"""The variables of a host beside its layers: what an inventory says of names, advice, GPUs and models."""

from __future__ import annotations

import dataclasses
import typing as t

from .._release.directory import normal_directory
from .._settings.finding import Finding
from .._settings.inputs import FALSE, TRUE
from .facts import HostFacts, is_list_of_mappings
from .unit import Site
from .words import kind_of

Variables = t.Mapping[str, t.Any]
SOURCES = ("directory", "archive", "path", "command")


@dataclasses.dataclass(frozen=True)
class Said:
    """What the variables say, and what is wrong with them."""

    facts: HostFacts
    known_names: tuple[str, ...]
    advise: bool
    findings: list[Finding]
    fetches: bool = True  # whether the weights of repositories are brought to the host
    sources: tuple[str, ...] = ()  # repositories and paths that the operator has elsewhere


def read_variables(variables: Variables, facts: HostFacts) -> Said:
    """Facts of the inventory lie below those that the host itself told."""
    findings: list[Finding] = []
    names = _value(variables, "vllm_known_names", _is_texts, "a list of names", "[my_parser]", findings)
    models = _value(
        variables, "vllm_model_facts", _is_facts, "facts by model", "{m/m: {config: …}}", findings
    )
    gpus = _value(
        variables,
        "vllm_gpu_facts",
        is_list_of_mappings,
        "a list of mappings, as nvidia_gpu_info returns it",
        '[{index: 0, name: NVIDIA L4, compute_capability: "8.9", memory_total_mib: 23034}]',
        findings,
    )
    advise = _value(variables, "vllm_advice", is_boolean, "true or false", "false", findings)
    fetch = _value(variables, "vllm_model_fetch", is_boolean, "true or false", "false", findings)
    sources = _value(
        variables,
        "vllm_model_sources",
        _is_sources,
        "a source (directory, archive, path or command) by repository or path",
        "{Qwen/Qwen3-8B: {directory: /srv/weights/qwen3-8b}}",
        findings,
    )
    merged = dataclasses.replace(
        facts,
        gpus=tuple(gpus) if facts.gpus is None and gpus is not None else facts.gpus,
        model_facts={**(models or {}), **facts.model_facts},
    )
    advises, fetches = (str(each).lower() not in FALSE for each in (advise, fetch))
    return Said(merged, tuple(names or ()), advises, findings, fetches, tuple(sources or ()))


def read_site(variables: Variables) -> tuple[Site, list[Finding]]:
    """What the instances of an inventory share on each host, and what is wrong with it."""
    fleet, given = variables.get("vllm_fleet_name"), variables.get("vllm_state_dir")
    site = Site(fleet=str(fleet)) if fleet else Site()
    if given in (None, ""):
        return site, []
    try:
        return dataclasses.replace(site, state_dir=normal_directory(str(given))), []
    except ValueError as error:
        finding = Finding(
            "error",
            "plan",
            "bad_directory",
            f"vllm_state_dir: {given!r} {error}",
            fix=f"vllm_state_dir: {site.state_dir}",
            setting="vllm_state_dir",
            value=given,
            origin="vllm_state_dir",
        )
        return site, [finding]


def _value(
    variables: Variables,
    name: str,
    fits: t.Callable[[t.Any], bool],
    wanted: str,
    example: str,
    findings: list[Finding],
) -> t.Any:
    """The value of a variable; None where it is not set, or of another type, which is told."""
    value = variables.get(name)
    if value is None or fits(value):
        return value
    message = f"{name} must be {wanted}, not {kind_of(value)}"
    findings.append(wrong("bad_type", name, value, message, f"{name}: {example}"))
    return None


def wrong(code: str, name: str, value: t.Any, message: str, fix: str) -> Finding:
    """What is said of a variable that is no layer."""
    return Finding("error", "plan", code, message, fix=fix, setting=name, value=value, origin=name)


def _is_sources(value: t.Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(each, dict) and len(each) == 1 and set(each) <= set(SOURCES) for each in value.values()
    )


def _is_texts(value: t.Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_facts(value: t.Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, dict) for each in value.values())


def is_boolean(value: t.Any) -> bool:
    """Whether it says yes or no, also as text: `-e vllm_advice=false` is one."""
    return isinstance(value, bool) or (isinstance(value, str) and value.lower() in (*TRUE, *FALSE))
