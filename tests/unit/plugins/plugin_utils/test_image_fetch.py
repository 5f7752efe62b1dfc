from __future__ import annotations

import io
import json
import tarfile
import typing as t
from pathlib import Path

import pytest
from ansible import constants

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.registries import Archive
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils import image_run
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.image_fetch import Fetch
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.image_outcome import Options, Outcome
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.progress import Progress

TAG = "r.test/vllm:v0.26.0"
A, B = "sha256:" + "a" * 64, "sha256:" + "b" * 64
ID = "1" * 64
LOST = {"code": "image_registry_broke_off", "message": "broke off", "fix": "look", "again": True}
REFUSED = {"code": "image_login_refused", "message": "refused", "fix": "log in", "again": False}
UNKNOWN = {"code": "image_unknown", "message": "no such image", "fix": "correct", "again": False}
ENDED = {"code": 0, "done_bytes": 5, "total_bytes": 5, "busy_seconds": 1.0, "said": ""}


@pytest.fixture(autouse=True)
def a_run_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(tmp_path))


class Host:
    """Answers each step as it is told, and notes what it was asked."""

    def __init__(self, name: str = "gpu-01", digest: str = A, pulls: t.Sequence[t.Any] = (None,)) -> None:
        self.name, self.digest, self.pulls = name, digest, list(pulls)
        self.asked: list[str] = []
        self.sent = b""

    def step(self, step: str, **options: t.Any) -> dict[str, t.Any]:
        self.asked.append(f"pull {options['digest'][:8]}" if step == "pull" else step)
        return t.cast("dict[str, t.Any]", getattr(self, step)(**options))

    def resolve(self, **_options: t.Any) -> dict[str, t.Any]:
        return {"digest": self.digest, "trouble": None}

    def pull(self, **_options: t.Any) -> dict[str, t.Any]:
        trouble = self.pulls.pop(0)
        return {"job": {**ENDED, "code": 125 if trouble else 0}, "trouble": trouble}

    def stop(self, **_options: t.Any) -> dict[str, t.Any]:
        return {}

    def load(self, **_options: t.Any) -> dict[str, t.Any]:
        return {"job": ENDED, "trouble": None, "image_id": ID}

    def keep(
        self, digest: str | None = None, image_id: str | None = None, **_more: t.Any
    ) -> dict[str, t.Any]:
        return {"identity": digest or image_id, "trouble": None}

    def receive(self, piece: str | None = None, offset: int = 0, **_options: t.Any) -> dict[str, t.Any]:
        return {"size": len(self.sent), "trouble": None}

    def send(self, piece: bytes) -> str:
        self.sent += piece
        return "/tmp/piece"


def look(identity: str | None = None, image_id: str = ID, way: str = "registry") -> dict[str, t.Any]:
    there = {TAG: {"identity": identity, "image_id": image_id, "way": way}} if identity else {}
    remembered = {TAG: identity} if identity and way != "host" else {}
    return {
        "platform": "amd64",
        "podman_version": "5.4.2",
        "images": there,
        "remembered": remembered,
        "state_dir": "/var/lib/x",
    }


def bring(
    host: Host, seen: dict[str, t.Any], reference: str = TAG, **options: t.Any
) -> tuple[Outcome, list[str]]:
    said: list[str] = []
    image_run.note_look(host.name, seen)
    given = Options(**{"retry_delay": 0, **options})
    return Fetch(host, reference, seen, given, [], Progress("x", show=said.append)).bring(), said


def test_an_image_that_is_there_asks_nothing_of_anybody() -> None:
    host = Host()
    outcome, _said = bring(host, look(A))
    assert (outcome.identity, outcome.changed, host.asked) == (A, False, [])


def test_an_image_that_came_by_hand_is_remembered_and_nothing_has_changed() -> None:
    host = Host()
    outcome, _said = bring(host, look(A, way="host"))
    assert (outcome.changed, host.asked) == (False, ["keep"])


def test_a_tag_is_resolved_by_the_first_host_and_pulled_by_digest_on_all() -> None:
    first, second = Host("gpu-01"), Host("gpu-02", digest=B)
    for host in (first, second):
        outcome, _said = bring(host, look())
        assert (outcome.identity, outcome.changed) == (A, True)
    assert first.asked == ["resolve", "pull sha256:a", "keep"]
    assert second.asked == ["pull sha256:a", "keep"]


def test_a_host_that_joins_later_gets_what_the_others_have() -> None:
    image_run.note_look("gpu-01", look(A))
    joins = Host("gpu-02", digest=B)
    outcome, _said = bring(joins, look())
    assert (outcome.identity, joins.asked) == (A, ["pull sha256:a", "keep"])


def test_a_digest_that_is_in_no_registry_is_resolved_anew() -> None:
    image_run.note_look("gpu-01", look(A, way="host"))
    joins = Host("gpu-02", digest=B, pulls=[UNKNOWN, None])
    outcome, _said = bring(joins, look())
    assert (outcome.identity, joins.asked) == (
        B,
        ["pull sha256:a", "stop", "resolve", "pull sha256:b", "keep"],
    )


def test_hosts_with_another_architecture_are_another_matter() -> None:
    image_run.note_look("arm-01", {**look(A), "platform": "arm64"})
    host = Host("gpu-02", digest=B)
    assert bring(host, look())[0].identity == B


