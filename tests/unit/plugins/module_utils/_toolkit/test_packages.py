"""The set of packages is of one version, and what a host lacks is told in the words of its package manager."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.toolkit import parse as parse_installed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._toolkit.packages import (
    BASE,
    CTK,
    FULL,
    HOOK,
    LEGACY_HOOKS,
    file_command,
    judge,
    legacy_files,
    legacy_repositories,
    refusal,
    reinstall_command,
)

PROGRAMS = [CTK, HOOK]


@pytest.mark.parametrize(
    ("installed", "programs", "state", "words"),
    [
        ({}, [], "missing", f"{BASE} 1.20.0-1 is not installed"),
        ({BASE: "1.20.0-1"}, PROGRAMS, "ready", "the toolkit is 1.20.0-1"),
        ({BASE: "1.18.2-1"}, PROGRAMS, "older", "is 1.18.2-1, it is to be 1.20.0-1"),
        ({BASE: "1.20.1-1"}, PROGRAMS, "newer", "is 1.20.1-1, it is to be 1.20.0-1"),
        ({BASE: "1.20.0-1", "nvidia-container-toolkit": "1.18.2-1"}, PROGRAMS, "mixed", "half upgraded"),
        ({BASE: "1.20.0-1"}, [CTK], "damaged", f"{HOOK} is gone"),
        ({BASE: "1.20.0-1"}, [], "damaged", f"{CTK}, {HOOK} is gone"),
    ],
)
def test_the_state_of_a_host_is_told(
    installed: dict[str, str], programs: list[str], state: str, words: str
) -> None:
    judgement = judge(installed, programs, "1.20.0", "Debian")
    assert judgement.state == state
    assert words in judgement.message
    assert judgement.ready == (state == "ready")


def test_a_toolkit_from_before_the_hook_was_a_program_needs_none() -> None:
    assert judge({BASE: "1.16.2-1"}, [CTK], "1.16.2", "Debian").ready


@pytest.mark.parametrize(
    ("installed", "full", "names"),
    [
        ({}, False, (BASE,)),
        ({"libnvidia-container1": "1.18.2-1"}, False, ("libnvidia-container1", BASE)),
        ({}, True, FULL),
    ],
)
def test_what_is_installed_of_the_set_moves_along(
    installed: dict[str, str], full: bool, names: tuple[str, ...]
) -> None:
    assert judge(installed, [], "1.20.0", "Debian", full).names == names


@pytest.mark.parametrize(
    ("family", "version", "spec"),
    [
        ("Debian", "1.20.0", f"{BASE}=1.20.0-1"),
        ("Debian", "1.20.0-2", f"{BASE}=1.20.0-2"),
        ("RedHat", "1.20.0", f"{BASE}-1.20.0-1"),
        ("Suse", "1.20.0", f"{BASE}=1.20.0-1"),
        ("Archlinux", "1.20.0", "nvidia-container-toolkit"),
    ],
)
def test_a_version_is_written_as_the_package_manager_takes_it(family: str, version: str, spec: str) -> None:
    assert judge({}, [], version, family).specs == (spec,)


@pytest.mark.parametrize(
    ("version", "family", "distribution", "major", "words"),
    [
        ("1.19.0", "Debian", "Debian", 13, "only after multi-user.target"),
        ("1.13.5", "Debian", "Debian", 13, "older than any"),
        ("1.18.0", "RedHat", "Fedora", 43, "no digest"),
        ("latest", "Debian", "Debian", 13, "is no version"),
        ("1.20.0", "Gentoo", "Gentoo", 2, "no way to install the toolkit on Gentoo"),
    ],
)
def test_a_version_that_cannot_work_is_refused_with_the_reason(
    version: str, family: str, distribution: str, major: int, words: str
) -> None:
    assert words in (refusal(version, family, distribution, major) or "")


@pytest.mark.parametrize(
    ("version", "family", "distribution", "major"),
    [
        ("1.20.0", "Debian", "Debian", 12),
        ("1.18.2-1", "Debian", "Ubuntu", 24),
        ("1.18.0", "RedHat", "Rocky", 9),
        ("1.18.1", "RedHat", "Fedora", 43),
        ("1.20.0", "Suse", "openSUSE Leap", 15),
        ("anything", "Archlinux", "Archlinux", 0),
    ],
)
def test_the_others_may_be_installed(version: str, family: str, distribution: str, major: int) -> None:
    assert refusal(version, family, distribution, major) is None


@pytest.mark.parametrize(("version", "refused"), [("1.18.0", True), ("1.18.1", False)])
def test_packages_without_a_digest_are_refused_in_fips_mode(version: str, refused: bool) -> None:
    said = refusal(version, "RedHat", "RedHat", 9, fips=True) or ""
    assert ("FIPS mode refuses the packages of 1.18.0 (no digest)" in said) is refused


def test_fips_mode_is_a_matter_of_rpm_alone() -> None:
    assert refusal("1.18.0", "Debian", "Ubuntu", 22, fips=True) is None


def test_all_files_go_in_one_transaction_and_over_newer_ones() -> None:
    assert file_command("Debian", ["/a.deb", "/b.deb"])[-3:] == [
        "--allow-change-held-packages",
        "/a.deb",
        "/b.deb",
    ]
    assert "--allow-downgrades" in file_command("Debian", [])
    assert file_command("Suse", ["/a.rpm"])[-1] == "/a.rpm"
    assert "--reinstall" in reinstall_command("Debian", [f"{BASE}=1.20.0-1"])


@pytest.mark.parametrize(
    ("family", "own", "expected"),
    [
        ("Debian", True, "/etc/apt/sources.list.d/nvidia-container-toolkit.list"),
        ("Debian", True, "/etc/apt/sources.list.d/nvidia-docker.list"),
        ("RedHat", True, "/etc/yum.repos.d/libnvidia-container.repo"),
        ("Suse", True, "/etc/zypp/repos.d/nvidia-container-runtime.repo"),
        ("Archlinux", True, LEGACY_HOOKS[0]),
        ("Debian", False, LEGACY_HOOKS[0]),
    ],
)
def test_what_older_instructions_left_is_known(family: str, own: bool, expected: str) -> None:
    assert expected in legacy_files(family, own)


@pytest.mark.parametrize("family", ["Debian", "RedHat", "Suse", "Archlinux"])
def test_what_is_put_back_after_a_failure_are_repositories_and_never_the_hook(family: str) -> None:
    assert set(legacy_files(family, True)) - set(legacy_repositories(family, True)) == set(LEGACY_HOOKS)


def test_repositories_that_the_operator_brings_are_left_alone() -> None:
    assert legacy_files("Debian", own_repository=False) == list(LEGACY_HOOKS)


def test_a_removed_package_that_left_its_configuration_is_not_installed() -> None:
    listed = f"{BASE} 1.20.0-1 installed\nnvidia-container-toolkit 1.18.2-1 config-files\nlibnvidia-container1 1.2.3-1\n"
    assert parse_installed(listed) == {BASE: "1.20.0-1", "libnvidia-container1": "1.2.3-1"}
    assert parse_installed(f"package {BASE} is not installed\n") == {}
