"""A library in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.game.match.library import FILE_NAME
from tests.game.match.keeping import Keeping


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


@pytest.fixture
def library(path: Path) -> Iterator[Keeping]:
    library = Keeping(path)
    assert library.notice is None
    yield library
    library.close()
