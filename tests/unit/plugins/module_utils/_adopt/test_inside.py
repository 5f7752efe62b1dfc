"""What runs inside a container, whatever starts it."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.inside import inside_of

API = "vllm.entrypoints.openai.api_server"


@pytest.mark.parametrize(
    ("entrypoint", "command", "words", "of_image"),
    [
        (None, ["--model", "m"], ["--model", "m"], True),
        (None, ["m", "--port", "1"], ["m", "--port", "1"], True),
        (None, [], [], True),
        (None, ["vllm", "serve", "m"], ["vllm", "serve", "m"], False),
        (["vllm", "serve"], ["m"], ["vllm", "serve", "m"], False),
        (["python3", "-m", API], ["--model", "m"], ["python3", "-m", API, "--model", "m"], False),
        (["/bin/bash", "-c"], ["exec vllm serve m --x 'a b'"], ["vllm", "serve", "m", "--x", "a b"], False),
        (["bash", "-c", 'vllm serve "$@"', "--"], ["m", "--a"], ["vllm", "serve", "m", "--a"], False),
        (["tini", "--"], ["vllm", "serve", "m"], ["vllm", "serve", "m"], False),
        (None, ["sh", "-c", "export A=1; vllm serve $M"], ["vllm", "serve", "mm"], False),
    ],
)  # fmt: skip
def test_the_servers_own_words_are_found(
    entrypoint: list[str] | None, command: list[str], words: list[str], of_image: bool
) -> None:
    found = Found(
        "x",
        "docker",
        image="i",
        entrypoint=tuple(entrypoint) if entrypoint else None,
        command=tuple(command),
        env={"M": "mm"},
    )
    inside = inside_of(found)
    assert (inside.words, inside.of_image, inside.findings) == (words, of_image, [])


@pytest.mark.parametrize(
    "words",
    [["/start.sh"], ["python3", "app.py"], ["bash", "-c", "ray start; python x.py"], ["sh", "-c", "'"]],
)
def test_what_is_not_known_to_be_a_server_is_told(words: list[str]) -> None:
    inside = inside_of(Found("x", "docker", image="i", entrypoint=tuple(words)))
    assert inside.words == []
    assert "adoption_unreadable" in [each.code for each in inside.findings]


def test_what_a_script_does_before_the_server_is_told_and_so_are_its_conditions() -> None:
    script = 'cd /x && pip install y\nif [ "$A" = 1 ]; then vllm serve m --b; else vllm serve m; fi'
    inside = inside_of(Found("x", "docker", image="i", entrypoint=("bash", "-c", script)))
    assert inside.words == ["vllm", "serve", "m"]
    assert [each.code for each in inside.findings] == ["adoption_loses", "adoption_guesses"]
    assert "pip install y" in inside.findings[0].message


def test_an_image_that_is_built_starts_the_server_like_the_one_it_is_built_of() -> None:
    inside = inside_of(Found("x", "docker", command=("--model", "m")))
    assert (inside.words, inside.of_image, inside.findings) == (["--model", "m"], True, [])


def test_variables_that_a_script_exports_reach_the_server_and_others_do_not() -> None:
    script = "A=1\nexport B=2\nM=n\nvllm serve $M"
    found = Found("x", "docker", image="i", entrypoint=("bash", "-c", script), env={"M": "m"})
    assert inside_of(found).env == {"B": "2", "M": "n"}
