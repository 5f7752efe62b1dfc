"""Between Ansible and the check of settings: options of the action and of the filter, files, facts of a model."""

from __future__ import annotations

import dataclasses
import pathlib
import typing as t

import yaml
from ansible.errors import AnsibleError

from ..module_utils._fit.hardware import select_gpus
from ..module_utils._fit.judge import Judged, Known, judge_server
from ..module_utils._fit.model import Model, parse_model
from .plain import to_plain

OPTIONS = (
    "vllm_version",
    "model",
    "settings",
    "argv",
    "env",
    "gpu_facts",
    "model_facts",
    "draft_facts",
    "adapter_facts",
    "target_version",
    "plugin_names",
    "host_memory_mib",
    "driver_version",
    "advise",
)
KINDS: dict[str, tuple[type, ...]] = {
    "settings": (dict,),
    "argv": (str, list),
    "env": (dict,),
    "gpu_facts": (list,),
    "model_facts": (dict,),
    "draft_facts": (dict,),
    "adapter_facts": (dict,),
    "plugin_names": (list,),
    "host_memory_mib": (int,),
    "driver_version": (str,),
    "advise": (bool,),
}


def check_settings(given: t.Mapping[str, t.Any], folder: pathlib.Path | None = None) -> Judged:
    """The check on options as Ansible hands them over; ``folder`` is where files of ``--config`` are looked for."""
    options = {key: to_plain(value) for key, value in given.items()}
    _refuse_unknown(options)
    options = {key: value for key, value in options.items() if value is not None}
    _refuse_kinds(options)
    if isinstance(options.get("vllm_version"), float):
        raise AnsibleError(
            f"vllm_version: YAML made the number {options['vllm_version']} of a version: quote it"
        )
    if "vllm_version" not in options:
        raise AnsibleError("vllm_version is missing: the release of vLLM to judge by, for example 0.26.0")
    known = Known(
        options.get("model_facts", {}).get("tensors"),
        options.pop("host_memory_mib", None),
        options.pop("driver_version", None),
        options.pop("advise", True),
        options.pop("adapter_facts", {}),
    )
    for key in ("model_facts", "draft_facts"):
        if key in options:
            options[key] = _model(key, options[key])
    if "gpu_facts" in options:
        options["gpu_facts"] = _gpus(options["gpu_facts"])
    return judge_server(known, config_files=_config_files(options.get("argv"), folder), **options)


def _refuse_unknown(options: t.Mapping[str, t.Any]) -> None:
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise AnsibleError(f"there is no option {unknown[0]}; the options are {', '.join(OPTIONS)}")


def _refuse_kinds(options: t.Mapping[str, t.Any]) -> None:
    names = {dict: "a mapping", list: "a list", str: "text", int: "a whole number", bool: "true or false"}
    for key, kinds in KINDS.items():
        value = options.get(key)
        if key in options and (
            not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)
        ):
            raise AnsibleError(
                f"{key} takes {' or '.join(names[kind] for kind in kinds)}, not {options[key]!r}"
            )


def _gpus(facts: list[t.Any]) -> list[dict[str, t.Any]]:
    """A partitioned GPU as its slices; what is free and who holds the rest as the facts say it."""
    if not all(isinstance(each, dict) for each in facts):
        raise AnsibleError("gpu_facts takes a list of mappings, as nvidia_gpu_info returns it")
    return [dataclasses.asdict(gpu) for gpu in select_gpus(["all"], facts) or ()]


def _model(key: str, facts: dict[str, t.Any]) -> Model:
    config = facts.get("config")
    if not isinstance(config, dict):
        raise AnsibleError(f"{key} needs the key config: the model's config.json as a mapping")
    try:
        return parse_model(config)
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise AnsibleError(f"{key}.config is no config.json that can be read: {error}") from error


def _config_files(argv: t.Any, folder: pathlib.Path | None) -> dict[str, t.Any]:
    """What the file of ``--config`` says, where it lies on the controller; else it is reported as not readable."""
    words = argv.split() if isinstance(argv, str) else [str(word) for word in argv or []]
    found: dict[str, t.Any] = {}
    for option, path in zip(words, words[1:]):
        if option != "--config" or not path.endswith((".yaml", ".yml")):
            continue
        file = (folder or pathlib.Path.cwd()) / path
        try:
            found[path] = yaml.safe_load(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise AnsibleError(f"{file} cannot be read: {error}") from error
    return found


def as_result(judged: Judged) -> dict[str, t.Any]:
    """What the action returns."""
    checked = judged.checked
    return {
        "valid": judged.valid,
        "findings": [finding.as_dict() for finding in judged.findings],
        "settings": checked.settings,
        "argv": checked.argv,
        "model": checked.model,
        "vllm_version": checked.vllm_version,
        "table_version": checked.table_version,
        "fit": judged.fit,
    }
