#!/usr/bin/python
# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Documentation of the action plugin of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_plan
short_description: Plan the vLLM servers of a host
version_added: 0.1.0
description:
  - Merges the layers of a host's inventory into its instances, checks all of them, and returns what is to run.
  - Runs on the controller and contacts no host. The inventory alone decides the plan; facts of the host, where they
    are given, bind it to the host and let it say more.
  - Reports every finding, never only the first one. What the variables hold stands in C(docs/inventory.md).
  - Secrets are never templated or decrypted. Only the keys of O(vllm_secrets) are looked at.
author:
  - The gpuops founders (@gpuops)
options:
  host_facts:
    description:
      - What is known of the host. Without O(host_facts.podman_version) there is no text of a unit, without
        O(host_facts.image_digests) and O(host_facts.secret_versions) there is no intent; the text then says
        that they are known after fetch.
    type: dict
    suboptions:
      podman_version:
        description: The version of Podman on the host, for example V(5.4.2).
        type: str
      image_digests:
        description:
          - By image reference as the inventory writes it, the digest it was resolved to (C(sha256:…)), or the 64 hex
            digits of its image ID where the image came from no registry.
        type: dict
      gpu_facts:
        description: The GPUs of the host, as M(gpuops.vllm_fleet.nvidia_gpu_info) returns them.
        type: list
        elements: dict
      gpu_problem:
        description: Why the GPUs cannot be used, as M(gpuops.vllm_fleet.vllm_host_info) tells it.
        type: dict
      driver_version:
        description: The version of the driver, for example V(580.95.05).
        type: str
      host_memory_mib:
        description: The memory of the host in MiB, for GPUs that share it and for what is offloaded to it.
        type: int
      model_facts:
        description: By model, what M(gpuops.vllm_fleet.vllm_model_info) returned.
        type: dict
      secret_versions:
        description: By key of O(vllm_secrets), the 8 hex digits that tell its versions apart.
        type: dict
      model_revisions:
        description:
          - By repository, or C(repository@revision) where the inventory names one, the commit that is on the host's disk.
          - A server then starts from there, at exactly that commit and without any network.
        type: dict
  fail_on:
    description: The least severity of a finding with which the task fails.
    type: str
    choices: [error, warning, never]
    default: error
  told:
    description:
      - The RV(findings) of an earlier plan of this host. Warnings that are not among them are shown, also where the task
        does not fail.
      - Without it nothing is shown. The findings are returned either way.
    type: list
    elements: dict
  vllm_defaults:
    description:
      - Takes the place of the variable of the same name, as do the other options below.
      - The layers C(vllm_defaults__*), C(vllm_instances__*) and C(vllm_overrides__*) are options as well.
    type: dict
  vllm_instances:
    description: The instances by their names.
    type: dict
  vllm_overrides:
    description: Changes to instances.
    type: dict
  vllm_secrets:
    description: Secrets by their keys. Ansible itself templates what is given as an option; a variable stays as it is.
    type: dict
  vllm_fleet_name:
    description: The name of this inventory, where several manage servers on one host.
    type: str
    default: default
  vllm_state_dir:
    description: Where the state of a host is kept.
    type: str
    default: /var/lib/vllm-fleet
  vllm_registries:
    description: Where images come from, by registry. It is only checked here; M(gpuops.vllm_fleet.vllm_image) uses it.
    type: dict
  vllm_image_archives:
    description: Archives by the image they hold. It is only checked here; M(gpuops.vllm_fleet.vllm_image) uses it.
    type: dict
  vllm_known_names:
    description: Names that plug-ins in the image register (parsers, connectors, quantization methods).
    type: list
    elements: str
  vllm_model_facts:
    description: Facts by model, for what is not in O(host_facts.model_facts).
    type: dict
  vllm_gpu_facts:
    description: The GPUs of the host, where O(host_facts.gpu_facts) does not tell them.
    type: list
    elements: dict
  vllm_model_sources:
    description: What the operator has elsewhere, by repository or path of the host; such a path need not be there yet.
    type: dict
  vllm_model_fetch:
    description: Whether the weights of repositories are brought to the host, and servers start from there.
    type: bool
    default: true
  vllm_advice:
    description: Whether to give advice on habits that pay on a class of GPU.
    type: bool
    default: true
attributes:
  check_mode:
    description: It only looks, so it does in check mode what it does otherwise.
    support: full
  diff_mode:
    description: It changes nothing that could differ.
    support: none
notes:
  - >-
    B(Memory that is free.) What the servers of this plan hold of a GPU counts as free, because they are stopped before
    a new release starts. Where the facts do not tell which process holds what, nothing is said of free memory.
  - >-
    B(Where a server listens.) The unit publishes C(listen:port) of the host. Inside the network of the container the
    server listens on C(0.0.0.0) (C(::) where C(listen) is an address of IPv6) and on the same port, so that logs,
    process lists and clients name one number. With
    C(Network=host) under C(container) nothing is published, and the server listens on C(listen) itself.
  - An absolute directory as C(model) is mounted read-only at the same path, with the SELinux option C(z).
"""

EXAMPLES = r"""
- name: Plan the host of this inventory
  gpuops.vllm_fleet.vllm_plan:
  register: __plan

