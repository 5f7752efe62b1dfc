#!/usr/bin/python
# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Documentation of the action plugin of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_settings
short_description: Tell whether a release of vLLM takes a set of settings
version_added: 0.1.0
description:
  - Judges settings of C(vllm serve) as the parser of that release does, and then by the rules that make its start fail
    although the parser was content. Needs no vLLM, no GPU and no host, and takes milliseconds.
  - Says everything at once, each with what to write instead.
  - With facts of the model and of the GPUs it also tells whether the server fits them, C(docs/fit.md) explains how.
  - Runs on the controller and contacts no host. It changes nothing, also not in check mode.
author:
  - The gpuops founders (@gpuops)
options:
  vllm_version:
    description:
      - The release to judge by, C(0.26.0) or the tag of an image, C(v0.26.0-cu129). Quote it.
      - A patch release that is not listed is judged as its minor release. What is newer than everything known, or
        names no release (C(latest), C(nightly), a fork's tag), is judged by the newest release known; options that this
        one does not have are warnings then.
    type: str
    required: true
  model:
    description: The model, as C(vllm serve) takes it in the first place.
    type: str
  settings:
    description:
      - Options of C(vllm serve), in snake case, in kebab case, or with dots into JSON options, with YAML's types.
      - Together with O(argv) they are merged over what that says; null takes an option away.
    type: dict
  argv:
    description:
      - A command line as it is found, a list or a text, with or without what stands in front of the arguments,
        C(vllm serve), C(python -m vllm.entrypoints.openai.api_server), C(docker run … IMAGE), C(podman run … IMAGE),
        variables of the environment.
      - The file of C(--config) is read where it lies on the controller.
    type: raw
  env:
    description: The environment of the server.
    type: dict
  gpu_facts:
    description:
      - The server's GPUs, in its order, as M(gpuops.vllm_fleet.nvidia_gpu_info) returns them. Rules that need them are
        skipped without.
      - What is free of them is taken as it stands; leave C(memory_free_mib) out where it does not count.
    type: list
    elements: dict
  model_facts:
    description:
      - The model, as M(gpuops.vllm_fleet.vllm_model_info) returns it; at least its C(config.json) as the key C(config).
        Rules that need it are skipped without.
      - With C(tensors) the weights are known, with C(config) alone they are an estimate.
    type: dict
  draft_facts:
    description: The same of the draft model of speculative decoding.
    type: dict
  adapter_facts:
    description:
      - LoRA adapters by their paths as C(lora_modules) has them, each as M(gpuops.vllm_fleet.vllm_model_info) returns it;
        at least its C(adapter_rank).
    type: dict
  target_version:
    description:
      - Report as well what this release would make of the same server, what breaks, what is renamed, which defaults
        change. Such findings never make the settings invalid.
    type: str
  plugin_names:
    description: Names that plug-ins of the image register, of parsers, backends, connectors or quantization methods.
    type: list
    elements: str
  host_memory_mib:
    description: The memory of the host in MiB, for GPUs that share it and for what is offloaded to it.
    type: int
  driver_version:
    description: The version of the host's driver, for example V(580.95.05).
    type: str
  advise:
    description: Whether to give advice on habits that pay on this class of GPU.
    type: bool
    default: true
  fail_on:
    description: From which severity on a finding fails the task.
    type: str
    choices: [error, warning, never]
    default: error
attributes:
  check_mode:
    description: It only looks, so it does in check mode what it does otherwise.
    support: full
  diff_mode:
    description: It changes nothing that could differ.
    support: none
seealso:
  - module: gpuops.vllm_fleet.vllm_plan
"""

EXAMPLES = r"""
- name: Ask whether 0.26.0 takes these settings
  gpuops.vllm_fleet.vllm_settings:
    vllm_version: "0.26.0"
    model: Qwen/Qwen3.6-35B-A3B
    settings:
      max_num_seqs: 32
      kv_cache_dtype: fp8
      speculative_config:
        method: dflash
        model: z-lab/Qwen3.6-35B-A3B-DFlash
        num_speculative_tokens: 8

- name: Judge a line from a forum, and what 0.33.0 would make of it
  gpuops.vllm_fleet.vllm_settings:
    vllm_version: "0.19.1"
    argv: >-
      docker run --gpus all -p 8000:8000 vllm/vllm-openai:v0.19.1
      Qwen/Qwen3-8B --max-model-len 32k
    target_version: "0.33.0"
    fail_on: never
  register: __judged
"""

RETURN = r"""
valid:
  description: Whether no finding is an error.
  returned: always
  type: bool
  sample: true
findings:
  description: >-
    What there is to say, errors first. Every entry has all of the keys severity, stage, code, message, fix, host,
    instance, setting, value, origin, source, since and until; what is absent is null.
  returned: always
  type: list
  elements: dict
  sample:
    - code: unknown_option
      fix: max_num_seqs
      message: max_num_seq is no option of vLLM 0.26.0
      setting: max_num_seq
      severity: error
      stage: parse
settings:
  description: The settings by their canonical names, as the release's parser sets them; only what differs from its defaults.
  returned: always
  type: dict
  sample: {max_model_len: 32000}
argv:
  description: The same as the one canonical command line, what follows C(vllm serve).
  returned: always
  type: list
  elements: str
  sample: [Qwen/Qwen3-8B, --max-model-len, "32000"]
model:
  description: The model, null where none is named.
  returned: always
  type: str
  sample: Qwen/Qwen3-8B
vllm_version:
  description: The version as it was asked for.
  returned: always
  type: str
  sample: v0.26.0-cu129
table_version:
  description: The release whose options were used.
  returned: always
  type: str
  sample: 0.26.0
fit:
  description: >-
    Where the memory of the GPUs goes, with the verdict (C(outcome)) and what would fit (C(changes_that_fit)); null where
    model or GPUs are not known. Estimates are given as C(low), C(likely) and C(high), in GiB.
  returned: always
  type: dict
  sample:
    outcome: does not fit
    shortage: kv_cache_too_small_for_max_model_len
    certain: false
    longest_sequence: 8192
"""
