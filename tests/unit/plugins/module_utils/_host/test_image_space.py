from __future__ import annotations

import json
from pathlib import Path

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_space import (
    free_bytes,
    lacks_room,
    missing_layers,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.registry import Layer

LAYERS = [Layer("sha256:a", 10), Layer("sha256:b", 20), Layer("sha256:b", 20)]


def test_layers_that_podman_has_are_not_counted_and_one_that_comes_twice_is_counted_once(
    tmp_path: Path,
) -> None:
    listed = tmp_path / "overlay-layers" / "layers.json"
    listed.parent.mkdir()
    listed.write_text(json.dumps([{"id": "x", "compressed-diff-digest": "sha256:a"}, {"id": "y"}]))
    assert missing_layers(LAYERS, str(tmp_path)) == [Layer("sha256:b", 20)]


def test_all_are_counted_where_podmans_list_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "overlay-layers").mkdir()
    (tmp_path / "overlay-layers" / "layers.json").write_text("{")
    assert [each.size for each in missing_layers(LAYERS, str(tmp_path))] == [10, 20]


def test_room_is_wanted_for_what_comes_and_for_what_it_becomes() -> None:
    assert lacks_room(10, 25, "/var", 35, 2.5) is None
    trouble = lacks_room(10_000_000_000, 25_000_000_000, "/var/lib/containers", 12_300_000_000, 2.5)
    assert trouble is not None
    assert trouble.code == "image_no_space"
    for figure in (
        "35.0 GB on /var/lib/containers",
        "10.0 GB to bring",
        "25.0 GB unpacked",
        "12.3 GB are free",
    ):
        assert figure in trouble.message
    assert "22.7 GB" in trouble.fix


def test_the_room_of_a_folder_that_is_not_there_yet_is_that_of_the_one_above(tmp_path: Path) -> None:
    assert free_bytes(str(tmp_path / "not" / "yet")) > 0
