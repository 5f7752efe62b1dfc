"""The codes of findings of planning, and what each means; docs/findings.md is made from it, and a test compares."""

from __future__ import annotations

CODES: dict[str, str] = {
    # layers
    "layer_not_a_mapping": "A variable of the contract is not a mapping.",
    "unknown_variable": "A variable looks like a layer and is none, so it would be ignored (one underscore, no plural).",
    "unknown_instance": "A layer of overrides changes an instance that no layer of instances defines.",
    "instance_not_a_mapping": "An instance is not a mapping of its keys.",
    "instance_dropped": "A layer sets an instance to null: it is out of the plan, and its server is left alone.",
    "key_twice": "One layer writes the same key twice, in two spellings.",
    "argv_and_settings": "One layer holds both `argv` and `settings`.",
    "template_failed": "A value cannot be templated.",
    "secret_keys_unknown": "`vllm_secrets` is one template as a whole, which planning never expands: keys are not checked.",
    # keys
    "unknown_key": "An instance, or a section of it, has no such key.",
    "missing_model": "No layer says what to serve.",
    "missing_image": "No layer names the image.",
    "bad_name": "The name of an instance does not fit a unit, a container and a secret.",
    "bad_type": "A value is of another type than the key takes.",
    "bad_value": "A value is of the right type, and still none that the key takes.",
    "not_text": "YAML made a number or a boolean of what is meant as text: quote it.",
    "sexagesimal": "YAML made a number of the name of a MIG device (1:0 is 60): quote it.",
    "bad_gpu": "No name of a GPU.",
    "gpu_twice": "An instance names a GPU twice.",
    "bad_variable": "No name of an environment variable.",
    "bad_volume": "No mount.",
    "bad_container_key": "A key of `container` that Quadlet does not have, or that the collection writes itself.",
    "security_opt_out": "An instance gives up a part of the container's hardening; the message says what it costs.",
    "secret_in_env": "A variable in `env` looks like a secret, and everybody on the host could read it there.",
    "unknown_secret": "An instance names a key that `vllm_secrets` does not have.",
    "raw_devices_need_indices": "With `security.raw_devices` a GPU is named by its index only.",
    # the command line
    "version_contradicts_image": "`version` says another release than the tag of the image.",
    "owned_setting": "`host`, `port` or `uds` among the settings or in `argv`: `listen` and `port` own them.",
    "listen_narrower": "A pasted command line listens on every address, the instance on one.",
    "listen_without_ipv6": "An instance listens on an address of IPv6, and Podman's default network carries IPv4 only.",
    "env_in_argv": "A pasted command line sets a variable, and only its options are taken over.",
    "model_twice": "One layer names two models, in `model` and in `argv`.",
    "revision_twice": "`model.revision` and `settings.revision` differ.",
    "directory_without_name": "A directory is served without a name, so clients would have to ask for its path.",
    # the host
    "port_twice": "Two instances listen on one address and port.",
    "served_name_twice": "Two instances serve one name behind one address.",
    "gpu_shared": "Instances share a GPU, and one of them does not say how much of it is its own.",
    "gpu_overcommitted": "Instances share a GPU, and together they claim more than there is.",
    "gpu_not_there": "The host does not have the GPU.",
    "gpus_not_usable": "nvidia-smi does not tell the GPUs of the host, and why: what needs them was not checked.",
    "model_not_there": "A model is a directory, and the host does not have it.",
    "model_incomplete": "A model is a directory of the host in which something is missing or broken.",
    "model_facts_unreadable": "What is known of a model is no config.json.",
    "unit_not_writable": "The Podman of the host cannot be given the unit.",
}
