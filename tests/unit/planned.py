"""An inventory of files, planned as validate.yml does it, without Ansible's own programs."""

from __future__ import annotations

from pathlib import Path

from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar
from ansible.vars.manager import VariableManager

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.inventory import read_inventory


def plans(folder: Path) -> dict[str, HostPlan]:
    """The plan of every host of an inventory, as validate.yml makes it."""
    loader = DataLoader()
    inventory = InventoryManager(loader=loader, sources=[str(folder)])
    manager = VariableManager(loader=loader, inventory=inventory)
    made = {}
    for host in inventory.get_hosts("gpu_hosts"):
        raw = manager.get_vars(host=host, include_hostvars=False)
        read = read_inventory(raw, Templar(loader=loader, variables=raw))
        plan = plan_host(read.variables, read.secret_keys, HostFacts(), str(host.name))
        made[str(host.name)] = plan.with_findings(read.findings, str(host.name))
    return made
