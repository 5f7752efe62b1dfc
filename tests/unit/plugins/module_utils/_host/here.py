"""A transaction that a test runs in a folder of its own."""

from __future__ import annotations

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_files import InstanceFiles
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_run import Transaction


class Here(Transaction):
    """Its units lie beside its state."""

    def files(self, name: str) -> InstanceFiles:
        """The files of an instance."""
        state = self.job.state_dir
        return InstanceFiles(name, state, f"{state}/units", f"{state}/run")