- name: Bind the plan to its host
  gpuops.vllm_fleet.vllm_plan:
    host_facts:
      podman_version: 5.4.2
      image_digests:
        docker.io/vllm/vllm-openai:v0.26.0: sha256:3d9f7d1d4e6a1f1c8f6b0c6a6d6f9a5f2b7e8c9d0a1b2c3d4e5f60718293a4b5
  register: __bound_plan
"""

RETURN = r"""
valid:
  description: Whether no finding is an error.
  returned: always
  type: bool
findings:
  description: What there is to say, errors first. Every finding has all keys; what is absent is null.
  returned: always
  type: list
  elements: dict
  contains:
    severity:
      description: One of V(error), V(warning), V(info).
      type: str
    stage:
      description: One of V(parse), V(start), V(fit), V(plan), V(host), V(advice).
      type: str
    code:
      description: A stable name of this kind of finding; all of them stand in C(docs/findings.md).
      type: str
    host:
      description: The host in the inventory.
      type: str
    instance:
      description: The name of the instance.
      type: str
    setting:
      description: The setting of C(vllm serve), or the key of the instance.
      type: str
    value:
      description: The value as it was read.
      type: raw
    origin:
      description: The variable and the path at which the value was written.
      type: str
      sample: vllm_overrides.qwen.settings.max_num_seqs
    message:
      description: What is wrong, and why.
      type: str
    fix:
      description: What to write instead.
      type: str
    source:
      description: Where the rule was taken from.
      type: str
    since:
      description: The first release of vLLM for which it holds.
      type: str
    until:
      description: The last release of vLLM for which it holds.
      type: str
instances:
  description: The instances by their names. What could not be read because something is wrong with it is null or empty.
  returned: always
  type: dict
  contains:
    name:
      description: Its name.
      type: str
    state:
      description: V(present) or V(absent). Of an absent one only this and its unit's name count.
      type: str
    model:
      description: The repository, or the directory on the host.
      type: str
    served_names:
      description: The names under which the server offers the model.
      type: list
      elements: str
    version:
      description: The release of vLLM, as the tag of the image or C(version) says it.
      type: str
    image:
      description: The reference as the inventory writes it.
      type: str
    image_identity:
      description: The digest or ID that the reference was resolved to; null while it is not known.
      type: str
    argv:
      description: What follows C(vllm serve), in its canonical form.
      type: list
      elements: str
    devices:
      description: The CDI devices.
      type: list
      elements: str
      sample: ["nvidia.com/gpu=0"]
    mounts:
      description: Mounts by C(source), C(target) and C(options).
      type: list
      elements: dict
    env:
      description: The environment.
      type: dict
    secrets:
      description: Variables of the environment and the keys of C(vllm_secrets) that fill them.
      type: dict
    listen:
      description: The address of the host.
      type: str
    port:
      description: The port of the host, and of the container.
      type: int
    url:
      description: Where the server is reached from its own host.
      type: str
    limits:
      description: Limits of the container.
      type: dict
    security:
      description: The opt-outs from the hardening of the container.
      type: dict
    gate:
      description: What the server must show (C(kind), C(served_names)), where (C(url)), and in which time (C(timeout)).
      type: dict
    unit_name:
      description: The name of its systemd service.
      type: str
      sample: vllm-qwen.service
    unit_text:
      description: The text of its Quadlet file; null without O(host_facts.podman_version).
      type: str
    intent_hash:
      description: What the release is known by; null while the image or a secret is not resolved.
      type: str
    origins:
      description: By the dotted path of a key, the variable and the path at which it was written.
      type: dict
      sample: {settings.max_num_seqs: vllm_overrides.qwen.settings.max_num_seqs}
    fit:
      description:
        - Where the memory of its GPUs goes, with the verdict and what would fit; null where model or GPUs are not known.
        - C(docs/fit.md) explains it. Estimates are given as C(low), C(likely) and C(high).
      type: dict
models:
  description: The models, drafts and directories of adapters of the instances, as M(gpuops.vllm_fleet.vllm_host_info) takes them.
  returned: always
  type: list
  elements: dict
  sample: [{model: Qwen/Qwen3-0.6B, revision: null}]
weights:
  description: The repositories that the host must hold before a server of this plan starts, each once.
  returned: always
  type: list
  elements: dict
  contains:
    key:
      description: What O(host_facts.model_revisions) knows it by.
      type: str
    repo:
      description: The repository.
      type: str
    revision:
      description: The branch, tag or commit that the inventory names; null where it names none.
      type: str
    kinds:
      description: What it is for, among C(model), C(draft), C(tokenizer), C(config) and C(adapter).
      type: list
      elements: str
    setting:
      description: The setting that names it.
      type: str
    origin:
      description: Where the inventory says so.
      type: str
    instances:
      description: The instances that read it.
      type: list
      elements: str
    image:
      description: An image that has the tool to fetch it.
      type: str
    env:
      description: The environment of that instance.
      type: dict
    tokens:
      description: The tokens for the hub that those instances are given, as instance, variable and key in C(vllm_secrets).
      type: list
      elements: dict
    ignore:
      description: Patterns of files that no server reads.
      type: list
      elements: str
paths:
  description: The directories and files of the host that command lines name, as path, kinds, setting, origin and instances.
  returned: always
  type: list
  elements: dict
"""
