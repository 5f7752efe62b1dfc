from __future__ import annotations

import ast
import dataclasses
import json
import re
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.parser_proof import Line, prove

ID, OTHER = "a" * 64, "b" * 64
IMAGES = {"docker.io/vllm/vllm-openai:v0.32.0": ID, "localhost/own:v0.32.0": OTHER}
IMAGE = next(iter(IMAGES))
LINE = Line("qwen", IMAGE, ("m", "--seed", "1"), {})
REFUSED = Line("bge", IMAGE, ("m", "--foo", "--api-key", "sk-one"), {})
NO_PYTHON = Completed(
    (), 127, "", "Error: crun: executable file `python3` not found in $PATH: No such file or directory"
)
TIMED_OUT = Completed((), 255, "", "")


@dataclasses.dataclass
class Host:
    """A host whose containers answer as the program does: lines with ``--foo`` are refused."""

    images: t.Mapping[str, str] = dataclasses.field(default_factory=lambda: IMAGES)
    podman: bool = True
    instead: t.Sequence[Completed] = ()  # what containers end with, one after the other
    containers: list[tuple[str, ...]] = dataclasses.field(default_factory=list)
    read: list[str] = dataclasses.field(default_factory=list)  # what the containers were given to read

    def __call__(
        self, *command: str, env: t.Mapping[str, str] | None = None, stdin: str | None = None
    ) -> Completed:
        del env
        if command[1] == "--version":
            return Completed(command, 0 if self.podman else 127, "podman version 5.4.2", "")
        if command[1] == "run":
            return self._run(command, stdin or "")
        name = command[-1]
        if command[2] == "exists":
            return Completed(command, 0 if name in self.images else 1, "", "")
        return Completed(command, 0, json.dumps([{"Id": self.images[name]}]), "")

    def _run(self, command: tuple[str, ...], stdin: str) -> Completed:
        self.containers.append(command)
        self.read.append(stdin)
        if len(self.containers) <= len(self.instead):
            return self.instead[len(self.containers) - 1]
        asked = json.loads(ast.literal_eval(re.findall(r"main\(json\.loads\((.*)\)\)\n", stdin)[-1]))
        verdicts = {
            name: ["refused", "unrecognized arguments: --foo sk-one"]
            if "--foo" in words
            else ["accepted", ""]
            for name, words in asked["lines"].items()
        }
        answer = {"version": "0.32.0", "verdicts": verdicts}
        return Completed(command, 0, f"noise\nproof:{json.dumps(answer)}\n", "")


def verdicts(host: Host, state: Path, *lines: Line, check: bool = False) -> list[tuple[str, bool]]:
    return [(each.verdict, each.remembered) for each in prove(host, lines, str(state), 180, check)]


def test_an_image_is_asked_once_for_all_its_lines(tmp_path: Path) -> None:
    host = Host()
    assert verdicts(host, tmp_path, LINE, REFUSED) == [("accepted", False), ("refused", False)]
    assert len(host.containers) == 1


def test_lines_of_another_environment_or_image_are_asked_apart(tmp_path: Path) -> None:
    host = Host()
    lines = [
        LINE,
        Line("b", IMAGE, LINE.argv, {"VLLM_PLUGINS": "x"}),
        Line("c", "localhost/own:v0.32.0", LINE.argv, {}),
    ]
    verdicts(host, tmp_path, *lines)
    assert [command[-3] for command in host.containers] == [ID, ID, OTHER]


def test_a_second_run_starts_no_container(tmp_path: Path) -> None:
    verdicts(Host(), tmp_path, LINE, REFUSED)
    host = Host()
    assert verdicts(host, tmp_path, LINE, REFUSED) == [("accepted", True), ("refused", True)]
    assert host.containers == []


