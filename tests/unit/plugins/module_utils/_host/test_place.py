"""A file of the host is replaced whole: whoever reads it meanwhile, or is interrupted, has the old one or the new one."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.place import Place

CONF = "/etc/containers/registries.conf.d/50-vllm-fleet.conf"


def run(*command: str, **_further: object) -> Completed:
    return Completed(command, 0, "", "")


def test_a_file_is_another_one_and_readable_for_all(tmp_path: Path) -> None:
    place = Place(run, root=str(tmp_path))
    old = os.umask(0o077)
    try:
        assert place.write(CONF, "one")
        before = place.path(CONF).stat().st_ino
        assert place.write(CONF, "two")
    finally:
        os.umask(old)
    assert place.path(CONF).read_text() == "two"
    assert place.path(CONF).stat().st_ino != before
    assert place.path(CONF).stat().st_mode & 0o777 == 0o644
    assert [path.name for path in place.path(CONF).parent.iterdir()] == ["50-vllm-fleet.conf"]


def test_a_disk_that_is_full_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(run, root=str(tmp_path))
    place.write(CONF, "one")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        place.write(CONF, "two")
    assert place.path(CONF).read_text() == "one"
