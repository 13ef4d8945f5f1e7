"""The documents are true of the checkout that they stand in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
DOCUMENTS = sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_what_a_document_links_to_is_there(document: Path) -> None:
    places = LINK.findall(document.read_text("utf-8"))
    missing = [place for place in places if "://" not in place and not (document.parent / place).exists()]
    assert missing == []