def test_two_identities_are_refused_on_each_host_with_the_names_of_both() -> None:
    image_run.note_look("gpu-01", look(A))
    host = Host("gpu-02")
    outcome, _said = bring(host, look(B, image_id="2" * 64))
    assert outcome.trouble is not None
    assert outcome.trouble["code"] == "image_two_identities"
    assert "on gpu-01" in outcome.trouble["message"]
    assert "on gpu-02" in outcome.trouble["message"]
    assert host.asked == []


def test_two_digests_of_one_image_are_one_identity() -> None:
    image_run.note_look("gpu-01", look(A))
    assert bring(Host("gpu-02"), look(B))[0].trouble is None


def test_a_refresh_asks_although_the_image_is_there_and_pulls_only_what_is_newer() -> None:
    same, newer = Host("gpu-01", digest=A), Host("gpu-03", digest=B)
    assert bring(same, look(A), refresh=True)[0].changed is False
    assert same.asked == ["resolve"]
    with image_run.shared() as content:
        content["resolved"].clear()
    assert bring(newer, look(A), refresh=True)[0].identity == B


def test_a_pull_that_breaks_off_is_tried_again_and_that_is_said() -> None:
    host = Host(pulls=[LOST, LOST, None])
    outcome, said = bring(host, look(), retries=2)
    assert outcome.identity == A
    assert [line for line in said if "attempt" in line] == [
        "x: attempt 1 of 3 failed: broke off; again in 0 s",
        "x: attempt 2 of 3 failed: broke off; again in 0 s",
    ]


@pytest.mark.parametrize(("trouble", "pulls"), [(LOST, 3), (REFUSED, 1)])
def test_only_what_may_help_is_tried_again(trouble: dict[str, t.Any], pulls: int) -> None:
    host = Host(pulls=[trouble] * 5)
    outcome, _said = bring(host, look(), retries=2)
    assert outcome.trouble == trouble
    assert len([step for step in host.asked if step.startswith("pull")]) == pulls
    assert "keep" not in host.asked


def test_a_digest_that_is_not_there_is_told_as_a_digest() -> None:
    outcome, _said = bring(Host(pulls=[UNKNOWN]), look(), f"r.test/vllm@{A}")
    assert outcome.trouble is not None
    assert outcome.trouble["code"] == "image_digest_unknown"


def test_check_mode_predicts_and_asks_nothing() -> None:
    host = Host()
    outcome, _said = bring(host, look(), predict=True)
    assert (outcome.changed, outcome.trouble, host.asked) == (True, None, [])
    assert outcome.action == f"bring {TAG} from r.test"


def test_check_mode_does_not_fail_for_what_a_host_without_podman_cannot_show_yet() -> None:
    bare = {**look(), "podman_version": None}
    assert bring(Host(), bare, "localhost/own:1", predict=True)[0] == Outcome()
    assert bring(Host(), bare, predict=True)[0].changed


@pytest.mark.parametrize(
    ("reference", "pull", "words"),
    [("localhost/own:1", True, "no registry"), (TAG, False, "vllm_image_pull")],
)
def test_an_image_that_cannot_come_is_told_with_the_way_out(reference: str, pull: bool, words: str) -> None:
    outcome, _said = bring(Host(), look(), reference, pull=pull)
    assert outcome.trouble is not None
    assert words in outcome.trouble["message"]


def test_when_three_hosts_could_not_resolve_a_tag_the_others_take_their_word() -> None:
    class Refused(Host):
        def resolve(self, **_options: t.Any) -> dict[str, t.Any]:
            return {"digest": None, "trouble": REFUSED}

    hosts = [Refused(f"gpu-0{number}") for number in range(5)]
    told = [bring(host, look())[0].trouble for host in hosts]
    assert [host.asked for host in hosts] == [["resolve"]] * 3 + [[]] * 2
    assert told[4] is not None
    assert "asked by gpu-00, gpu-01, gpu-02" in told[4]["message"]


def archive(path: Path) -> str:
    manifest = json.dumps([{"Config": f"{ID}.json", "RepoTags": []}]).encode()
    with tarfile.open(path, "w") as tar:
        entry = tarfile.TarInfo("manifest.json")
        entry.size = len(manifest)
        tar.addfile(entry, io.BytesIO(manifest))
    return str(path)


def test_an_archive_is_copied_and_its_id_is_what_the_image_is_known_by(tmp_path: Path) -> None:
    path, host = archive(tmp_path / "x.tar"), Host()
    outcome, _said = bring(host, look(), archives={TAG: Archive(path)})
    assert (outcome.identity, outcome.changed) == (ID, True)
    assert host.asked == ["receive", "receive", "load", "keep"]
    assert host.sent == Path(path).read_bytes()


def test_an_archive_on_the_host_is_not_copied() -> None:
    host = Host()
    outcome, _said = bring(host, look(), archives={TAG: Archive("/srv/x.tar", on_host=True)})
    assert (outcome.identity, host.asked) == (ID, ["load", "keep"])


def test_an_archive_that_is_not_there_is_told_before_anything_is_copied(tmp_path: Path) -> None:
    host = Host()
    outcome, _said = bring(host, look(), archives={TAG: Archive(str(tmp_path / "none.tar"))})
    assert outcome.trouble is not None
    assert outcome.trouble["code"] == "image_archive_unusable"
    assert host.asked == []
