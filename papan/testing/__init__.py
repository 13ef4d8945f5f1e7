"""Conformance checks: what every game must guarantee, tested in random games.

Each check is a function of a ``Game``, named after what it checks. It raises ``Broken`` with a sentence that says where
the game fails. A game's own test is then::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_conformance(check):
        check(GAME)
"""

from __future__ import annotations

from collections.abc import Callable

from papan.game.game import Game
from papan.testing import evaluations, kernels, keys, observations, play, starts, terms, texts
from papan.testing.random_games import Broken

__all__ = ["CHECKS", "Broken"]

CHECKS: tuple[Callable[[Game], None], ...] = (
    *play.CHECKS,
    *kernels.CHECKS,
    *keys.CHECKS,
    *starts.CHECKS,
    *texts.CHECKS,
    *evaluations.CHECKS,
    *terms.CHECKS,
    *observations.CHECKS,
)
"""All checks."""
