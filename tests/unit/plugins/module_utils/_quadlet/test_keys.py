from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.keys import KEYS, key_problems, knows

_FIXTURES = Path(__file__).parents[4] / "fixtures" / "quadlet"


def measured() -> t.Iterator[tuple[str, tuple[int, ...], bool]]:
    """What eight real generators accepted: (key, version, accepted)."""
    head, *lines = (_FIXTURES / "key_matrix.txt").read_text(encoding="utf-8").splitlines()
    versions = [tuple(int(part) for part in each[1:].split(".")) for each in head.split()[1:]]
    for line in lines:
        key, *answers = line.split()
        for version, answer in zip(versions, answers):
            yield key, version, answer == "yes"


def test_the_table_agrees_with_eight_real_generators() -> None:
    cases = list(measured())
    assert len(cases) > 400
    # User is measured as known from the first: we wait for the release that takes names too.
    wrong = [
        case for case in cases if knows(case[1], case[0]) != case[2] and not (case[0] == "User" and case[2])
    ]
    assert wrong == []


def problem(
    key: str, value: t.Any, version: tuple[int, int, int] | None = None
) -> tuple[str, str, str] | None:
    found = key_problems({key: value}, version)
    return (found[0].key, found[0].message, found[0].fix) if found else None


def test_an_unknown_key_names_the_nearest_one() -> None:
    _key, message, fix = problem("HostNam", "x")
    assert "no key 'HostNam'" in message
    assert fix == "write HostName"


def test_a_key_in_the_wrong_case_names_the_right_one() -> None:
    assert problem("hostname", "x")[2] == "write HostName"


def test_a_key_that_is_like_none_points_to_the_manual() -> None:
    assert "podman-systemd.unit(5)" in problem("Zzz", "x")[2]


@pytest.mark.parametrize("key", sorted(name for name, key in KEYS.items() if key.owner))
def test_a_key_of_ours_says_what_to_write_instead(key: str) -> None:
    assert problem(key, "x")[2].startswith("use ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("HostName", ["a"]),
        ("RunInit", "yes"),
        ("HostName", True),
        ("HostName", {"a": 1}),
        ("HostName", None),
        ("Mount", [None]),
    ],
)
def test_a_value_of_the_wrong_kind_is_told(key: str, value: t.Any) -> None:
    assert problem(key, value) is not None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("HostName", "a"),
        ("RunInit", True),
        ("Mount", ["a", "b"]),
        ("Mount", "a"),
        ("HealthRetries", 3),
        ("AddCapability", "SYS_PTRACE"),
    ],
)
def test_a_value_of_the_right_kind_passes(key: str, value: t.Any) -> None:
    assert problem(key, value, (5, 8, 0)) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("PodmanArgs", "--privileged"),
        ("PodmanArgs", ["--cpus 2", "--privileged=true"]),
        ("AddCapability", "SYS_ADMIN"),
        ("AddCapability", "NET_ADMIN CAP_SYS_ADMIN"),
        ("AddCapability", "all"),
        ("Label", "io.gpuops.vllm-fleet.managed=false"),
        ("HostName", "a\nImage=evil"),
        ("HostName", " "),
    ],
)
def test_what_would_undo_the_collections_promises_is_refused(key: str, value: t.Any) -> None:
    assert problem(key, value) is not None


def test_without_a_version_a_young_key_passes() -> None:
    assert problem("HealthMaxLogCount", 5) is None


def test_a_key_that_this_podman_lacks_and_no_option_replaces_is_told_with_both_versions() -> None:
    _key, message, fix = problem("HealthMaxLogCount", 5, (5, 2, 3))
    assert "came with Podman 5.3, this host has 5.2" in message
    assert "upgrade Podman" in fix


def test_a_key_that_this_podman_lacks_passes_where_an_option_does_the_same() -> None:
    assert problem("GroupAdd", "keep-groups", (4, 4, 0)) is None
