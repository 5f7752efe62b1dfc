"""What the pages of the documentation hold: code blocks, links, headings, and words in code."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "roles").glob("*/README.md")),
    ROOT / "tests" / "hosts" / "README.md",
]
# What a newcomer copies. In there nothing is left to be guessed: inventories are whole, and every name in code is known.
FOR_NEWCOMERS = [PAGES[0], *sorted((ROOT / "docs" / "guides").glob("*.md"))]


@dataclasses.dataclass(frozen=True)
class Block:
    """One block of code."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@dataclasses.dataclass(frozen=True)
class Page:
    """One page, taken apart."""

    path: Path
    blocks: tuple[Block, ...]
    links: tuple[str, ...]
    words: tuple[str, ...]  # in `code`
    anchors: frozenset[str]


def _slug(heading: str) -> str:
    """The anchor that GitHub and the site give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@functools.cache
def page(path: Path) -> Page:
    """The page at a path."""
    tokens = MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
    blocks = [
        Block(path, (token.map or [0])[0] + 1, token.info.strip(), token.content)
        for token in tokens
        if token.type in ("fence", "code_block")
    ]
    inner = [child for token in tokens if token.type == "inline" for child in token.children or ()]
    links = [str(token.attrs["href"]) for token in inner if token.type == "link_open"]
    links += [str(token.attrs["src"]) for token in inner if token.type == "image"]
    words = [token.content for token in inner if token.type == "code_inline"]
    headings = [after.content for token, after in zip(tokens, tokens[1:]) if token.type == "heading_open"]
    anchors = frozenset(_slug(heading.replace("`", "")) for heading in headings)
    return Page(path, tuple(blocks), tuple(links), tuple(words), anchors)


def blocks(*languages: str) -> list[Block]:
    """The blocks of these languages in all pages; "" is a block that is only indented."""
    return [block for path in PAGES for block in page(path).blocks if block.language in languages]


def place_of(link: str, source: Path) -> tuple[Path, str]:
    """The file that a relative link leads to, and the anchor in there."""
    path, _, anchor = link.partition("#")
    return (Path(os.path.normpath(source.parent / path)) if path else source), anchor
