"""Conditions of scripts: what the script's own values decide is followed, and what they leave open is told."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.shell import read_script


def serving(text: str) -> tuple[tuple[str, ...], bool | None, bool]:
    (step,) = [each for each in read_script(text, {}).steps if each.words[0] == "serve"]
    return step.words[1:], step.runs, step.decided


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('A=1\nif [ "$A" = 1 ]; then L+=(--x); fi', ["--x"]),
        ('A=1\nif [ "$A" = 2 ]; then L+=(--x); fi', []),
        ('A=1\nif [ "$A" != 1 ]; then L+=(--x); else L+=(--y); fi', ["--y"]),
        ("A=\nif [[ -n $A ]]; then L+=(--x); elif [[ -z $A ]]; then L+=(--y); else L+=(--z); fi", ["--y"]),
        ("N=4\nif (( 1 )); then :; fi\nif [ $N -gt 1 ]; then L+=(--x); fi", ["--x"]),
        ("N=4\nif [ $N -gt 1 ] && [ $N -lt 3 ]; then L+=(--x); fi", []),
        ("N=4\nif [ $N -gt 9 ] || [ $N -eq 4 ]; then L+=(--x); fi", ["--x"]),
        ("N=4\n[ $N -eq 4 ] && L+=(--x)\n[ $N -eq 5 ] && L+=(--y)\n[ $N -eq 5 ] || L+=(--z)", ["--x", "--z"]),
        ("if ! true; then L+=(--x); fi", []),
        ("A=1\nif [ $A = 1 ]\nthen\n  if [ $A = 2 ]; then L+=(--x); fi\n  L+=(--y)\nfi", ["--y"]),
    ],
)
def test_a_condition_that_the_script_itself_decides_is_followed(text: str, words: list[str]) -> None:
    assert serving(f'L=()\n{text}\nserve "${{L[@]}}"') == (tuple(words), True, True)


@pytest.mark.parametrize(
    "text",
    [
        'M=a\nif [ -f /x ]; then M=b; fi\nserve "$M"',
        'if [ -z "$M" ]; then M=b; fi\nserve "$M"',
        'D=/a\nif command -v x; then D=/b; fi\nM="$D/m"\nserve "$M"',
        'case $X in\n  a) M=b ;;\n  *) M=c ;;\nesac\nserve "$M"',
        'for M in a b; do N="$M"; done\nserve "$N"',
        'L=()\nif [ -d /x ]; then L+=(--x); fi\nserve "${L[@]}"',
        'M=a\nif [ -f /x ]; then M=b; fi\nL=(--y "$M")\nL+=(--z)\nserve "${L[@]}"',
        'M=a\nif [ -f /x ]; then M=b; fi\nL="--y $M"\nL+=" --z"\nserve $L',
    ],
)
def test_a_value_that_hangs_on_something_else_is_told(text: str) -> None:
    assert serving(text)[1:] == (True, False)


def test_of_several_values_the_first_that_is_known_stays() -> None:
    assert serving("M=a\nif [ -f /x ]; then M=b; elif [ -f /y ]; then M=c; fi\nserve $M")[0] == ("a",)
    assert serving("if command -v x; then N=$(x); else N=1; fi\nserve $N")[0] == ("1",)
    assert serving("for P in 8001 8002; do\n  serve $P &\ndone") == (("8001",), None, False)


@pytest.mark.parametrize(
    ("word", "words"), [("a", ("A",)), ("b-1", ("B",)), ("c1", ("B",)), ("d", ("D",)), ("e.f", ("O",))]
)
def test_a_case_is_followed_where_its_word_is_known(word: str, words: tuple[str, ...]) -> None:
    text = f'X={word}\ncase "$X" in\n  a) M=A ;;\n  b-*|c[0-9]) M=B;;\n  [!a-c]) M=D ;;\n  *)\n    M=O\n    ;;\nesac\nserve $M'
    assert serving(text) == (words, True, True)


def test_a_value_that_a_condition_does_not_touch_is_certain() -> None:
    assert serving("M=a\nif [ -f /x ]; then LOG=b; fi\nserve $M") == (("a",), True, True)
    assert serving("if [ -f /x ]; then M=b; fi\nM=a\nserve $M") == (("a",), True, True)


def test_a_server_behind_a_condition_is_told() -> None:
    assert serving("if [ -f /x ]; then serve m; fi")[1] is None
    assert serving("A=1\nif [ $A = 2 ]; then serve m; fi")[1] is False
    assert serving("if serve m; then echo up; fi")[1] is True
    assert serving("run() {\n  serve m\n}\nrun")[1] is True


def test_options_of_a_script_keep_their_defaults() -> None:
    text = 'M=a\nwhile [ $# -gt 0 ]; do\n case $1 in\n  --model) M="$2"; shift 2 ;;\n  -h)\n   exit ;;\n esac\ndone\nserve "$M" "${1:-b}"'
    assert serving(text) == (("a", "b"), True, True)


def test_a_script_that_gives_itself_arguments_is_read_with_them() -> None:
    assert serving('if [ $# -eq 0 ]; then\n  set -- --x "a b"\nfi\nserve "$@"') == (
        ("--x", "a b"),
        True,
        True,
    )
    assert serving('if [ "$#" -gt 0 ]; then set -- --x; fi\nserve "$@"') == (("$@",), True, True)
