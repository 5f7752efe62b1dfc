"""Links inside the project lead somewhere. Links to other sites are not followed: the tests need no network."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import PAGES, ROOT, page, place_of


def relative_links() -> list[tuple[Path, str]]:
    return [(path, link) for path in PAGES for link in page(path).links if "://" not in link]


def test_there_are_links_to_follow() -> None:
    assert len(relative_links()) > 30


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_every_anchor_to_a_heading(path: Path) -> None:
    lost = []
    for link in (link for link in page(path).links if "://" not in link):
        target, anchor = place_of(link, path)
        if not target.exists() or (anchor and anchor not in page(target).anchors):
            lost.append(link)
    assert lost == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, todo = set(), [ROOT / "README.md"]
    while todo:
        path = todo.pop()
        if path in reached:
            continue
        reached.add(path)
        targets = [place_of(link, path)[0] for link in page(path).links if "://" not in link]
        todo += [target for target in targets if target.suffix == ".md" and target.exists()]
    docs = {path for path in PAGES if path.is_relative_to(ROOT / "docs")}
    assert docs - reached == set()
