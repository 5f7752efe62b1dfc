"""ansible-playbook as a person runs it in a folder of his own, with the collection and without our ansible.cfg."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]


def play(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What it printed, and how it ended."""
    # An empty one, and not ours: the built collection comes without it.
    (folder / "ansible.cfg").touch()
    return subprocess.run(
        [str(Path(sys.executable).parent / "ansible-playbook"), *arguments],
        env={
            **os.environ,
            "ANSIBLE_CONFIG": str(folder / "ansible.cfg"),
            "ANSIBLE_COLLECTIONS_PATH": str(ROOT / ".collections"),
            "ANSIBLE_HOME": str(folder / "ansible"),
            "ANSIBLE_NOCOLOR": "true",
            **environment,
        },
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
