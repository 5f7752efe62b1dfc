"""A module run as a host runs it: by its own Python, with programs on the PATH that replay recorded answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path

_MODULES = "ansible_collections.gpuops.vllm_fleet.plugins.modules"
_STAND_IN = """#!{python}
import json, pathlib, sys
answers = json.loads(pathlib.Path(sys.argv[0] + ".json").read_text())
asked = " ".join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]])
if asked not in answers:
    sys.exit("not recorded: " + asked)
sys.stdout.write(answers[asked].get("stdout", ""))
sys.stderr.write(answers[asked].get("stderr", ""))
sys.exit(answers[asked]["rc"])
"""


def stand_in(folder: Path, program: str, answers: t.Mapping[str, t.Any]) -> None:
    """A program that gives recorded answers by its exact command line, and fails loudly for any other."""
    (folder / program).write_text(_STAND_IN.format(python=sys.executable), encoding="utf-8")
    (folder / program).chmod(0o755)
    (folder / f"{program}.json").write_text(json.dumps(answers), encoding="utf-8")


def run_module(
    name: str, folder: Path, path: str = "", check: bool = False, **options: t.Any
) -> dict[str, t.Any]:
    """What the module answers when its PATH is the folder, and ``path`` after it."""
    arguments = {"_ansible_remote_tmp": str(folder), "_ansible_check_mode": check, **options}
    done = subprocess.run(
        [sys.executable, "-m", f"{_MODULES}.{name}"],
        input=json.dumps({"ANSIBLE_MODULE_ARGS": arguments}),
        env={
            **os.environ,
            "PATH": os.pathsep.join(filter(None, [str(folder), path])),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    assert "Traceback" not in done.stderr
    answer: dict[str, t.Any] = json.loads(done.stdout)
    return answer
