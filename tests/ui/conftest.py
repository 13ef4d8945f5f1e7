"""The window's tests need no display."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.ui.texts.manner import use_manner
from tests.ui.hands import Hands

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(autouse=True)
def _usual_manner() -> Iterator[None]:
    """Each test begins with turns in words and without engine details."""
    use_manner()
    yield
    use_manner()


@pytest.fixture
def hands(home: Path) -> Iterator[Hands]:
    hands = Hands()
    yield hands
    hands.app.close()


@pytest.fixture
def small_hands(home: Path) -> Iterator[Hands]:
    """In the smallest window that nothing may be cut off in."""
    hands = Hands((1024, 640))
    yield hands
    hands.app.close()
