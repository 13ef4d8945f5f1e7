"""The documents are true of the checkout that they stand in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
DOCUMENTS = sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
ANCHOR = re.compile(r"\]\(([^)#\s:]*)#([^)\s]+)\)")
PATH = re.compile(r"`((?:papan|dev|tests|docs|translations|packaging|examples)/[\w./-]+)`")
SOMEBODYS = {"tests/test_tic_tac_toe.py"}
"""Files of the package that the documents have the reader write."""
WIDTH = 120
"""The most characters of a line."""


def is_there(place: str) -> bool:
    return (CHECKOUT / place).exists() or (CHECKOUT / f"{place}.py").exists()


def anchors(linked: Path, document: Path) -> set[str]:
    """The anchors of the headings of *linked*, or of *document* where a link names no file."""
    lines = (linked if linked.is_file() else document).read_text("utf-8").splitlines()
    headings = [line.lstrip("#").strip().lower() for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_what_a_document_links_to_is_there(document: Path) -> None:
    places = LINK.findall(document.read_text("utf-8"))
    missing = [place for place in places if "://" not in place and not (document.parent / place).exists()]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_a_path_that_a_document_names_is_there(document: Path) -> None:
    paths = set(PATH.findall(document.read_text("utf-8"))) - SOMEBODYS
    assert [path for path in sorted(paths) if not is_there(path)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_a_heading_that_a_document_links_to_is_there(document: Path) -> None:
    links = ANCHOR.findall(document.read_text("utf-8"))
    assert [(place, name) for place, name in links if name not in anchors(document.parent / place, document)] == []


def test_no_line_is_too_long() -> None:
    long = [
        f"{document.relative_to(CHECKOUT).as_posix()}:{number} has {len(line)} characters"
        for document in DOCUMENTS
        for number, line in enumerate(document.read_text("utf-8").splitlines(), 1)
        if len(line) > WIDTH
    ]
    assert long == []


def test_the_packages_of_the_architecture_are_there() -> None:
    """A cell of its table names a package, then others beside it: "`papan/ai/search`, `proof`"."""
    text = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8")
    table = text.partition("## Where to look")[2].partition("\n## ")[0]
    missing = []
    for row in table.splitlines():
        first, *others = re.findall(r"`([\w./]+)`", row) or [""]
        parent = first.rpartition("/")[0]
        missing += [place for place in [first, *(f"{parent}/{other}" for other in others)] if not is_there(place)]
    assert "papan/ai/search" in table and missing == []
