from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.pasted import read_pasted

ARGS = ["m", "--port", "1"]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("m --port 1", "serve"),
        ("serve m --port 1", "serve"),
        ("vllm serve m --port 1", "serve"),
        ("/opt/venv/bin/vllm serve m --port 1", "serve"),
        ("$ vllm serve m \\\n    --port 1 \\\n", "serve"),
        ("vllm serve m \\  \n --port 1", "serve"),
        ("# start it\nvllm serve m --port 1  # here", "serve"),
        ("sudo -E nohup vllm serve m --port 1 > log 2>&1 &", "serve"),
        ("cd /x && source venv/bin/activate && vllm serve m --port 1", "serve"),
        ("uv run --with vllm==0.26 vllm serve m --port 1", "serve"),
        ("python -m vllm.entrypoints.openai.api_server m --port 1", "api_server"),
        ("python3.12 -u -m vllm.entrypoints.openai.api_server m --port 1", "api_server"),
        ("-m vllm.entrypoints.openai.api_server m --port 1", "api_server"),
        ("python3 -m vllm.entrypoints.cli.main serve m --port 1", "serve"),
        ("bash -c 'vllm serve m --port 1'", "serve"),
        ("vllm serve m --port 1 # one port\n# and no more", "serve"),
        ("(cd /x; vllm serve m --port 1)", "serve"),
        ("source venv/bin/activate; vllm serve m --port 1", "serve"),
        ("srun --gres=gpu:2 timeout 9 vllm serve m --port 1", "serve"),
        ("taskset -c 0-3 python3 -m vllm.entrypoints.openai.api_server m --port 1", "api_server"),
        ("python3 /usr/local/bin/vllm serve m --port 1", "serve"),
        ("kubectl run x --image y -- vllm serve m --port 1", "serve"),
        ("docker run --rm -it vllm/vllm-openai:latest m --port 1", "image"),
        ("docker run --gpus all -p 8000:8000 IMAGE vllm serve m --port 1", "serve"),
        (
            "podman run -d --name x --device nvidia.com/gpu=all docker.io/vllm/vllm-openai:v0.26.0 m --port 1",
            "image",
        ),
        ("docker run --entrypoint vllm IMAGE serve m --port 1", "serve"),
        (
            "docker run --entrypoint python3 IMAGE -m vllm.entrypoints.openai.api_server m --port 1",
            "api_server",
        ),
        ("docker run --entrypoint bash IMAGE -lc 'vllm serve m --port 1'", "serve"),
        ("docker run IMAGE bash -c 'pip install x && vllm serve m --port 1'", "serve"),
        ("sudo docker container run -itd --ipc=host --shm-size 16g IMAGE m --port 1", "image"),
    ],
)
def test_what_stands_around_the_arguments_is_taken_away(text: str, form: str) -> None:
    pasted = read_pasted(text)
    assert (pasted.words, pasted.form, pasted.problems) == (ARGS, form, [])


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["vllm", "serve", "m"], ["m"]),
        (["vllm serve m --port 1"], ARGS),
        (["serve", "m"], ["m"]),
        (["serve"], []),
        (["m", "--port", 1, "--x", True], ["m", "--port", "1", "--x", "true"]),
        (["m", {"--seed": 3}, {"a": 1}], ["m", "--seed", "3", '{"a":1}']),
        (["m", "--served-model-name", "vllm", "serve"], ["m", "--served-model-name", "vllm", "serve"]),
        (["m", "--x", "a b; c"], ["m", "--x", "a b; c"]),
        ([], []),
        ("", []),
    ],
)
def test_a_list_is_taken_word_by_word(argv: t.Any, words: list[str]) -> None:
    assert read_pasted(argv).words == words


def test_the_environment_in_front_and_of_the_container_is_kept() -> None:
    pasted = read_pasted(
        "A=1 docker run -e B=2 --env C=3 --env=D=4 -eE=5 -e HOST_ONLY IMAGE env F=6 vllm serve m"
    )
    assert (pasted.words, pasted.env) == (["m"], {"A": "1", "B": "2", "C": "3", "D": "4", "E": "5", "F": "6"})


def test_options_of_the_container_are_named_as_not_taken_over() -> None:
    pasted = read_pasted("docker run --rm --gpus all -v /a:/b -p 1:1 --ipc=host IMAGE m")
    assert pasted.dropped == ["--gpus all", "-v /a:/b", "-p 1:1", "--ipc host"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("vllm serve 'm", "quote that is not closed"),
        ("vllm bench latency", "vllm bench"),
        ("vllm", "no server"),
        ("python train.py", "not vLLM's server"),
        ("docker run --rm", "names no image"),
        ("docker ps", "names no image"),
    ],
)
def test_what_is_no_server_is_a_problem_not_a_traceback(text: str, says: str) -> None:
    assert [says in problem.message for problem in read_pasted(text).problems] == [True]


def test_shell_variables_are_told() -> None:
    assert read_pasted("vllm serve $MODEL --port ${PORT:-1} --x 5$").variables == ["$MODEL", "${PORT:-1}"]


def test_a_number_sign_inside_a_word_or_quotes_begins_no_comment() -> None:
    pasted = read_pasted("vllm serve m --chat-template '{# note #} {{ x }}' --api-key a#b;c --root-path \\#x")
    assert pasted.words == ["m", "--chat-template", "{# note #} {{ x }}", "--api-key", "a#b"]
