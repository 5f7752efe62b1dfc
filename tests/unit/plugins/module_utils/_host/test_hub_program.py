"""The program that fetches inside an image: what it brings, what it takes away, and what the tool's exceptions mean."""

from __future__ import annotations

import errno
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import hub_program
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.hub import command, files, job_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.hub_program import FetchError, State
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.weights import DUPLICATES

REQUEST: dict[str, t.Any] = {
    "repo": "acme/tiny",
    "revision": "main",
    "asked": "main",
    "only_resolve": False,
    "ignore": [],
    "keep_free": 0,
    "tries": 3,
}


class Response:
    def __init__(self, status: int, **headers: str) -> None:
        self.status_code = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class HubError(Exception):
    def __init__(self, response: Response) -> None:
        super().__init__("a long text\nof the tool")
        self.response = response


class GatedRepoError(HubError):
    pass


class RevisionNotFoundError(HubError):
    pass


class TimeoutException(Exception):  # noqa: N818
    pass


def hidden(error: Exception) -> Exception:
    """As the tool hides what the hub answered."""
    outer = RuntimeError("cannot find the files on the hub")
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    ("error", "code", "again"),
    [
        (GatedRepoError(Response(401)), "gated", False),
        (RevisionNotFoundError(Response(404)), "revision_unknown", False),
        (
            HubError(Response(401, X_Error_Message="Invalid credentials in Authorization header")),
            "token_refused",
            False,
        ),
        (HubError(Response(401)), "not_found_or_private", False),
        (HubError(Response(404)), "not_found_or_private", False),
        (HubError(Response(429)), "too_many_requests", True),
        (HubError(Response(503)), "hub_failed", True),
        (TimeoutException("no answer"), "hub_out_of_reach", True),
        (OSError(errno.ENOSPC, "No space left on device"), "disk_full", False),
        (ImportError("No module named huggingface_hub"), "tool_failed", False),
    ],
)
def test_each_exception_means_one_thing_also_when_the_tool_hides_it(
    error: Exception, code: str, again: bool
) -> None:
    for raised in (error, hidden(error)):
        told = hub_program.explain(raised)
        assert (told["code"], told["again"]) == (code, again)


def test_the_pause_is_what_the_hub_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(hub_program.time, "sleep", pauses.append)
    answers: list[t.Any] = [HubError(Response(429, Retry_After="17")), HubError(Response(429)), "there"]

    def call() -> t.Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert hub_program.patiently(call, REQUEST, State(tmp_path)) == "there"
    assert pauses == [17, 4]


def test_patience_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_program.time, "sleep", lambda _seconds: None)

    def call() -> t.Any:
        raise HubError(Response(429))

    with pytest.raises(FetchError) as caught:
        hub_program.patiently(call, REQUEST, State(tmp_path))
    assert caught.value.as_dict["tries"] == 3


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        pytest.param(
            ["config.json", "model.safetensors", "pytorch_model.bin", "original/a.pth"],
            ["config.json", "model.safetensors"],
            id="the same in other formats",
        ),
        pytest.param(
            ["config.json", "pytorch_model.bin"], ["config.json", "pytorch_model.bin"], id="no other"
        ),
    ],
)
def test_other_formats_are_left_out_only_beside_safetensors(names: list[str], kept: list[str]) -> None:
    assert list(hub_program.wanted(dict.fromkeys(names, 1), list(DUPLICATES))) == kept


def test_a_file_that_is_too_short_goes_with_its_blob_so_that_the_tool_brings_it_again(tmp_path: Path) -> None:
    blob = tmp_path / "blobs" / "abc"
    snapshot = tmp_path / "snapshots" / "c"
    for folder in (blob.parent, snapshot):
        folder.mkdir(parents=True)
    blob.write_bytes(b"12345")
    (snapshot / "model.safetensors").symlink_to("../../blobs/abc")
    stale = tmp_path / "blobs" / "def.0123abcd.incomplete"
    resumable = tmp_path / "blobs" / "def.incomplete"
    for path in (stale, resumable):
        path.touch()
    hub_program.remove_broken(tmp_path, snapshot, {"model.safetensors": 9})
    assert sorted(path.name for path in tmp_path.rglob("*") if not path.is_dir()) == ["def.incomplete"]


def test_what_does_not_fit_is_refused_before_it_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(FetchError) as caught:
        hub_program.check_room({"models": str(tmp_path), "keep_free": 0}, 1 << 60)
    assert caught.value.as_dict["missing"] == 1 << 60


def test_a_token_comes_as_a_secret_and_no_command_line_has_the_environment() -> None:
    env = {
        "HF_ENDPOINT": "http://hub",
        "HF_TOKEN": "hf_plain",
        "VLLM_LOGGING_LEVEL": "DEBUG",
        "https_proxy": "http://me:password@proxy",
    }
    words = command(
        job_of("/state", REQUEST),
        "reg/vllm:v1@sha256:abc",
        "/state/models",
        {"HF_TOKEN": "vllm-qwen-hf-01234567"},
    )
    given = files({**REQUEST, "models": "/m"}, env)["environment"].splitlines()
    assert "--secret=vllm-qwen-hf-01234567,type=env,target=HF_TOKEN" in words
    assert "reg/vllm@sha256:abc" in words
    assert "password" not in " ".join(words)
    assert {"HF_ENDPOINT=http://hub", "https_proxy=http://me:password@proxy"} <= set(given)
    assert not [line for line in given if "hf_plain" in line or "DEBUG" in line]


def test_the_same_request_is_the_same_work_and_another_commit_is_not() -> None:
    again, other = job_of("/state", dict(REQUEST)), job_of("/state", {**REQUEST, "revision": "c" * 40})
    assert again == job_of("/state", REQUEST)
    assert other != again


def test_the_program_travels_as_it_is_written() -> None:
    compile(files({**REQUEST, "models": "/m"}, {})["program.py"], "program.py", "exec")
