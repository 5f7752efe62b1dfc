"""Write plugins/module_utils/_fit/environment_data.py: which values each release reads from its variables.

    python tools/environment.py FOLDER

FOLDER holds one folder per release, named after it (``0.26.0/vllm/…`` or ``vllm-0.26.0/vllm/…``). Each release's own
``envs.py`` is run by itself (it imports nothing of vLLM) and every variable asked to read a few values. Releases before
0.11.1 read a variable only where it is used, and are left out.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import typing as t
from pathlib import Path

from releases import Release, folders_with, release_of, row, stretches

TARGET = Path(__file__).parents[1] / "plugins" / "module_utils" / "_fit" / "environment_data.py"
OLDEST = (0, 11, 1)
HEAD = '''"""What vLLM reads from its variables, from release to release; made by tools/environment.py."""

from __future__ import annotations

from .._settings.version import Release

# First, last, kind, names. Kinds: whole numbers, numbers, and words (a star in front: in capitals or not).
_ROWS: tuple[tuple[Release, Release, str, str], ...] = (
'''
FOOT = """)  # fmt: skip

KINDS: dict[str, list[tuple[Release, Release, str]]] = {}
for _first, _last, _kind, _names in _ROWS:
    for _name in _names.split():
        KINDS.setdefault(_name, []).append((_first, _last, _kind))
"""
# Lists of words, and what is asked of other packages.
LEFT_OUT = ("VLLM_GPT_OSS_SYSTEM_TOOL_MCP_LABELS", "VLLM_DP_RANK_LOCAL")

Read = t.Callable[[], t.Any]


def readers(release: Path) -> dict[str, Read]:
    """The functions that read the variables of a release."""
    spec = importlib.util.spec_from_file_location("envs_of_a_release", release / "vllm/envs.py")
    if spec is None or spec.loader is None:
        return {}
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {
        name: read
        for name, read in module.environment_variables.items()
        if name.startswith("VLLM_") and name not in LEFT_OUT
    }


def refused(name: str, read: Read, value: str) -> str | None:
    """Why a value is refused; None where it is taken, or where more than the value decides."""
    os.environ[name] = value
    try:
        read()
    except ValueError as error:
        return str(error)
    except Exception:  # what is missing here is there in an image
        return None
    finally:
        del os.environ[name]
    return None


def kind(name: str, read: Read) -> str | None:
    """What a variable takes; None for any text."""
    why = refused(name, read, "xyzzy")
    if why is None:
        return None
    words = re.search(r"Valid options: \[(.*?)\]", why)
    if words:
        known = re.findall(r"'([^']*)'", words.group(1))
        any_case = all(refused(name, read, each.swapcase()) is None for each in known)
        return ("* " if any_case else "") + " ".join(known)
    if all(refused(name, read, each) for each in ("0", "1", "8")):
        return None
    return "number" if refused(name, read, "1.5") is None else "whole number"


def spans(releases: t.Mapping[Release, t.Mapping[str, str]]) -> dict[tuple[Release, Release, str], list[str]]:
    """Runs of releases in which a variable takes the same."""
    order, found = sorted(releases), {}
    for name in sorted({name for kinds in releases.values() for name in kinds}):
        for first, last, held in stretches([releases[each].get(name) for each in order]):
            found.setdefault((order[first], order[last], held), []).append(name)
    return found


def main(folder: str) -> None:
    """Ask every release under the folder, write the module."""
    for name in [each for each in os.environ if each.startswith("VLLM_")]:
        del os.environ[name]
    releases = {}
    for each in folders_with(Path(folder), "vllm/envs.py"):
        if release_of(each) >= OLDEST:
            kinds = {name: kind(name, read) for name, read in readers(each).items()}
            releases[release_of(each)] = {name: what for name, what in kinds.items() if what}
    lines = [
        row(names, first, last, f'"{what}"') for (first, last, what), names in sorted(spans(releases).items())
    ]
    TARGET.write_text(HEAD + "".join(lines) + FOOT, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
