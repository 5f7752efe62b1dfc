from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.container import read_container


@pytest.mark.parametrize(
    ("line", "image", "words"),
    [
        ("docker run IMAGE a b", "IMAGE", ["a", "b"]),
        ("docker run -it --rm -d IMAGE --x", "IMAGE", ["--x"]),
        ("docker run -itd --name n --gpus all IMAGE", "IMAGE", []),
        ("docker run --gpus=all --ipc=host IMAGE", "IMAGE", []),
        ("docker run --pull always IMAGE", "IMAGE", []),
        ("docker run --pull IMAGE m", "IMAGE", ["m"]),
        ("podman run --replace --device nvidia.com/gpu=0 IMAGE m", "IMAGE", ["m"]),
        ("podman run --unknown-switch --rm IMAGE", "IMAGE", []),
        ("docker --context x container run -p8000:8000 IMAGE", "IMAGE", []),
        ("docker run -- IMAGE m", "IMAGE", ["m"]),
        ("docker create -v /a:/b IMAGE m", "IMAGE", ["m"]),
        ("docker exec -it NAME vllm serve m", "NAME", ["vllm", "serve", "m"]),
        ("docker ps", None, []),
        ("docker run --rm", None, []),
    ],
)
def test_the_image_is_the_first_word_that_no_option_takes(
    line: str, image: str | None, words: list[str]
) -> None:
    found = read_container(line.split())
    assert (found.image, found.words) == (image, words)


def test_an_entrypoint_may_be_a_program_or_a_list() -> None:
    assert read_container(["podman", "run", "--entrypoint", '["vllm", "serve"]', "I"]).entrypoint == [
        "vllm",
        "serve",
    ]
    assert read_container(["docker", "run", "--entrypoint=vllm", "I"]).entrypoint == ["vllm"]


def test_only_environment_with_a_value_is_taken() -> None:
    assert read_container(["docker", "run", "-e", "A=1=2", "-e", "B", "--env", "C=", "I"]).env == {
        "A": "1=2",
        "C": "",
    }
