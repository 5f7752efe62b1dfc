"""`podman run`, `docker run` and bare `vllm serve` in scripts."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Option, UnreadableError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.script import read_run_lines

IMAGE = "vllm/vllm-openai:v0.26.0"


@pytest.mark.parametrize(
    ("line", "tool", "options", "command"),
    [
        (f"docker run --gpus all -p 1:2 {IMAGE} m", "docker", [("--gpus", "all"), ("--publish", "1:2")], ("m",)),
        (f"sudo podman run --rm -it -v /a:/b {IMAGE} m", "podman", [("--rm", None), ("-it", None), ("--volume", "/a:/b")], ("m",)),
        (f"/usr/bin/docker --context x run --ipc=host {IMAGE}", "docker", [("--ipc", "host")], ()),
        (f"docker container run -p8000:8000 {IMAGE} m", "docker", [("--publish", "8000:8000")], ("m",)),
        (f"nerdctl run --net host {IMAGE} m", "docker", [("--network", "host")], ("m",)),
    ],
)  # fmt: skip
def test_the_options_of_a_container_and_what_runs_in_it_are_told_apart(
    line: str, tool: str, options: list[tuple[str, str | None]], command: tuple[str, ...]
) -> None:
    (found,) = read_run_lines(line, "run.sh")
    assert (found.tool, found.image, found.command) == (tool, IMAGE, command)
    assert found.options == tuple(Option(*each) for each in options)


def test_the_environment_comes_from_files_first_and_then_from_the_line() -> None:
    line = f"docker run --env-file e -e A=2 --env=B -e C={'x'} {IMAGE} m"
    (found,) = read_run_lines(line, "run.sh", files={"e": "A=1\nD='4'\n# no\n"}.get)
    assert found.env == {"A": "2", "D": "4", "B": None, "C": "x"}
    (found,) = read_run_lines(line, "run.sh")
    assert [each.code for each in found.findings] == ["adoption_loses"]


def test_of_several_containers_those_with_vllm_are_taken() -> None:
    text = f"docker run -d redis\ndocker run --name a {IMAGE} m &\ndocker run --name b {IMAGE} n\n"
    assert [each.name for each in read_run_lines(text, "run.sh")] == ["a", "b"]


def test_a_line_on_a_page_is_found_although_the_page_is_no_script() -> None:
    text = f"It's easy:\n$ docker run \\\n  --gpus all {IMAGE} m\nand don't\n"
    (found,) = read_run_lines(text, "page.md")
    assert (found.image, found.command) == (IMAGE, ("m",))


def test_a_server_without_container_keeps_the_variables_in_front_of_it() -> None:
    text = "export HF_HOME=/hf\nCUDA_VISIBLE_DEVICES=1 nohup vllm serve m --port 9 > log 2>&1 &"
    (found,) = read_run_lines(text, "run.sh")
    assert (found.tool, found.command) == ("none", ("vllm", "serve", "m", "--port", "9"))
    assert found.env == {"HF_HOME": "/hf", "CUDA_VISIBLE_DEVICES": "1"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("echo docker run x", "there is no"),
        ("kubectl apply -f x", "begins 'kubectl'"),
        ("docker run -d --name", "names no image"),
        ("docker run redis\ndocker run nginx", "none of them looks like vLLM"),
        ("docker run 'vllm", "not closed"),
    ],
)
def test_what_starts_no_server_is_told(text: str, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read_run_lines(text, "run.sh")


@pytest.mark.parametrize(
    "line",
    [
        'bash -c "vllm serve m --seed 1"',
        "screen -dmS llm bash -c 'vllm serve m --seed 1'",
        "tmux new -d -s llm 'source x; vllm serve m --seed 1'",
        'PY=$(command -v python3)\n"$PY" -m vllm.entrypoints.openai.api_server m --seed 1',
    ],
)
def test_a_server_that_something_else_starts_is_found(line: str) -> None:
    (found,) = read_run_lines(line, "run.sh")
    assert (found.tool, found.command[-3:]) == ("none", ("m", "--seed", "1"))


@pytest.mark.parametrize("line", ["pgrep -f 'vllm serve m --seed 1'", "echo 'run: vllm serve m --seed 1'"])
def test_what_only_names_a_server_starts_none(line: str) -> None:
    (found,) = read_run_lines(f"{line}\nvllm serve other", "run.sh")
    assert found.command == ("vllm", "serve", "other")


def test_of_several_ways_to_start_one_container_those_that_serve_are_taken_and_told() -> None:
    run = f"docker run --name llm --entrypoint bash {IMAGE}"
    text = f'MODE=bash\nif [ "$MODE" = bash ]; then {run}; else {run} -c "vllm serve m"; fi'
    (found,) = read_run_lines(text, "run.sh")
    assert found.command == ("-c", "vllm serve m")
    assert [each.code for each in found.findings] == ["adoption_guesses"]
    text = f"gpu() {{\n docker run --name llm {IMAGE} m\n}}\ncpu() {{\n docker run --name llm {IMAGE} n\n}}"
    assert [[each.code for each in found.findings] for found in read_run_lines(text, "run.sh")] == [
        ["adoption_guesses"],
        ["adoption_guesses"],
    ]


def test_branches_that_start_the_same_are_one_server() -> None:
    (found,) = read_run_lines("if [ -f /x ]; then vllm serve m; else vllm serve m; fi", "run.sh")
    assert [each.code for each in found.findings] == ["adoption_guesses"]


def test_the_image_of_apptainer_is_taken() -> None:
    line = f"apptainer exec --nv docker://{IMAGE} vllm serve m"
    (found,) = read_run_lines(line, "run.sh")
    assert (found.image, found.command) == (f"docker://{IMAGE}", ("vllm", "serve", "m"))
