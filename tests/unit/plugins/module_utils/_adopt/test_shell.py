"""Scripts as people keep and paste them, down to the words that a program gets."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import UnreadableError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.shell import read_script


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"], id="quotes"),
        pytest.param('a "{\\"k\\": \\"v\\"}"', ["a", '{"k": "v"}'], id="escaped-json"),
        pytest.param("a '{\"k\": [1]}'", ["a", '{"k": [1]}'], id="json"),
        pytest.param("a \\\n  b \\\n  c", ["a", "b", "c"], id="continued"),
        pytest.param("a \\  \n  b", ["a", "b"], id="blanks-behind-the-backslash"),
        pytest.param("a \\  # why\n  b", ["a", "b"], id="remark-behind-the-backslash"),
        pytest.param("a \\ -b \\ -c", ["a", "-b", "-c"], id="lines-joined-by-somebody"),
        pytest.param("a \\\n  # --old x \\\n  b", ["a", "b"], id="line-taken-out"),
        pytest.param("$ a b", ["a", "b"], id="prompt"),
        pytest.param("root@gpu:~# a b", ["a", "b"], id="prompt-of-root"),
        pytest.param("```bash\na b\n```", ["a", "b"], id="fence"),
        pytest.param("a b > log 2>&1 &", ["a", "b"], id="redirected"),
        pytest.param("a \\\n  b \\\n  > log 2>&1 &", ["a", "b"], id="redirected-on-a-line-of-its-own"),
        pytest.param("$ a \\\n> b \\\n> c", ["a", "b", "c"], id="prompts-of-lines-that-go-on"),
        pytest.param("a `\nb", ["a", "b"], id="powershell"),
        pytest.param("a b # why", ["a", "b"], id="remark"),
        pytest.param("a x#y", ["a", "x#y"], id="no-remark"),
        pytest.param("a ''", ["a", ""], id="empty-word"),
        pytest.param("a\r\nb", ["a"], id="line-ends-of-windows"),
    ],
)
def test_a_line_becomes_the_words_that_a_shell_would_make(text: str, words: list[str]) -> None:
    assert list(read_script(text, {}).commands[0]) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param('M=x/y\na "$M" ${M}', ["a", "x/y", "x/y"], id="assigned"),
        pytest.param('export M="${M:-x}"\na $M', ["a", "x"], id="default"),
        pytest.param("O='-a 1'\na $O", ["a", "-a", "1"], id="split-without-quotes"),
        pytest.param("O='-a 1'\na \"$O\"", ["a", "-a 1"], id="not-split-in-quotes"),
        pytest.param("a '$M'", ["a", "$M"], id="single-quotes"),
        pytest.param('A=(-a "b c")\nA+=(-d)\na "${A[@]}"', ["a", "-a", "b c", "-d"], id="list"),
        pytest.param('A=(-a)\nA=("${A[@]}" -b)\na "${A[@]}"', ["a", "-a", "-b"], id="list-of-itself"),
        pytest.param('A=(-a)\nA+=("${A[@]}")\na "${A[@]}"', ["a", "-a", "-a"], id="list-doubled"),
        pytest.param("N=\na $N b", ["a", "b"], id="empty-is-no-word"),
        pytest.param("a ${X:+-x} b", ["a", "b"], id="only-where-set"),
        pytest.param('a ${X:-"0,1"} "${Y:-\'b\'}"', ["a", "0,1", "b"], id="quotes-of-a-default"),
        pytest.param('O=${X:-"-a 1"}\na $O', ["a", "-a", "1"], id="default-of-several-words"),
        pytest.param('a "${1:-x}" ${2:-y}', ["a", "x", "y"], id="default-of-an-argument"),
        pytest.param(
            "M=o/m.x.y\na ${M##*/} ${M%.*} ${M%%.*} ${M#o}",
            ["a", "m.x.y", "o/m.x", "o/m", "/m.x.y"],
            id="trimmed",
        ),
        pytest.param(
            'P="-a  1"\nread -r -a L <<< "$P"\na "${L[@]}"', ["a", "-a", "1"], id="read-into-a-list"
        ),
        pytest.param('a "x $(b "c $(d)") y"', ["a", 'x $(b "c $(d)") y'], id="quotes-in-brackets-in-quotes"),
        pytest.param(': "${P:=9}"\na $P', ["a", "9"], id="set-where-unset"),
        pytest.param("cat <<EOF\na 'b\nEOF\na b", ["a", "b"], id="here-document"),
    ],
)
def test_variables_and_lists_of_a_script_are_put_in(text: str, words: list[str]) -> None:
    assert list(read_script(text, {}).commands[-1]) == words


def test_what_has_no_value_stands_as_it_was_written_and_is_told() -> None:
    script = read_script('a $M "${N}" $(cat x)', {"N": "n"})
    assert script.commands == (("a", "$M", "n", "$(cat x)"),)
    assert script.unresolved == ("$M", "$(cat x)")


def test_the_words_given_to_a_script_stand_for_all_of_them() -> None:
    assert read_script('exec a "$@" z', {}, ["-b", "c d"]).commands == (("exec", "a", "-b", "c d", "z"),)


@pytest.mark.parametrize("text", ["a 'b", 'a "b', "a ${b"])
def test_an_open_quote_is_told_with_its_place(text: str) -> None:
    with pytest.raises(UnreadableError, match="is not closed"):
        read_script(text, {})
