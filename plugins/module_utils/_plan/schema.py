"""The inventory contract: one typed table of the keys of an instance.

Checks, messages, ``docs/inventory.md`` and the JSON Schema for editors come from here and from nowhere else.
"""

from __future__ import annotations

import dataclasses
import typing as t

Kind = t.Literal[
    "text",
    "choice",
    "integer",
    "boolean",
    "size",
    "model",
    "image",
    "version",
    "address",
    "gpus",
    "settings",
    "argv",
    "environment",
    "secrets",
    "volumes",
    "quadlet",
]

PORTS = (1, 65535)
SINCE = "0.1.0"


@dataclasses.dataclass(frozen=True)
class Key:
    """One key of an instance, by its dotted path below it."""

    path: str
    kind: Kind
    description: str
    example: str
    default: t.Any = None
    unit: str | None = None
    choices: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    required: bool = False
    gives_away: str | None = None  # of a security opt-out: what it costs
    since: str = SINCE


@dataclasses.dataclass(frozen=True)
class Variable:
    """One variable of the inventory."""

    name: str
    description: str


VARIABLES: tuple[Variable, ...] = (
    Variable("vllm_defaults", "Keys that every instance begins with. Lowest layer."),
    Variable("vllm_defaults__*", "More of them; every variable of that prefix, sorted by name."),
    Variable("vllm_instances", "Instances by name. Only this layer and the next one define an instance."),
    Variable("vllm_instances__*", "More instances, or more keys of them; sorted by name."),
    Variable(
        "vllm_overrides__*", "Changes to instances that exist, for the groups of a host; sorted by name."
    ),
    Variable("vllm_overrides", "Changes to instances that exist, for one host. Highest layer."),
    Variable(
        "vllm_secrets",
        "Secret values by key. Planning looks at the keys only: nothing in it is ever templated or decrypted.",
    ),
    Variable(
        "vllm_fleet_name",
        "A name for this inventory, where several manage servers on one host; `default` if unset.",
    ),
    Variable(
        "vllm_state_dir",
        "Where the state of a host is kept, as an absolute path; `/var/lib/vllm-fleet` if unset.",
    ),
    Variable(
        "vllm_registries",
        "Registries by location (`registry.example.com`, or a part of one): `username` with `password` (a key of"
        " `vllm_secrets`) or `podman_secret`, or an `auth_file` of the host; `mirrors`, a list of locations; `insecure` for"
        " plain HTTP. `docs/fetch.md` has examples.",
    ),
    Variable(
        "vllm_image_archives",
        "Archives of images (`podman save`) by the reference they bring: a path on the control node, or a mapping of `path`"
        " and `on: host`.",
    ),
    Variable(
        "vllm_refresh_tags",
        "Whether tags are resolved anew although the image is there; false if unset. For one run: `-e vllm_refresh_tags=true`.",
    ),
    Variable(
        "vllm_known_names",
        "Names that plug-ins of your image register (parsers, connectors, quantization methods): not reported as unknown.",
    ),
    Variable(
        "vllm_model_facts",
        "Facts by model (`config`, `tensors`), as `vllm_model_info` returns them: whether a server fits is told before any"
        " weight is on disk. What a host itself tells goes above.",
    ),
    Variable(
        "vllm_gpu_facts",
        "The GPUs of a host, as `nvidia_gpu_info` returns them, so that it is planned without a look at it. What the host"
        " itself tells takes their place.",
    ),
    Variable(
        "vllm_model_sources",
        "What you have already, by repository or by path of the host: `directory` or `archive` of the control node, `path`"
        " of the host, or a `command` that brings it there.",
    ),
    Variable(
        "vllm_model_fetch",
        "Whether the weights of repositories are brought to the hosts, and servers start from there without any network;"
        " true if unset. With false a server gets them as the image does by itself, or from what you mount.",
    ),
    Variable("vllm_advice", "Whether to give advice on habits that pay on a class of GPU; true if unset."),
    Variable(
        "vllm_failure_budget", "How many hosts may have a problem before the rollout stops; 0 if unset."
    ),
    Variable(
        "vllm_canaries",
        "The hosts that are released first; if unset one for each distinct image, model and GPU.",
    ),
    Variable(
        "vllm_batches",
        'How many hosts follow at once, as a list of numbers or shares, such as `[1, "25%"]`; all of them if unset.',
    ),
    Variable(
        "vllm_gate_from",
        "From where the gate is looked at: `host`, or `both` (or `controller`, which is the same): then the control node"
        " asks the server as well. `host` if unset.",
    ),
    Variable(
        "vllm_gate_address",
        "The host as the control node reaches its servers; `ansible_host` if unset.",
    ),
    Variable(
        "vllm_gate_validate_certs",
        "Whether the control node holds the certificate of a server with TLS against `vllm_gate_address`; true if unset. False"
        " lets whoever stands between read the API key.",
    ),
    Variable(
        "vllm_gate_ca_path",
        "A file on the control node with further authorities that those certificates may come from.",
    ),
    Variable(
        "vllm_controller_seconds",
        "How long a host waits for the control node's word before it undoes the release; 120 if unset.",
    ),
    Variable(
        "vllm_lost_seconds",
        "How long a host may be out of reach during its release before the run goes on without it; 300 if unset. The host"
        " brings its release to an end by itself.",
    ),
    Variable(
        "vllm_drain_tasks",
        "A file of tasks that is run for each server that is about to stop, while it serves; its name is in"
        " `vllm_server_instance`.",
    ),
    Variable(
        "vllm_undrain_tasks",
        "The same for each server that serves after its release, or again after an undo.",
    ),
    Variable(
        "vllm_remove_orphans",
        "Whether instances of this fleet on a host that the inventory no longer names are removed; false if unset.",
    ),
    Variable(
        "vllm_apply_pending",
        "Whether units whose text alone differs, because a newer collection writes them otherwise, are released too; false"
        " if unset.",
    ),
)

