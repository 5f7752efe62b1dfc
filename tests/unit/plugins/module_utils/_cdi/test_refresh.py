"""Each release of NVIDIA's refresh unit has its known defects, and the drop-in takes them away."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.refresh import (
    OWN_UNIT,
    PATH_UNIT,
    UNIT,
    UnitState,
    Wish,
    defects,
    drop_in,
    flags_for,
    judge_set,
    judge_unit,
    overridden,
    own_unit,
)

WISH = Wish("/var/run/cdi/nvidia.yaml")
LOADED = UnitState("loaded", fragment=f"/usr/lib/systemd/system/{UNIT}")


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ((1, 18, 0), {"module_name", "open_module_name", "no_uvm_nodes", "no_order"}),
        ((1, 18, 1), {"compressed_module", "open_module_name", "no_uvm_nodes", "no_order"}),
        ((1, 18, 2), {"open_module_name", "no_uvm_nodes", "no_order"}),
        ((1, 19, 0), {"open_module_name", "no_uvm_nodes", "no_order", "no_restart", "after_multi_user"}),
        ((1, 19, 1), {"open_module_name", "no_uvm_nodes", "no_order"}),
        ((1, 20, 0), {"open_module_name", "no_uvm_nodes", "no_order"}),
        ((1, 20, 1), {"open_module_name", "no_uvm_nodes", "no_order"}),
        ((1, 21, 0), {"open_module_name", "no_order"}),
    ],
)
def test_every_release_has_its_known_defects(version: tuple[int, int, int], expected: set[str]) -> None:
    assert {each.code for each in defects(version)} == expected


@pytest.mark.parametrize("version", [(1, 18, 0), (1, 18, 1), (1, 18, 2), (1, 19, 0), (1, 19, 1), (1, 20, 1)])
def test_the_drop_in_clears_the_condition_that_skips_open_and_compressed_modules(
    version: tuple[int, int, int],
) -> None:
    lines = drop_in(version, WISH).splitlines()
    assert "ExecCondition=" in lines
    assert not [line for line in lines if line.startswith("ExecCondition=") and line != "ExecCondition="]
    assert "ExecStartPre=-/usr/bin/nvidia-modprobe -u -c 0" in lines
    assert any(line.startswith("After=") and "nvidia-persistenced.service" in line for line in lines)


def test_only_the_unit_that_does_not_try_again_is_told_to() -> None:
    assert "Restart=on-failure" in drop_in((1, 19, 0), WISH)
    assert "Restart=" not in drop_in((1, 19, 1), WISH)


def test_what_a_drop_in_cannot_take_away_is_told() -> None:
    found = judge_unit(LOADED, (1, 19, 0))
    assert [each.code for each in found] == ["refresh_unit_order"]
    assert "1.19.1 or newer" in (found[0].fix or "")
    assert judge_unit(LOADED, (1, 20, 0)) == []


@pytest.mark.parametrize(
    ("podman", "flags"),
    [
        ((4, 4, 0), ("no-additional-gids-for-device-nodes",)),
        ((4, 9, 3), ("no-additional-gids-for-device-nodes",)),
        ((5, 0, 3), ("no-additional-gids-for-device-nodes",)),
        ((5, 1, 0), ()),
        ((5, 4, 2), ()),
        ((6, 1, 1), ()),
    ],
)
def test_a_podman_that_refuses_cdi_version_0_7_gets_a_spec_without_group_ids(
    podman: tuple[int, int, int], flags: tuple[str, ...]
) -> None:
    assert flags_for(podman) == flags
    assert flags_for(podman, ["disable-ipc-discoverer", *flags]) == ("disable-ipc-discoverer", *flags)


def test_every_wish_reaches_the_unit_as_a_variable() -> None:
    wish = Wish("/etc/cdi/nvidia.yaml", ("a", "b"), ("enable-cuda-compat",), ("uuid",))
    for text in (drop_in((1, 20, 0), wish), own_unit(wish)):
        lines = text.splitlines()
        assert 'Environment="NVIDIA_CTK_CDI_OUTPUT_FILE_PATH=/etc/cdi/nvidia.yaml"' in lines
        assert 'Environment="NVIDIA_CTK_CDI_GENERATE_FEATURE_FLAGS=a,b"' in lines
        assert 'Environment="NVIDIA_CTK_CDI_GENERATE_DISABLED_HOOKS=enable-cuda-compat"' in lines
        assert 'Environment="NVIDIA_CTK_CDI_GENERATE_DEVICE_NAME_STRATEGIES=uuid"' in lines


def test_a_toolkit_without_a_unit_gets_a_whole_one_that_writes_where_podman_reads() -> None:
    lines = own_unit(WISH).splitlines()
    assert "ExecStart=/usr/bin/nvidia-ctk cdi generate --output=/var/run/cdi/nvidia.yaml" in lines
    assert "Type=oneshot" in lines
    assert not OWN_UNIT.startswith(("/etc/systemd/system", "/usr/lib"))  # where NVIDIA's packages put theirs


def test_the_hosts_own_environment_file_wins_and_that_is_told() -> None:
    text = "# a comment\nNVIDIA_CTK_CDI_OUTPUT_FILE_PATH=/etc/cdi/nvidia.yaml\nOTHER=1\n"
    found = overridden(WISH, text)
    assert [each.code for each in found] == ["refresh_env_overrides"]
    assert "/etc/cdi/nvidia.yaml, the role wants /var/run/cdi/nvidia.yaml" in found[0].message
    assert overridden(WISH, "NVIDIA_CTK_CDI_OUTPUT_FILE_PATH=/var/run/cdi/nvidia.yaml") == []


@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        (UnitState("not-found"), "refresh_unit_missing", "1.18.0 was the first"),
        (UnitState("masked"), "refresh_unit_masked", "is masked"),
        (UnitState("loaded", result="exec-condition", condition=False), "refresh_unit_skipped", "calls that a success"),
        (UnitState("loaded", condition=False), "refresh_unit_skipped", "because of a Condition"),
        (UnitState("loaded", result="exit-code", last_words="no NVML"), "refresh_unit_failed", "(exit-code): no NVML"),
    ],
)  # fmt: skip
def test_a_unit_that_did_not_write_the_spec_is_told_whatever_systemctl_says(
    state: UnitState, code: str, words: str
) -> None:
    found = judge_unit(state, (1, 17, 8))
    assert [each.code for each in found] == [code]
    assert words in found[0].message


@pytest.mark.parametrize(
    ("fragment", "version", "vendor", "stale"),
    [
        ("/etc/systemd/system/", (1, 20, 0), True, True),
        ("/etc/systemd/system/", (1, 19, 1), False, False),  # where that release puts it
        ("/usr/lib/systemd/system/", (1, 20, 0), True, False),
    ],
)
def test_a_copy_from_an_older_layout_that_hides_the_new_unit_is_found(
    fragment: str, version: tuple[int, int, int], vendor: bool, stale: bool
) -> None:
    for state in (
        UnitState("loaded", fragment=fragment + UNIT),
        UnitState("loaded", path_fragment=fragment + PATH_UNIT),
    ):
        found = judge_unit(state, version, vendor)
        assert [each.code for each in found] == (["refresh_unit_stale_copy"] if stale else [])
        assert [each.value for each in found] == [f"{state.fragment}{state.path_fragment}" for _each in found]


@pytest.mark.parametrize(
    ("hook", "expected"),
    [((1, 20, 0), []), (None, []), ((1, 17, 8), ["toolkit_half_upgraded"])],
)
def test_programs_of_two_releases_are_a_half_upgraded_toolkit(
    hook: tuple[int, int, int] | None, expected: list[str]
) -> None:
    assert [each.code for each in judge_set((1, 20, 0), hook)] == expected
