"""The promises of every game, whoever wrote it: checks that play it at random and compare what it says of itself.

Each check is a function of a ``Game``, named by the promise. It raises ``Broken``, with a sentence that says where
the game does not keep it. A game's own test is then::

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
