#!/usr/bin/env python3
"""Build the documentation as a site: README.md, docs/, and the reference of every plugin and role. A warning fails it.

PYTHONPATH=.collections python tools/site/build.py          # .cache/site/html/index.html
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SITE = ROOT / ".cache" / "site"
COLLECTION = "gpuops.vllm_fleet"
LINK = re.compile(r"(\]\()([^)#:\s]+)(#[^)\s]*)?(\))")
PAGES = ("README.md", "docs")

INDEX = """# {collection}

```{{toctree}}
:maxdepth: 1

README
{pages}
reference/collections/gpuops/vllm_fleet/index
```
"""


def pages() -> list[pathlib.Path]:
    """Every page that people write, by its path in the checkout."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path.relative_to(ROOT) for path in found]


def for_the_site(text: str, page: pathlib.Path, repository: str) -> str:
    """A page whose links to what is no part of the site lead to the repository."""

    def target(found: re.Match[str]) -> str:
        opening, path, anchor, closing = found.groups()
        place = pathlib.Path(os.path.normpath(page.parent / path))
        if place.parts[0] in PAGES and (ROOT / place).is_file():
            return found.group(0)
        return f"{opening}{repository}/blob/main/{place}{anchor or ''}{closing}"

    return LINK.sub(target, text)


def _assemble(source: pathlib.Path) -> None:
    repository = yaml.safe_load((ROOT / "galaxy.yml").read_text(encoding="utf-8"))["repository"]
    shutil.copytree(ROOT / "docs", source / "docs")
    for page in pages():
        text = (ROOT / page).read_text(encoding="utf-8")
        (source / page).write_text(for_the_site(text, page, repository), encoding="utf-8")
    names = "\n".join(str(page.with_suffix("")) for page in pages() if page.parts[0] == "docs")
    (source / "index.md").write_text(INDEX.format(collection=COLLECTION, pages=names), encoding="utf-8")
    shutil.copy(HERE / "terms.rst", source)


def build() -> int:
    """Both halves; the exit code."""
    shutil.rmtree(SITE, ignore_errors=True)
    source, reference = SITE / "source", SITE / "source" / "reference"
    source.mkdir(parents=True)
    _assemble(source)
    reference.mkdir(mode=0o755)
    reader = [
        "antsibull-docs",
        "collection",
        "--use-current",
        "--fail-on-error",
        "--no-indexes",
        "--no-breadcrumbs",
    ]
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE)]
    for command in (
        [*reader, "--dest-dir", str(reference), COLLECTION],
        [*sphinx, "-d", str(SITE / "doctrees"), str(source), str(SITE / "html")],
    ):
        done = subprocess.run(command, check=False)
        if done.returncode:
            print(f"site: {command[0] if command[0] != sys.executable else 'sphinx'} is not content")
            return done.returncode
    print(f"site: {len(list((SITE / 'html').rglob('*.html')))} pages, {SITE / 'html' / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(build())
