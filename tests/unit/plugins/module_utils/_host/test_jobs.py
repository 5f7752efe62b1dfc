"""What long work said is read from its end, whatever it is written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import jobs
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed


def ended(*command: str, **_further: object) -> Completed:
    return Completed(command, 0, "ActiveState=inactive\n", "")


@pytest.mark.parametrize(
    ("output", "end"),
    [
        pytest.param(b"caf\xe9\n", "caf\ufffd\n", id="Latin-1"),
        pytest.param(b"x" * 9000 + b"the end", "the end", id="much"),
        pytest.param("é".encode() * 4000 + b"!", "é!", id="cut within a letter"),
        pytest.param(None, "", id="none yet"),
    ],
)
def test_the_end_of_what_it_said_is_seen(tmp_path: Path, output: bytes | None, end: str) -> None:
    job = jobs.kept(str(tmp_path), "source-x")
    job.folder.mkdir(parents=True)
    if output is not None:
        (job.folder / "output").write_bytes(output)
    seen = jobs.look(ended, job)
    assert seen.output.endswith(end)
    assert len(seen.output) <= 4096