@pytest.mark.parametrize(
    ("line", "images"),
    [
        pytest.param(dataclasses.replace(LINE, argv=("m", "--seed", "2")), IMAGES, id="other words"),
        pytest.param(dataclasses.replace(LINE, env={"A": "1"}), IMAGES, id="another environment"),
        pytest.param(LINE, {IMAGE: OTHER}, id="another image of the same name"),
    ],
)
def test_what_differs_is_asked_again(tmp_path: Path, line: Line, images: dict[str, str]) -> None:
    verdicts(Host(), tmp_path, LINE)
    assert verdicts(Host(images), tmp_path, line) == [("accepted", False)]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"schema": 2}', '{"schema": 1, "image_id": "%s", "verdict": "maybe"}' % ID],  # noqa: UP031
)
def test_a_memory_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    memory = tmp_path / "qwen" / "parser_proof.json"
    memory.parent.mkdir()
    memory.write_text(text, encoding="utf-8")
    assert verdicts(Host(), tmp_path, LINE) == [("accepted", False)]
    assert json.loads(memory.read_text(encoding="utf-8"))["verdict"] == "accepted"


def test_what_could_not_be_asked_is_asked_again_the_next_time(tmp_path: Path) -> None:
    assert verdicts(Host(instead=[TIMED_OUT]), tmp_path, LINE) == [("not_asked", False)]
    assert verdicts(Host(), tmp_path, LINE) == [("accepted", False)]


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        ([TIMED_OUT], "no answer within 180 seconds"),
        ([NO_PYTHON] * 5, "no Python where images of vLLM have it"),
        ([Completed((), 137, "", "Killed\n")], "ended with 137: Killed"),
        (
            [Completed((), 125, "", "Error: something of Podman\n")],
            "ended with 125: Error: something of Podman",
        ),
    ],
)
def test_an_image_that_does_not_answer_is_not_asked_and_says_why(
    tmp_path: Path, ended: list[Completed], why: str
) -> None:
    answer = prove(Host(instead=ended), [LINE], str(tmp_path), 180)[0]
    assert (answer.verdict, why in answer.message) == ("not_asked", True)


def test_a_python_elsewhere_is_found(tmp_path: Path) -> None:
    host = Host(instead=[NO_PYTHON])
    assert verdicts(host, tmp_path, LINE) == [("accepted", False)]
    assert "--entrypoint=/opt/venv/bin/python3" in host.containers[1]


def test_check_mode_asks_and_keeps_nothing(tmp_path: Path) -> None:
    assert verdicts(Host(), tmp_path, LINE, check=True) == [("accepted", False)]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", [Host(images={}), Host(podman=False)], ids=["no image", "no Podman"])
def test_what_is_not_there_is_known_after_fetch_in_check_mode_and_an_error_otherwise(
    tmp_path: Path, host: Host
) -> None:
    assert verdicts(host, tmp_path, LINE, check=True) == [("known_after_fetch", False)]
    with pytest.raises(HostError, match=r"role (vllm_image|podman)"):
        prove(host, [LINE], str(tmp_path), 180)


def test_the_container_is_named_bounded_alone_and_gets_the_words_on_its_standard_input(
    tmp_path: Path,
) -> None:
    host = Host()
    verdicts(host, tmp_path, REFUSED)
    command = host.containers[0]
    assert {"--rm", "--network=none", "--pull=never", "--timeout=180", "--name=vllm_proof_parser_bge"} <= {
        *command
    }
    assert not any("sk-one" in word for word in command)
    assert "sk-one" in host.read[0]


def test_a_secret_in_the_words_of_the_image_is_not_kept(tmp_path: Path) -> None:
    answer = prove(Host(), [REFUSED], str(tmp_path), 180)[0]
    kept = tmp_path / "bge" / "parser_proof.json"
    assert "sk-one" not in answer.message + kept.read_text(encoding="utf-8")
    assert kept.stat().st_mode & 0o777 == 0o600


def test_nothing_planned_needs_nothing(tmp_path: Path) -> None:
    host = Host(podman=False)
    assert prove(host, [], str(tmp_path), 180) == []
    assert host.containers == []


def test_the_image_that_the_host_remembers_for_a_name_is_asked(tmp_path: Path) -> None:
    known = {"identity": "sha256:" + "c" * 64, "image_id": OTHER, "way": "registry"}
    (tmp_path / "images.json").write_text(
        json.dumps({"schema": 1, "images": {IMAGE: known}}), encoding="utf-8"
    )
    host = Host({**IMAGES, OTHER: OTHER})
    assert verdicts(host, tmp_path, LINE) == [("accepted", False)]
    assert host.containers[0][-3] == OTHER
