"""Tic-tac-toe keeps every promise that a game makes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tic_tac_toe import GAME

from papan.game.game import Game
from papan.testing import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(check: Callable[[Game], None]) -> None:
    check(GAME)
