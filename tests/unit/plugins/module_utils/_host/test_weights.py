"""Repositories on a host: what a name means there, whether all of it is there, and what came by other ways."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.adopt import (
    adopt_path,
    adopt_repository,
    digest,
    staging_of,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.weights import (
    home_of,
    look,
    look_at_path,
    remember,
)

COMMIT = "c" * 40


def model(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"num_hidden_layers": 1}', encoding="utf-8")
    header = json.dumps({"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 16)


def fetched(models: Path) -> Path:
    snapshot = home_of(models, "acme/tiny") / "snapshots" / COMMIT
    model(snapshot)
    sizes = {path.name: path.stat().st_size for path in snapshot.iterdir()}
    note = home_of(models, "acme/tiny") / ".vllm-fleet" / f"{COMMIT}.json"
    note.parent.mkdir()
    note.write_text(json.dumps({"schema": 1, "files": sizes}), encoding="utf-8")
    remember(models, "acme/tiny", None, COMMIT)
    return snapshot


def test_what_is_there_in_full_is_known_by_its_commit(tmp_path: Path) -> None:
    fetched(tmp_path)
    found = look(tmp_path, "acme/tiny", None, ["model"])
    assert (found.commit, found.complete, found.problem) == (COMMIT, True, None)


def test_a_name_that_was_never_resolved_here_has_no_commit(tmp_path: Path) -> None:
    fetched(tmp_path)
    assert look(tmp_path, "acme/tiny", "v2", ["model"]).commit is None


def test_a_commit_needs_no_name(tmp_path: Path) -> None:
    fetched(tmp_path)
    assert look(tmp_path, "acme/tiny", COMMIT, ["model"]).complete


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        pytest.param(
            lambda at: (at / "model.safetensors").unlink(), "model.safetensors is not there", id="gone"
        ),
        pytest.param(
            lambda at: (at / "model.safetensors").write_bytes(b"x" * 9), "has 9 of 86 bytes", id="short"
        ),
        pytest.param(lambda at: (at / "config.json").unlink(), "config.json is not there", id="no config"),
    ],
)
def test_a_file_that_is_not_whole_is_named(tmp_path: Path, damage: object, says: str) -> None:
    snapshot = fetched(tmp_path)
    damage(snapshot)  # type: ignore[operator]
    found = look(tmp_path, "acme/tiny", None, ["model"])
    assert not found.complete
    assert says in str(found.problem)


def test_what_was_put_there_by_hand_is_judged_by_its_own_index(tmp_path: Path) -> None:
    snapshot = fetched(tmp_path)
    (snapshot.parents[1] / ".vllm-fleet" / f"{COMMIT}.json").unlink()
    index = {"weight_map": {"w": "model.safetensors", "v": "model-2.safetensors"}}
    (snapshot / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    assert "model-2.safetensors is not there" in str(look(tmp_path, "acme/tiny", None, ["model"]).problem)


def test_a_tokenizer_needs_no_weights(tmp_path: Path) -> None:
    folder = home_of(tmp_path, "acme/words") / "snapshots" / COMMIT
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert look(tmp_path, "acme/words", COMMIT, ["tokenizer"]).complete


def test_main_is_noted_beside_another_name_for_code_that_forgets_the_revision(tmp_path: Path) -> None:
    remember(tmp_path, "acme/tiny", "v2", COMMIT)
    refs = home_of(tmp_path, "acme/tiny") / "refs"
    assert {path.name: path.read_text(encoding="utf-8") for path in refs.iterdir()} == {
        "v2": COMMIT,
        "main": COMMIT,
    }


def test_what_the_operator_has_gets_the_same_commit_on_every_host(tmp_path: Path) -> None:
    for host in ("one", "two"):
        model(staging_of(str(tmp_path / host), "acme/tiny"))
    commits = {
        adopt_repository(str(tmp_path / host), "acme/tiny", None, ["model"], "a peer")
        for host in ("one", "two")
    }
    assert len(commits) == 1
    assert look(tmp_path / "one" / "models", "acme/tiny", None, ["model"]).complete


def test_another_content_is_another_commit(tmp_path: Path) -> None:
    model(tmp_path / "one")
    before = digest(tmp_path / "one")
    (tmp_path / "one" / "config.json").write_text('{"num_hidden_layers": 2}', encoding="utf-8")
    assert digest(tmp_path / "one") != before


def test_half_a_model_from_the_operator_never_comes_into_place(tmp_path: Path) -> None:
    staging = staging_of(str(tmp_path), "acme/tiny")
    model(staging)
    (staging / "model.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0{}")
    with pytest.raises(HostError, match=r"what came from rsync is not whole: model\.safetensors ends"):
        adopt_repository(str(tmp_path), "acme/tiny", None, ["model"], "rsync")
    assert not look(tmp_path / "models", "acme/tiny", None, ["model"]).complete


def test_an_archive_with_one_folder_is_that_folder(tmp_path: Path) -> None:
    model(staging_of(str(tmp_path), "acme/tiny") / "tiny-1.0")
    adopt_repository(str(tmp_path), "acme/tiny", COMMIT, ["model"], "an archive")
    assert look(tmp_path / "models", "acme/tiny", COMMIT, ["model"]).complete


def test_a_file_and_a_directory_of_the_host_come_to_their_places(tmp_path: Path) -> None:
    template, folder = tmp_path / "templates" / "chat.jinja", tmp_path / "models" / "tiny"
    staging_of("", str(template)).mkdir(parents=True)
    (staging_of("", str(template)) / "chat.jinja").write_text("hi", encoding="utf-8")
    model(staging_of("", str(folder)))
    adopt_path(str(template), [], "a peer")
    adopt_path(str(folder), ["model"], "a peer")
    assert template.read_text(encoding="utf-8") == "hi"
    assert look_at_path(str(folder), ["model"]) is None
    assert look_at_path(str(tmp_path / "other"), []) == "it is not on this host"
