"""A window that shows a plain scene."""

from __future__ import annotations

import pytest

from tests.ui.hands import Hands
from tests.ui.window.plain import Plain


@pytest.fixture
def plain(hands: Hands) -> Plain:
    scene = Plain(hands.app)
    hands.show(scene)
    return scene