KEYS: tuple[Key, ...] = (
    Key(
        "state",
        "choice",
        "Whether the server shall be there. `absent` removes it; leaving an instance out of the inventory does not.",
        "absent",
        default="present",
        choices=("present", "absent"),
    ),
    Key(
        "model",
        "model",
        "What to serve: the name of a repository, an absolute directory on the host (mounted read-only at the same"
        " path), or a mapping of `repo` and `revision`.",
        "Qwen/Qwen3-0.6B",
        required=True,
    ),
    Key("model.repo", "text", "The repository, where `model` is a mapping.", "Qwen/Qwen3-0.6B"),
    Key("model.revision", "text", "Its branch, tag or commit: becomes the setting `revision`.", '"c1899de"'),
    Key(
        "image",
        "image",
        "The container image, with its tag or `@sha256:…`. The release of vLLM is read from the tag.",
        "docker.io/vllm/vllm-openai:v0.26.0",
        required=True,
    ),
    Key(
        "version",
        "version",
        "The release of vLLM in the image, where the tag does not tell it (`latest`, a digest, a fork). Quote it.",
        '"0.26.0"',
    ),
    Key(
        "gpus",
        "gpus",
        "The GPUs of the instance: indices, UUIDs (`GPU-…`), MIG devices (`1:0`, `MIG-…`), or `all`; an empty list"
        " for a server without GPU. Quote MIG names: YAML reads 1:0 as the number 60.",
        '["0", "1"]',
        default="all",
    ),
    Key("port", "integer", "The port the server is reached at.", "8000", default=8000, bounds=PORTS),
    Key(
        "listen",
        "address",
        "The address of the host the server is reached at; `0.0.0.0` opens it to the network.",
        "0.0.0.0",
        default="127.0.0.1",
    ),
    Key(
        "settings",
        "settings",
        "Options of `vllm serve`: snake_case keys, real types, JSON options as mappings. `host`, `port` and `uds` are"
        " not among them: `listen` and `port` own those.",
        "{max_num_seqs: 32}",
    ),
    Key(
        "argv",
        "argv",
        "The same as a command line, as people paste it: a text or a list, with or without `vllm serve`. It replaces"
        " `argv` and `settings` of the layers below; `settings` of the layers above are merged over it.",
        '"Qwen/Qwen3-0.6B --max-num-seqs 32"',
    ),
    Key(
        "env",
        "environment",
        "Environment variables of the server. Their values are text.",
        '{VLLM_LOGGING_LEVEL: "DEBUG"}',
    ),
    Key(
        "secrets",
        "secrets",
        "Environment variables whose values are secrets: the variable, and the key in `vllm_secrets`.",
        "{HF_TOKEN: hf}",
    ),
    Key(
        "volumes",
        "volumes",
        "Further mounts: `source:target` or `source:target:options`, both absolute; a source may be a named volume.",
        '["/srv/templates:/templates:ro"]',
    ),
    Key(
        "limits.memory",
        "size",
        "The most memory the server may use.",
        "64g",
        unit="bytes, or with k, m, g, t",
    ),
    Key(
        "limits.drain",
        "integer",
        "How long running requests may take to end before the server is stopped: a release waits for them, and from"
        " vLLM 0.18.0 on the server gets it as `shutdown_timeout`.",
        "120",
        unit="seconds",
        bounds=(1, 3600),
    ),
    Key(
        "limits.shm",
        "size",
        "Size of `/dev/shm`, through which the processes of one server talk. It takes memory only when used.",
        "32g",
        default="16g",
        unit="bytes, or with k, m, g, t",
    ),
    Key(
        "limits.pids",
        "integer",
        "The most processes and threads; -1 for no limit, 0 leaves it to Podman (2048, too few for many GPUs and cores).",
        "32768",
        default=16384,
        bounds=(-1, 4194304),
    ),
    Key(
        "limits.memlock",
        "size",
        "The most memory that may be locked, or `unlimited`, which InfiniBand wants; unset, Podman's own limit holds.",
        "unlimited",
        unit="bytes, or with k, m, g, t",
    ),
    Key(
        "limits.stack",
        "size",
        "Stack of a thread, or `unlimited`; unset, Podman's own limit holds.",
        "64m",
        unit="bytes, or with k, m, g, t",
    ),
    Key(
        "limits.nofile",
        "integer",
        "The most open files; unset, Podman's own limit holds.",
        "1048576",
        bounds=(64, 1073741816),
    ),
    Key(
        "security.raw_devices",
        "boolean",
        "Give the container the device files under `/dev/nvidia*` instead of CDI devices.",
        "true",
        default=False,
        gives_away="every process in the container may use every GPU of the host, and the driver's libraries must be in the image",
    ),
    Key(
        "security.gpus_flag",
        "boolean",
        "Use Podman's `--gpus all` instead of CDI devices.",
        "true",
        default=False,
        gives_away="the container sees all GPUs of the host, and Podman before 5.0 ignores the flag in silence",
    ),
    Key(
        "security.sys_admin",
        "boolean",
        "Give the container the capability SYS_ADMIN.",
        "true",
        default=False,
        gives_away="SYS_ADMIN is close to root on the host: whoever breaks into the server may break out of the container",
    ),
    Key(
        "security.label_disable",
        "boolean",
        "Switch SELinux separation off for the container. First comes the boolean that role podman sets (docs/hosts.md).",
        "true",
        default=False,
        gives_away="SELinux no longer keeps the container from files of the host and of other containers",
    ),
    Key(
        "security.apparmor_unconfined",
        "boolean",
        "Run the container without an AppArmor profile.",
        "true",
        default=False,
        gives_away="AppArmor no longer confines what the container may do to the host",
    ),
    Key(
        "security.all_capabilities",
        "boolean",
        "Leave the container all capabilities that Podman gives by default, instead of DAC_OVERRIDE alone (and"
        " NET_BIND_SERVICE for a port below 1024). A single further one goes into `container: {AddCapability: …}`.",
        "true",
        default=False,
        gives_away="whoever breaks into the server may change owners, users and groups in the container",
    ),
    Key(
        "security.new_privileges",
        "boolean",
        "Let programs in the container gain privileges by setuid or file capabilities.",
        "true",
        default=False,
        gives_away="a setuid program in the image may give back what was taken from the container",
    ),
    Key(
        "security.own_files_only",
        "boolean",
        "Take DAC_OVERRIDE from the container too: it then reads and writes only what its own user may. The files of"
        " models and volumes must be readable for that user.",
        "true",
        default=False,
    ),
    Key(
        "security.read_only",
        "boolean",
        "Make the root of the container read-only, with a tmpfs on /tmp, /var/tmp and /run. Caches must lie in a"
        " volume; images for GPUs may write elsewhere too, so try it first.",
        "true",
        default=False,
    ),
    Key(
        "container",
        "quadlet",
        "Further keys of the `[Container]` section of a Quadlet unit, which the plan does not own itself.",
        "{HostName: qwen}",
    ),
    Key(
        "gate.kind",
        "choice",
        "What a server must answer before it counts as serving. `auto` follows the model.",
        "embedding",
        default="auto",
        choices=("auto", "completion", "chat", "embedding", "score"),
    ),
    Key(
        "gate.timeout",
        "integer",
        "How long the start may take, from the start job to the first token.",
        "3600",
        default=1200,
        unit="seconds",
        bounds=(1, 86400),
    ),
    Key(
        "gate.hold",
        "integer",
        "How long the server must go on serving before its release is accepted.",
        "30",
        default=5,
        unit="seconds",
        bounds=(0, 3600),
    ),
    Key(
        "scope",
        "choice",
        "Whose systemd runs the unit. Only the system's, for now; the key is reserved.",
        "system",
        default="system",
        choices=("system",),
    ),
)

BY_PATH: dict[str, Key] = {key.path: key for key in KEYS}
SECTIONS: tuple[str, ...] = tuple(dict.fromkeys(key.path.split(".")[0] for key in KEYS if "." in key.path))


def keys_below(section: str | None) -> list[str]:
    """The names of the keys of an instance (None), or of one of its sections."""
    if section is None:
        return list(dict.fromkeys(key.path.split(".")[0] for key in KEYS))
    return [key.path.split(".")[1] for key in KEYS if key.path.startswith(section + ".")]
