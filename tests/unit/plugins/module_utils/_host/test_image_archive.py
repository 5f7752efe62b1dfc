from __future__ import annotations

import io
import json
import tarfile
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_archive import contents, image_of

ONE, TWO = "1" * 64, "2" * 64


def archive(path: Path, files: t.Mapping[str, t.Any], mode: str = "w") -> str:
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        for name, content in files.items():
            data = json.dumps(content).encode()
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return str(path)


def docker(*images: tuple[str, list[str]]) -> dict[str, t.Any]:
    return {"manifest.json": [{"Config": f"{digits}.json", "RepoTags": tags} for digits, tags in images]}


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_the_id_of_a_docker_archive_is_its_config(tmp_path: Path, mode: str) -> None:
    path = archive(tmp_path / "x.tar", docker((ONE, ["r/a:1"])), mode)
    assert image_of(path, "other/name:1").image_id == ONE


def test_the_id_of_an_oci_archive_is_the_config_of_its_manifest(tmp_path: Path) -> None:
    files = {
        "index.json": {"manifests": [{"digest": "sha256:aa"}]},
        "blobs/sha256/aa": {"config": {"digest": f"sha256:{TWO}"}},
    }
    assert contents(archive(tmp_path / "x.tar", files))[0].image_id == TWO


def test_of_several_images_the_one_of_the_name_is_meant(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.tar", docker((ONE, ["r/a:1"]), (TWO, ["r/b:1"])))
    assert image_of(path, "r/b:1").image_id == TWO
    with pytest.raises(ValueError, match=r"holds r/a:1, r/b:1, and none of them is r/c:1"):
        image_of(path, "r/c:1")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"no archive at all" * 100, id="other bytes"),
        pytest.param(b"", id="nothing"),
        pytest.param(bytes(10240), id="an empty archive"),
    ],
)
def test_a_file_that_is_no_archive_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.tar"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.tar"):
        contents(str(path))


def test_an_archive_that_was_cut_off_is_told(tmp_path: Path) -> None:
    path = Path(archive(tmp_path / "x.tar", docker((ONE, ["r/a:1"])), "w:gz"))
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ValueError, match="cannot be read"):
        contents(str(path))
