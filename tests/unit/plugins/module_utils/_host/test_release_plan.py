"""What a release is written down with."""

from __future__ import annotations

from pathlib import Path

import yaml

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_plan import COLLECTION_VERSION


def test_a_record_names_the_version_that_galaxy_knows() -> None:
    galaxy = Path(__file__).parents[5] / "galaxy.yml"
    assert yaml.safe_load(galaxy.read_text(encoding="utf-8"))["version"] == COLLECTION_VERSION
