"""What was seen of a host a moment ago serves again only where it answers the same question."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.image_program import question_hash
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.host_look import (
    images_seen,
    proofs_seen,
    weights_seen,
)

IMAGE, ID = "registry.test/vllm:v0.32.0", "a" * 64
ARGV = ["m", "--seed", "1"]
LOOK = {
    "podman_version": "5.4.2", "platform": "amd64", "remembered": {}, "asked": [IMAGE], "registries_conf": None,
    "images": {IMAGE: {"identity": "sha256:1", "image_id": ID, "way": "registry"}},
}  # fmt: skip
PROOF = {
    "schema": 1, "image_id": ID, "argv_hash": question_hash(ARGV, {}), "verdict": "accepted", "message": "",
    "vllm_version": "0.32.0",
}  # fmt: skip
PLANNED = {"qwen": {"state": "present", "image": IMAGE, "argv": ARGV, "version": "0.32.0"}}


@pytest.mark.parametrize(
    ("look", "conf", "serves"),
    [
        (LOOK, "", True),
        ({**LOOK, "registries_conf": "ours"}, "ours", True),
        ({**LOOK, "registries_conf": "ours"}, "", False),
        (LOOK, "ours", False),
        ({**LOOK, "asked": []}, "", False),
        ({**LOOK, "podman_version": None}, "", False),
        (None, "", False),
    ],
    ids=["the same", "same drop-in", "drop-in to remove", "drop-in to write", "not asked for", "no Podman", "no look"],
)  # fmt: skip
def test_a_look_at_images_serves_where_nothing_would_differ(
    look: dict[str, t.Any] | None, conf: str, serves: bool
) -> None:
    found = images_seen({"image_look": look} if look else {}, [IMAGE], conf)
    assert found == (look if serves else None)


def seen(**proof: t.Any) -> dict[str, t.Any]:
    return {"image_look": LOOK, "parser_proofs": {"qwen": {**PROOF, **proof}}}


def test_a_line_that_its_image_took_before_is_not_asked_about_again() -> None:
    assert proofs_seen(seen(), PLANNED) == {
        "qwen": {"verdict": "accepted", "message": "", "vllm_version": "0.32.0", "remembered": True}
    }


@pytest.mark.parametrize(
    "look",
    [
        {},
        {"image_look": LOOK, "parser_proofs": {"qwen": None}},
        seen(image_id="b" * 64),
        seen(argv_hash="of another line"),
        seen(verdict="refused", message="unrecognized arguments: --foo"),
        seen(vllm_version="0.31.0"),
    ],
    ids=["no look", "nothing kept", "another image", "another line", "refused", "another release than planned"],
)  # fmt: skip
def test_whatever_there_is_to_say_is_left_to_the_host(look: dict[str, t.Any]) -> None:
    assert proofs_seen(look, PLANNED) is None


WHOLE = {"commit": "c" * 40, "complete": True, "path": "/m", "files": 3, "total_bytes": 5, "problem": None}
WEIGHTS = {"weights": {"a/b": WHOLE}, "paths": {"/srv/chat.jinja": None}}
ASKED = {"weights": [{"key": "a/b"}], "paths": [{"path": "/srv/chat.jinja"}]}


def test_weights_that_were_all_there_are_not_looked_for_again() -> None:
    assert weights_seen({"weights_look": WEIGHTS}, **ASKED) == {
        "weights": {"a/b": WHOLE}, "model_revisions": {"a/b": "c" * 40}, "missing_weights": [], "missing_paths": {},
    }  # fmt: skip


@pytest.mark.parametrize(
    "look",
    [
        {},
        {"weights_look": {**WEIGHTS, "weights": {}}},
        {"weights_look": {**WEIGHTS, "weights": {"a/b": {**WHOLE, "complete": False}}}},
        {"weights_look": {**WEIGHTS, "paths": {}}},
        {"weights_look": {**WEIGHTS, "paths": {"/srv/chat.jinja": "it is not on this host"}}},
    ],
    ids=["no look", "not asked for", "not whole", "a path not asked for", "a path that was not there"],
)  # fmt: skip
def test_weights_of_which_anything_is_open_are_looked_for_on_the_host(look: dict[str, t.Any]) -> None:
    assert weights_seen(look, **ASKED) is None
