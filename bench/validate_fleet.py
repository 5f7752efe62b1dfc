#!/usr/bin/env python3
"""How long `validate.yml` takes for 10, 100 and 1,000 hosts, against a playbook that prints one line per host.

Two instances a host, a third of the hosts with an override.

    python bench/validate_fleet.py [--hosts 10,100,1000] [--repeat 3] [--different]

With --different every host overrides a setting with a value of its own, so that nothing judged once serves twice.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from page import ROOT, Section, median, table

ONE_LINE = """---
- name: Print one line per host
  hosts: gpu_hosts
  gather_facts: false
  tasks:
    - name: Print
      ansible.builtin.debug:
        msg: "{{ inventory_hostname }}"
"""

GROUP = """---
vllm_defaults:
  image: docker.io/vllm/vllm-openai:v0.26.0
  settings: {gpu_memory_utilization: 0.9, enable_prefix_caching: true}
vllm_secrets: {hf: "{{ vault_hf_token }}"}
vllm_instances:
  chat:
    model: Qwen/Qwen3-32B
    port: 8000
    gpus: ["0", "1"]
    secrets: {HF_TOKEN: hf}
    settings: {tensor_parallel_size: 2, max_num_seqs: 64, max_model_len: 32768, kv_cache_dtype: fp8}
  embed:
    model: Qwen/Qwen3-Embedding-0.6B
    port: 8001
    gpus: ["2"]
    settings: {runner: pooling, max_model_len: 8192}
"""


def write_inventory(folder: pathlib.Path, hosts: int, different: bool) -> None:
    """An inventory of plain files, as people write them."""
    (folder / "group_vars").mkdir()
    (folder / "host_vars").mkdir()
    names = [f"gpu-{number:04}" for number in range(hosts)]
    (folder / "hosts.ini").write_text("[gpu_hosts]\n" + "\n".join(names) + "\n")
    (folder / "group_vars" / "gpu_hosts.yml").write_text(GROUP)
    for number, name in enumerate(names):
        if number % 3 and not different:
            continue
        settings = f"{{settings: {{max_num_seqs: {number + 8 if different else 8}}}}}"
        both = f"chat: {settings}, embed: {settings}" if different else f"chat: {settings}"
        override = f"---\nvllm_overrides: {{{both}}}\n"
        (folder / "host_vars" / f"{name}.yml").write_text(override)


def measure(playbook: pathlib.Path, inventory: pathlib.Path, log: pathlib.Path) -> tuple[float, float]:
    """Seconds of wall clock, and the MiB of the largest process."""
    ansible = shutil.which("ansible-playbook")
    if ansible is None:
        sys.exit("no ansible-playbook on PATH")
    environment = {
        **os.environ,
        "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg"),
        "ANSIBLE_COLLECTIONS_PATH": str(ROOT / ".collections"),
    }
    began = time.monotonic()
    with log.open("w") as output:
        process = subprocess.Popen(
            [ansible, "-i", str(inventory), str(playbook)], stdout=output, stderr=output, env=environment
        )
        _pid, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{playbook.name} failed:\n{log.read_text()[-2000:]}")
    return time.monotonic() - began, usage.ru_maxrss / 1024


def row(plain: list[tuple[float, float]], ours: list[tuple[float, float]]) -> list[str]:
    """Seconds of both, how many times as long ours takes, and the most memory of both."""
    seconds = [[each for each, _mib in runs] for runs in (plain, ours)]
    ratio = statistics.median(seconds[1]) / statistics.median(seconds[0])
    memory = [max(mib for _seconds, mib in runs) for runs in (plain, ours)]
    return [*(median(each, 2) for each in seconds), f"{ratio:.2f}", *(f"{each:.0f}" for each in memory)]


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hosts", default="10,100,1000")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--different", action="store_true")
    options = parser.parse_args()
    section, rows = Section("validate_fleet"), []
    for hosts in (int(number) for number in options.hosts.split(",")):
        with tempfile.TemporaryDirectory(prefix="validate-fleet-") as name:
            folder = pathlib.Path(name)
            inventory = folder / "inventory"
            inventory.mkdir()
            write_inventory(inventory, hosts, options.different)
            one_line = folder / "one_line.yml"
            one_line.write_text(ONE_LINE)
            runs: dict[str, list[tuple[float, float]]] = {"plain": [], "ours": []}
            for _ in range(options.repeat):
                runs["plain"].append(measure(one_line, inventory, folder / "plain.log"))
                runs["ours"].append(
                    measure(ROOT / "playbooks" / "validate.yml", inventory, folder / "ours.log")
                )
        rows.append([hosts, *row(runs["plain"], runs["ours"])])
    head = ["hosts", "one line per host, s", "`validate.yml`, s", "ratio", "MiB, one line", "MiB, validate"]
    kind = (
        "settings of its own for every host" if options.different else "a third of the hosts with an override"
    )
    section.write(f"Median (lowest to highest) of {options.repeat}; {kind}.", table(head, rows))


if __name__ == "__main__":
    main()
