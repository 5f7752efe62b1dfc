"""Scripts that write the unit or the launcher which is then started."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.files import no_files
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import UnreadableError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.script_file import read_script_file

IMAGE = "vllm/vllm-openai:v0.26.0"
UNIT = f"""#!/bin/bash
TAG={IMAGE}
SIZE=${{1:-2}}
cat > /etc/systemd/system/llm.service <<EOF
[Service]
ExecStart=/usr/bin/docker run --rm --name llm \\\\
  --gpus all -e A=\\$B \\\\
  $TAG \\\\
  --model m/m --tensor-parallel-size $SIZE
EOF
systemctl enable --now llm
"""
LAUNCHER = """
cat > run.sh <<'END'
export VLLM_X=1
vllm serve m/m \\
  --seed 1
END
screen -dmS llm bash run.sh
"""


def test_a_unit_that_a_script_writes_is_read_with_the_scripts_values() -> None:
    (found,) = read_script_file(UNIT, "setup.sh", {}, no_files)
    assert (found.image, found.tool) == (IMAGE, "docker")
    assert found.command == ("--model", "m/m", "--tensor-parallel-size", "2")
    assert found.env == {"A": "$B"}


def test_a_launcher_that_a_script_writes_is_read_as_it_stands() -> None:
    (found,) = read_script_file(LAUNCHER, "setup.sh", {}, no_files)
    assert (found.command, found.env) == (("vllm", "serve", "m/m", "--seed", "1"), {"VLLM_X": "1"})


def test_a_script_that_starts_nothing_is_told() -> None:
    with pytest.raises(UnreadableError, match="there is no"):
        read_script_file("cat <<EOF\nhello\nEOF\n", "setup.sh", {}, no_files)
