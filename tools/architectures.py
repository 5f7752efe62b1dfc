"""Write plugins/module_utils/_fit/architectures_data.py from the sources of vLLM's releases.

    python tools/architectures.py FOLDER

FOLDER holds unpacked source distributions (``vllm-0.26.0/vllm/…``), as ``pip download --no-binary :all: vllm==…`` and
``tar xzf`` leave them. Releases that are missing make a span start at the next older release that could have had it.
"""

from __future__ import annotations

import sys
import typing as t
from pathlib import Path

from releases import REGISTRY, Release, block, folders_with, in_use, model_tables, release_of, row

TARGET = Path(__file__).parents[1] / "plugins" / "module_utils" / "_fit" / "architectures_data.py"
HEAD = '''"""Model classes by the first and the last release that registers them; made by tools/architectures.py."""

from __future__ import annotations

from .._settings.version import Release

# Since, until, names. What every release from {first} to {last} registers is left out, and so is what a release dropped
# without listing it as dropped: the Transformers backend may serve it.
_ROWS: tuple[tuple[Release | None, Release | None, str], ...] = (
'''
FOOT = """)  # fmt: skip

# Names beside those that some release registers.
_REGISTERED = \"\"\"
{always}
\"\"\"
REGISTERED = frozenset(_REGISTERED.split())

SINCE_UNTIL: dict[str, tuple[Release | None, Release | None]] = {{
    name: (since, until) for since, until, names in _ROWS for name in names.split()
}}
"""

Span = tuple[t.Optional[Release], t.Optional[Release]]


def spans(folders: list[Path]) -> dict[str, Span]:
    """Every class with the releases that have it; nothing at both ends where all do."""
    registered: dict[Release, set[str]] = {}
    dropped: set[str] = set()
    for folder in folders:
        tables = model_tables(folder)
        dropped |= {name for table in tables if table.startswith("_PREVIOUSLY") for name in tables[table]}
        registered[release_of(folder)] = set(in_use(tables))
    releases = sorted(registered)
    found = {}
    for name in sorted(set().union(*registered.values())):
        having = [release for release in releases if name in registered[release]]
        until = having[-1] if having[-1] != releases[-1] and name in dropped else None
        found[name] = (since(having[0], releases), until)
    return found


def since(first: Release, releases: list[Release]) -> Release | None:
    """The oldest release that could have had it: the first minor after the last one that surely had not."""
    at = releases.index(first)
    if at == 0:
        return None
    before = releases[at - 1]
    return (first[0], before[1] + 1, 0) if before[1] + 1 < first[1] else (first[0], first[1], 0)


def main(folder: str) -> None:
    """Read every release under the folder, write the module."""
    folders = folders_with(Path(folder), REGISTRY)
    rows: dict[Span, list[str]] = {}
    found = spans(folders)
    always = [name for name, span in found.items() if span == (None, None)]
    for name, span in found.items():
        if name in always:
            continue
        rows.setdefault(span, []).append(name)
    first, last = (".".join(map(str, release_of(each))) for each in (folders[0], folders[-1]))
    ordered = sorted(rows.items(), key=lambda each: (each[0][0] or (0,), each[0][1] or (9,)))
    lines = [row(names, start, end) for (start, end), names in ordered]
    foot = FOOT.format(always=block(always))
    TARGET.write_text(HEAD.format(first=first, last=last) + "".join(lines) + foot, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
