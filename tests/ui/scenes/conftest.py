"""A table, a worker, all that is written, and windows of the sizes and scales in which nothing may be cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.ai.thinking.thinker import Worker
from tests.ui.at_table import AtTable
from tests.ui.hands import Hands
from tests.ui.pseudo import Shown
from tests.waiting import PATIENCE

SMALLEST, USUAL, LARGE, HIGH = (1024, 640), (1280, 800), (1920, 1080), (1100, 1400)
_LOOKS = [(SMALLEST, 1.0), (SMALLEST, 2.0), (LARGE, 2.0)]
_SLOW_LOOKS = [(USUAL, 1.0), (LARGE, 1.0)]
"""Those with more room for the same things."""
LOOKS = pytest.mark.parametrize(
    ("size", "scale"), [*_LOOKS, *(pytest.param(*look, marks=pytest.mark.slow) for look in _SLOW_LOOKS)]
)
"""Windows in which nothing may be cut off."""


@pytest.fixture
def window(home: Path) -> Iterator[AtTable]:
    window = AtTable()
    yield window
    window.close()


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("worker")
    yield worker
    assert worker.close(PATIENCE)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(monkeypatch)


@pytest.fixture(
    params=[
        *_LOOKS, (HIGH, 1.0), (HIGH, 2.0), *(pytest.param(look, marks=pytest.mark.slow) for look in _SLOW_LOOKS),
    ],
    ids=str,
)  # fmt: skip
def any_hands(home: Path, request: pytest.FixtureRequest) -> Iterator[Hands]:
    size, scale = request.param
    hands = Hands(size, scale=scale)
    yield hands
    hands.app.close()
