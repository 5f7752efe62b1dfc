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
    ],
)
def test_a_value_that_hangs_on_something_else_is_told(text: str) -> None:
    assert serving(text)[1:] == (True, False)


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
