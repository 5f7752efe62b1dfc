from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.unit import (
    Difference,
    Section,
    Unit,
    differences,
    format_unit,
    parse_unit,
)

UNIT = Unit(
    (
        Section("Unit", (("Description", "vLLM"), ("Wants", "a.service"), ("Wants", "b.service"))),
        Section("Container", (("Image", "x:1"), ("Exec", "serve a=b"))),
    ),
    "Written by a program.",
)


def test_a_unit_survives_the_way_to_text_and_back() -> None:
    assert parse_unit(format_unit(UNIT)) == UNIT


def test_the_text_has_one_block_per_section() -> None:
    assert format_unit(UNIT) == (
        "# Written by a program.\n\n"
        "[Unit]\nDescription=vLLM\nWants=a.service\nWants=b.service\n\n"
        "[Container]\nImage=x:1\nExec=serve a=b\n"
    )


def test_continued_lines_comments_and_spaces_are_read_as_systemd_reads_them() -> None:
    text = "; head\n[A]\n Key = one \\\n# inside\n two\n\n;no\nOther=\u00a0x\u00a0\n"
    assert parse_unit(text).section("A").lines == (("Key", "one  two"), ("Other", "\u00a0x\u00a0"))


def test_an_empty_value_clears_those_before_it() -> None:
    section = Section("A", (("K", "1"), ("K", ""), ("K", "2"), ("K", "3")))
    assert (section.all("K"), section.last("K"), section.last("L")) == (["2", "3"], "3", None)


def test_a_section_that_stands_twice_is_one() -> None:
    assert parse_unit("[A]\nK=1\n[B]\nK=2\n[A]\nK=3\n").section("A").all("K") == ["1", "3"]


@pytest.mark.parametrize("text", ["K=1\n", "[A]\nno value\n", "[A\nK=1\n"])
def test_what_is_no_unit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a section"):
        parse_unit(text)


def test_differences_name_section_key_and_both_values() -> None:
    after = parse_unit(
        "[Container]\nExec=serve c\nImage=x:1\n[Unit]\nWants=a.service\nWants=b.service\nDescription=vLLM\n"
    )
    assert differences(UNIT, after) == [Difference("Container", "Exec", ("serve a=b",), ("serve c",))]


def test_differences_see_what_is_new_and_what_is_gone() -> None:
    after = parse_unit(
        "[Unit]\nDescription=vLLM\nWants=a.service\n[Container]\nImage=x:1\nExec=serve a=b\nPull=never\n"
    )
    assert differences(UNIT, after) == [
        Difference("Unit", "Wants", ("a.service", "b.service"), ("a.service",)),
        Difference("Container", "Pull", (), ("never",)),
    ]
